import { expect, it } from 'vitest'
import type { LiveEvent } from '#protocol/live.ts'
import { noticeOf } from './notification-text.ts'

const at = { sessionId: 's', projectId: 'p', featureId: 'f', number: 1 }
const hold = {
  kind: 'usage_limit',
  message: 'Claude’s usage limit has been reached.',
  detail: null,
  since: '',
  until: null,
}

it.each<[string, object, string | undefined]>([
  [
    'another stage',
    { type: 'stage_transition', from: 1, to: 2, reason: 'plan_created' },
    'Now in stage 2: Plan review',
  ],
  ['questions', { type: 'questions.batch', questionIds: ['a', 'b'], filtered: 0 }, '2 questions wait for you'],
  [
    'a blocker',
    { type: 'execution.paused_blocker', stepId: 'a', blocker: { questionText: 'Which clock?' }, needsInput: true },
    'A blocker: Which clock?',
  ],
  [
    'a review',
    { type: 'review.iteration_complete', planId: 'x', iteration: 3, outcome: 'clean', recommended: 10 },
    'Review 3 of 10 is done',
  ],
  [
    'a pull request',
    { type: 'pr.created', prNumber: '42', prUrl: '', title: 'Add login', updated: false },
    'Pull request #42 is open: Add login',
  ],
  ['a local review', { type: 'pr.created', prNumber: '', prUrl: '', title: 'Add login', updated: false }, undefined],
  ['a merge', { type: 'pr.merged', prNumber: '42', state: 'merged' }, 'Pull request #42 is merged'],
  ['a limit', { type: 'session.changed', status: 'active', reason: 'held', hold }, hold.message],
  [
    'what waits and is archived',
    { type: 'session.changed', status: 'active', reason: 'archivedAt:true', hold },
    undefined,
  ],
  [
    'a full window',
    { type: 'agent.context', contextTokens: 81, window: 100, compacted: false },
    'The context window is 81 % full',
  ],
  ['anything else', { type: 'memory.given', titles: [] }, undefined],
])('of %s the desktop is told in a line, or not at all', (_, event, said) => {
  expect(noticeOf({ ...event, ...at } as LiveEvent)).toBe(said)
})
