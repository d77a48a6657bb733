import { expect, it } from 'vitest'
import { refusal } from '#core/refusal.ts'
import { isRefusal, REFUSALS, refusalText } from './refusal.ts'

it('a refusal is one line of JSON that says what is wrong and what would be right', () => {
  const text = refusalText(refusal('scope_violation', 'src/b.ts is outside\nthe scope', 'Ask for a wider scope.'))
  expect(text).not.toContain('\n')
  expect(JSON.parse(text)).toEqual({
    status: 'error',
    code: 'scope_violation',
    message: 'src/b.ts is outside\nthe scope',
    suggestion: 'Ask for a wider scope.',
  })
})

it('a refusal is told from an answer that has a status or a code of its own', () => {
  expect(isRefusal(refusal('not_found', 'a', 'b'))).toBe(true)
  for (const answer of [{ status: 'ok' }, { code: 'x' }, { status: 'error' }, 'error', null, undefined]) {
    expect(isRefusal(answer)).toBe(false)
  }
})

it('every refusal says in a sentence what it means', () => {
  for (const { means } of Object.values(REFUSALS)) expect(means).toMatch(/^(?:[A-Z]|`).*\.$/)
})
