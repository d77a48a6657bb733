import { expect, it } from 'vitest'
import { lastWords } from './last-words.ts'

const KEY_LINE = 'MIIEpAIBAAKCAQEAq3nXy7Zt0pVb1sK9wLr5mD2fGhJ8uE4cTzQ6oYiRxNvBkCa\n'
const talk = (length: number) => 'We look at how dates are parsed. '.repeat(length / 33)

it('keeps the end of what an agent said', () => {
  const kept = lastWords(`${talk(9000)}Now the parser.`)
  expect(kept).toHaveLength(600)
  expect(kept.endsWith('Now the parser.')).toBe(true)
  expect(lastWords('Now the parser.')).toBe('Now the parser.')
})

it('masks a secret in it', () => {
  expect(lastWords(`${talk(9000)}\npassword = hunter2hunter`)).not.toContain('hunter2')
})

it('masks the rest of what began long before the kept words', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINE.repeat(45)}-----END RSA PRIVATE KEY-----`
  expect(lastWords(`${talk(3000)}\n${key} done`)).not.toContain(KEY_LINE.slice(0, 20))
  expect(lastWords(`${talk(3000)}<private>${'my diary '.repeat(350)}</private> done`)).not.toContain('diary')
})

it('masks a secret that is cut where the kept words begin', () => {
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  for (let after = 560; after < 640; after += 10) {
    const kept = lastWords(`${talk(3000)} ${secret} ${'x '.repeat(after / 2)}`)
    expect(kept).not.toMatch(/\d/)
  }
})
