import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookalikeSamples } from '../../../test/corpus/secrets/lookalikes.ts'
import { measure } from '../../../test/corpus/secrets/measure.ts'
import { secretSamples } from '../../../test/corpus/secrets/secrets.ts'
import { strangersSecrets } from '../../../test/corpus/secrets/strangers.ts'
import { byRules, redact } from './redact.ts'
import { keyShapes } from './rules/known-keys.ts'
import { replaceRuns } from './runs.ts'

describe.each([11, 22, 33])('on corpus %i', (seed) => {
  const secrets = secretSamples(seed)
  const lookalikes = lookalikeSamples(seed)
  const measured = measure(redact, secrets, lookalikes)

  it('the redactor masks the secrets', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(220)
    expect(measured.recall, measured.missed.map(({ kind }) => kind).join()).toBeGreaterThanOrEqual(0.98)
  })

  it('and leaves the look-alikes alone', () => {
    expect(lookalikes.length).toBeGreaterThanOrEqual(220)
    expect(measured.falseAlarmRate, measured.falseAlarms.map(({ text }) => text).join()).toBeLessThanOrEqual(0.02)
  })

  it('and has nothing more to do the second time', () => {
    const once = [...secrets, ...lookalikes].map(({ text }) => redact(text))
    expect(once.map(redact)).toEqual(once)
  })
})

describe.each([7, 8, 9])('written down as strangers do, drawn by %i', (seed) => {
  const secrets = strangersSecrets(seed, 2)

  it('secrets are masked', () => {
    const { recall, missed } = measure(redact, secrets, [])
    expect(secrets.length).toBeGreaterThanOrEqual(400)
    expect(recall, missed.map(({ text }) => text).join('\n')).toBeGreaterThanOrEqual(0.98)
  })

  it('and have nothing more to mask the second time', () => {
    const once = secrets.map(({ text }) => redact(text))
    expect(once.map(redact)).toEqual(once)
  })
})

describe('around a secret', () => {
  it.each([
    ['DB_PASSWORD=hunter2!x PORT=1', 'DB_PASSWORD=[redacted] PORT=1'],
    ['{"password": "hunter2!", "user": "app"}', '{"password": "[redacted]", "user": "app"}'],
    ['postgres://app:hunter2!@db:5432/app', 'postgres://app:[redacted]@db:5432/app'],
    ['Server=db;Password=Hunter2!;Encrypt=True', 'Server=db;Password=[redacted];Encrypt=True'],
    ['?user=1&password=hunter2x&page=2', '?user=1&password=[redacted]&page=2'],
    ['The password is hunter22.', 'The password is [redacted].'],
    ['keyStorePassword=changeit-Q4-rev', 'keyStorePassword=[redacted]'],
    ['keyStorePassword=change-me', 'keyStorePassword=change-me'],
    [`.dockerconfigjson: ${btoa('{"auths":{"ghcr.io":{"auth":"YmVhdDpx"}}}')}`, '.dockerconfigjson: [redacted]'],
    [`.dockerconfigjson: ${btoa('{\n  "auths": {"ghcr.io": {}}}')}`, '.dockerconfigjson: [redacted]'],
    ['before <private>anything\nat all</private> after', 'before [redacted] after'],
  ])('%s stays readable', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  it('no other text matters', () => {
    const key = secretSamples(5, 1).find(({ kind }) => kind === 'github token')!.secret
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => !redact(`${before} ${key} ${after}`).includes(key)),
    )
  })
})

describe('what the user marked private', () => {
  it('is gone even when the end of the mark was cut off', () => {
    expect(redact('goal <private>the client is called')).toBe('goal [redacted]')
  })

  it('may hold anything, several times', () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter((text) => !text.includes('private>'))), (parts) => {
        const text = parts.map((part) => `<private>${part}</private>`).join(' and ')
        return redact(text) === parts.map(() => '[redacted]').join(' and ')
      }),
    )
  })

  it('is not what only talks about the mark', () => {
    const text = 'Put it between `<private>` and `</private>`, then it stays out.'
    expect(redact(text)).toBe(text)
    expect(redact('Use `<private>…</private>` for it.')).toBe('Use `<private>…</private>` for it.')
  })
})

// The model weighs what stands around a value, which random words do not have: ordinary-sentences.test.ts is about both.
it('plain words come through the rules unchanged', () => {
  const word = fc.constantFrom(
    'the',
    'cart',
    'token',
    'of',
    'Secret',
    'key',
    'passes',
    'login',
    'page',
    'fails',
    'v2',
    '404',
    'src/a.ts',
  )
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(' ')
      return byRules(text) === text
    }),
  )
})

describe('hostile text', () => {
  const unbounded = /[*+](?!\?)|\{\d+,\}/g

  it.each(keyShapes)('shape %s is unbounded at most once, and then at its end', ({ source }) => {
    const open = [...source.replace(/\[[^\]]*\]/g, (set) => 'x'.repeat(set.length)).matchAll(unbounded)]
    expect(open.length).toBeLessThanOrEqual(1)
    for (const { index, 0: quantifier } of open)
      expect(source.slice(index + quantifier.length)).toMatch(/^(=\{0,2\})?$/)
  })

  it('is handed on as runs that never overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a'.repeat(14), 'B7'.repeat(30), ' ', '-', '\\n', 'ü')), (parts) => {
        const text = parts.join('')
        let handed = 0
        const same = replaceRuns(text, (run) => {
          handed += run.length
          return run
        })
        return same === text && handed <= text.length
      }),
    )
  })

  // A method whose work grows with the square of the length would need hours for one of these.
  it.each([
    'a',
    'A1',
    'eyJ',
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-',
    'sk-ant-',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '<private>`',
    '://',
    '://a:',
    '://a:b@',
    'password',
    'password=',
    'password="',
    'PASSWORD_',
    'a_password_',
    'secret: ',
    'authorization: bearer ',
    'cookie: a=',
    'login a ',
    ' -u a:',
    '--token ',
    '--',
    '/',
    'a/',
    '=',
    'aB3',
    '0f',
    '\\n',
    '\\"',
    'Q~',
    '.atlasv1.',
    '[redacted]',
    'docker login ',
    'key ',
    'pw ',
    'password: <',
    'a:b@',
    '$1$',
    'token-',
    'x is the ',
    ' ',
    '\t\n',
    '"',
    'é',
  ])('"%s" over and over is done in one go', (piece) => {
    const text = piece.repeat(Math.ceil(400_000 / piece.length))
    const once = redact(text)
    expect(once.length).toBeLessThanOrEqual(text.length + 100_000)
  })
})

it('masks what rules find in a line that is too long for the model', () => {
  const rest = 'password="'.repeat(10_000)
  const masked = redact(`{"db_password": "vT9#kQ2m!xW7", "rest": '${rest}'}`)
  expect(masked).not.toContain('vT9#kQ2m!xW7')
})

it('keeps a long random value masked, whatever the line above it says', () => {
  const value = 'Zk3LPj4xQ1o6rcLYW2VWtNyR5kgSAYkBbhmaDbvow23WIvARkQROy0RGBjQwDDpn'
  const above =
    'curl -s https://example.com/connect/ledger -H "X-Custom: zeta_key_OmX0LW83uY5thr8BauWEByIDzyjzLrdnH4q4fYN6"'
  expect(redact(`${above}\n\nglobal cursor detail ${value} preview compose`)).not.toContain(value)
})
