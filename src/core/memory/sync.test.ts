import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isShareable, replaces, retryDelay, withoutSecrets } from './sync.ts'

it('a copy from the team replaces ours when it is newer, as new, or a deletion', () => {
  expect(replaces({ version: 2, body: {} }, 1)).toBe(true)
  expect(replaces({ version: 2, body: {} }, 2)).toBe(true)
  expect(replaces({ version: 1, body: {} }, 2)).toBe(false)
  expect(replaces({ version: 1 }, 2)).toBe(true)
  expect(replaces({ version: 1, body: {} }, undefined)).toBe(true)
})

it('a project is shared when it fits a pattern, and never when it is only a folder', () => {
  expect(isShareable('github.com/acme/shop')).toBe(true)
  expect(isShareable('path:/home/ada/notes')).toBe(false)
  expect(isShareable('github.com/acme/shop', ['github.com/acme/*'])).toBe(true)
  expect(isShareable('github.com/acme/shop', ['github.com/Acme/*'])).toBe(true)
  expect(isShareable('github.com/acme-evil/shop', ['github.com/acme/*'])).toBe(false)
  expect(isShareable('gitlab.com/acme/shop', ['*/acme/*'])).toBe(true)
  expect(isShareable('gitlab.com/acme/shop', ['gitlab.com/acme/shop'])).toBe(true)
  expect(isShareable('gitlab.com/acme/shop', [])).toBe(false)
})

it('a pattern is its own text with anything in place of each star', () => {
  const part = fc.stringMatching(/^[a-c/]{0,4}$/)
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(part, { maxLength: 4 }), (parts, between) => {
      const text = parts.reduce((whole, next, at) => `${whole}${between[at - 1] ?? ''}${next}`)
      expect(isShareable(text, [parts.join('*')])).toBe(true)
    }),
  )
})

it('waits longer after each failure, but never for long', () => {
  const waits = Array.from({ length: 30 }, (_, failures) => retryDelay(failures + 1, 1))
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(Math.max(...waits)).toBe(300_000)
  expect(retryDelay(1, 0)).toBe(500)
})

it('comes from the team without secrets, and otherwise as it was sent', () => {
  const key = 'sk-ant-api03-Zx8Qk2LmN4pRs6TuVw0yAb1Cd3Ef5Gh7Ij9Kl'
  const item = { kind: 'memory', id: 'm', projectId: 'p', version: 1 }
  const body = {
    goal: 'Use opaque tokens',
    files: ['src/a.ts'],
    decisions: [{ choice: 'a', reason: 'b' }],
    createdAt: 1,
  }
  expect(withoutSecrets({ ...item, body })).toEqual({ ...item, body })
  expect(withoutSecrets(item)).toEqual(item)
  const odd = { ...body, goal: `Use ${key}`, decisions: [{ choice: key, reason: key }] }
  expect(JSON.stringify(withoutSecrets({ ...item, body: odd }))).not.toContain(key)
})
