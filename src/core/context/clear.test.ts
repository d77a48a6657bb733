import { describe, expect, it } from 'vitest'
import type { Step } from '../step.ts'
import { keyDecisions, sessionSummary } from './clear.ts'

let ids = 0
function step(more: Partial<Step>): Step {
  const base = { sessionId: 's', taskId: 't', tool: 'Edit', kind: 'edit' as const, files: [], folders: [] }
  return { id: `${++ids}`, ...base, keywords: [], keyDecision: false, at: ids, ...more }
}

const state = {
  goal: 'Fix the token refresh',
  instruction: 'Please fix the token refresh, it fails after an hour',
  constraints: ['Do not touch src/styles'],
  lastWords: 'The tests of the session are next.',
  steps: [
    step({ kind: 'read', files: ['src/auth/session.ts'] }),
    step({
      files: ['src/auth/token.ts'],
      keyDecision: true,
      reasoning: 'I chose milliseconds because Date.now() gives them.',
    }),
    step({ files: ['src/auth/token.ts'] }),
    step({ tool: 'Bash', kind: 'bash', command: 'npm test' }),
  ],
}

describe('the summary that stands for a cut conversation', () => {
  it('holds goal, limits, decisions, what changed and how, what failed, where it stands and what comes next', () => {
    const failed = step({ tool: 'Bash', kind: 'bash', command: 'npm run e2e', outcome: 'failed' })
    const more = step({ files: ['src/clock.ts'], changes: ['src/clock.ts'], excerpt: '+export function now() {' })
    expect(sessionSummary({ ...state, steps: [...state.steps, more, failed] }).split('\n')).toEqual([
      expect.stringContaining('was set aside to keep the context window free'),
      'Goal: Fix the token refresh',
      "The user's own words: Please fix the token refresh, it fails after an hour",
      'Limits the user set:',
      '- Do not touch src/styles',
      'Key decisions:',
      '- I chose milliseconds: Date.now() gives them',
      'Files changed, and how:',
      '- src/auth/token.ts (2 times)',
      '- src/clock.ts: now; last: +export function now() {',
      'What failed or was refused:',
      '- `npm run e2e`: failed',
      'Progress:',
      '- read src/auth/session.ts',
      '- edit src/auth/token.ts (2 times)',
      '- bash npm test',
      '- edit src/clock.ts',
      'Files looked at:',
      '- src/auth/session.ts',
      'Commands run last:',
      '- npm test',
      'Where it stands, in your own last words: The tests of the session are next.',
      expect.stringContaining('Next action, as you announced it: The tests of the session are next.'),
    ])
  })

  it('stays small however long the session was', () => {
    const steps = Array.from({ length: 5000 }, (_, i) =>
      step({ files: [`src/${'deep/'.repeat(30)}${i}.ts`], keyDecision: true, reasoning: 'because '.repeat(80) }),
    )
    const text = 'x '.repeat(50_000)
    const long = { goal: text, instruction: text, constraints: [text], lastWords: text, steps }
    expect(sessionSummary(long).length).toBeLessThanOrEqual(10_000)
  })

  it('says where the work stands and what comes next, however long the session was', () => {
    const steps = Array.from({ length: 200 }, (_, i) =>
      step({
        files: [`src/features/area-${i}/components/${'some-'.repeat(10)}component.tsx`],
        changes: [`src/features/area-${i}/components/${'some-'.repeat(10)}component.tsx`],
        excerpt: `+export function handler${i}(event: Event) { return dispatch(event.detail) }`,
        keyDecision: i % 9 === 0,
        reasoning: `I kept reducer ${i} pure because a test of it would need a clock otherwise.`,
      }),
    )
    const summary = sessionSummary({ ...state, steps })
    expect(summary).toContain('- Do not touch src/styles')
    expect(summary).toContain('- I kept reducer 198 pure: a test of it would need a clock otherwise')
    expect(summary).toContain('handler199')
    expect(summary).toMatch(/- \(\d+ before these\)/)
    expect(summary).toContain('Where it stands, in your own last words: The tests of the session are next.')
    expect(summary).toContain('Next action, as you announced it: The tests of the session are next.')
    expect(summary.length).toBeLessThanOrEqual(10_000)
  })

  it('tells a decision once, in its own words where no reason can be made out', () => {
    const said = step({ keyDecision: true, reasoning: 'Rather than a cache, a plain map.' })
    expect(keyDecisions([said, said, step({ reasoning: 'Just looking.' })])).toEqual([
      'Rather than a cache, a plain map.',
    ])
  })
})
