import { describe, expect, it } from 'vitest'
import { outcomeOf, textsOf, tokenUsage } from './turn-facts.ts'

it('texts are the text blocks of any content', () => {
  expect(textsOf('hello')).toEqual(['hello'])
  expect(textsOf([{ type: 'image' }, { type: 'text', text: 'a' }, 3])).toEqual(['a'])
})

it('counts missing and odd token counters as nothing', () => {
  expect(tokenUsage({ input_tokens: 3, output_tokens: 'many' })).toEqual({
    input: 3,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  })
  expect(tokenUsage(null)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
})

describe('what became of a call', () => {
  const refusal = '{"status":"error","code":"scope_violation","message":"docs/a.md is not in scope"}'

  it.each([
    ['a denial in the hook’s own words', refusal],
    ['the same behind what newer clients put before it', `PreToolUse:Write hook error: ${refusal}`],
    ['the same in a text block', [{ type: 'text', text: refusal }]],
  ])('is read from %s', (_, content) => {
    expect(outcomeOf(true, content)).toBe('denied')
  })

  it('is a failure where the tool ran and says so, and success without an error', () => {
    expect(outcomeOf(true, 'Exit code 1: no such file')).toBe('failed')
    expect(outcomeOf(false, refusal)).toBe('ran')
  })
})
