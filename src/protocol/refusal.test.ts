import { expect, it } from 'vitest'
import { refusal, refusalText } from './refusal.ts'

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
