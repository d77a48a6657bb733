import { expect, it } from 'vitest'
import type { AgentSummary } from '#protocol/api/agents.ts'
import { lineOf } from './statusline.ts'

const agent = {
  sessionId: 's',
  goal: 'Round the cart total once, at the end, as invoices do',
  lastScore: 9,
  injections: { count: 1, tokens: 1470 },
} as AgentSummary

it('says goal, score, what was added and what waits, in one line', () => {
  expect(lineOf(agent, 2)).toBe(
    'Grove: Round the cart total once, at the end, as i… · 9/10 on goal · 1,470 tokens added · 2 waiting for you',
  )
})

it('leaves out what there is not, and says nothing where there is nothing', () => {
  expect(lineOf({ ...agent, injections: { count: 0, tokens: 0 } }, 0)).not.toContain('tokens')
  expect(lineOf(undefined, 1)).toBe('Grove: 1 waiting for you')
  expect(lineOf(undefined, 0)).toBe('')
})
