import { expect, it } from 'vitest'
import { contextWindow } from './model-window.ts'

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
