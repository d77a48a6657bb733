import { describe, expect, it } from 'vitest'
import { readIntents } from './intents-yaml.ts'

const file = (lines: string) => `active_intents:\n  - id: INT-1\n    name: Tokens\n${lines}`

describe('a file of intents', () => {
  it.for(['['.repeat(100_000), '{a: '.repeat(100_000), '- '.repeat(100_000)])(
    'is refused with a reason when it is nested a hundred thousand deep',
    (nest) => {
      const { intents, problems } = readIntents(`active_intents: ${nest}`)
      expect(intents).toEqual([])
      expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining('nested too deep') }])
    },
  )

  it('expands no aliases of aliases', () => {
    const levels = [...'bcdefghijk'].map((name, n) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghijk'[n]}`)}]`)
    const { intents } = readIntents(`a: &a [x]\n${levels.join('\n')}\nactive_intents: *k\n`)
    expect(intents).toEqual([])
  })

  it('names the place of a key that nothing reads, and holds all the same', () => {
    const { intents, problems } = readIntents(file('    scope: [src/**]\n    x-ticket: 12\n'))
    expect(intents).toHaveLength(1)
    expect(problems).toMatchObject([{ line: 4, column: 5 }])
    expect(problems[0]?.message).toContain('the key scope is not known')
  })

  it.for(['../other/**', '/etc/**', '~/x', 'src/../../x', 'C:\\x', '!../x'])(
    'takes the scope %s, which leaves the project, for a mistake',
    (glob) => {
      const { intents, problems } = readIntents(file(`    owned_scope:\n      - src/**\n      - '${glob}'\n`))
      expect(intents).toEqual([])
      expect(problems).toMatchObject([{ line: 6, column: 9 }])
    },
  )

  it('takes dots that stay inside for what they are', () => {
    expect(readIntents(file('    owned_scope: [src/../lib/**, ./docs]\n')).problems).toEqual([])
  })

  it('names a key that is there twice, and reads sixty thousand keys in the time that their number takes', () => {
    expect(readIntents(file('    x-a: 1\n    x-a: 2\n'))).toMatchObject({
      intents: [],
      problems: [{ line: 5, column: 5, message: 'Map keys must be unique' }],
    })
    const keys = (key: (at: number) => string) =>
      Array.from({ length: 60_000 }, (_, at) => `    ${key(at)}: 1\n`).join('')
    expect(readIntents(file(keys((at) => `k${at}`))).problems).toHaveLength(100)
    expect(readIntents(file(keys(() => 'x-a'))).problems).toHaveLength(100)
  })
})
