import { describe, expect, it } from 'vitest'
import { contextWindow, outcomeOf, textsOf, tokenUsage } from './turn-facts.ts'

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

it.each([
  ['claude-sonnet-5', 1_000_000],
  ['claude-opus-4-7', 1_000_000],
  ['claude-opus-4-8', 1_000_000],
  ['claude-sonnet-4-6', 200_000],
  ['claude-sonnet-4-6[1m]', 1_000_000],
  ['claude-haiku-4-5-20251001', 200_000],
])('%s without a proxy has a window of %i tokens', (model, tokens) => {
  expect(contextWindow(model)).toBe(tokens)
})

it.each([
  ['claude-opus-4-8', '', 1_000_000],
  ['claude-opus-4-8-20260601', '', 1_000_000],
  ['claude-sonnet-4-5[1m]', '', 1_000_000],
  ['claude-sonnet-4-5', 'claude-code-20250219,context-1m-2025-08-07', 1_000_000],
  ['claude-sonnet-5', 'effort-2025-11-24', 1_000_000],
  ['claude-haiku-5-5', '', 1_000_000],
  ['claude-haiku-4-5', '', 200_000],
  ['claude-opus-4-80', '', 200_000],
])('%s with betas "%s" has a window of %i tokens', (model, beta, tokens) => {
  expect(contextWindow(model, beta)).toBe(tokens)
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
