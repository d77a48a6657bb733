import { expect, it } from 'vitest'
import { startTrail } from '#core/drift/score.ts'
import { newTask } from '#core/task.ts'
import { chooseSystem, keepConversation } from './injected.ts'
import { readInjected, readSessionState } from './read-session-state.ts'
import { freshSessionState } from './session-state.ts'
import { takeUpTask } from './work.ts'

const task = newTask({ id: 't1', sessionId: 's1', kind: 'main', instruction: 'Fix it', goal: 'fixed' }, 1)
const conversation = { key: 'k', sessionId: 's1', system: 'Known: a', inserted: [], count: 3 }
const stored = (value: object): unknown => JSON.parse(JSON.stringify(value))

it('a stored state is read as it was written', () => {
  const session = freshSessionState('s1')
  takeUpTask(session, task, startTrail('Fix it'))
  chooseSystem(session, { text: 'Known: a', why: 'it fits' })
  keepConversation(session, conversation)
  expect(readSessionState(stored(session))).toEqual(session)
})

it.each([undefined, null, 'text', 7, []])('%j is no state', (value) => {
  expect(readSessionState(value)).toBeUndefined()
  expect(readInjected(value)).toBeUndefined()
})

it('what a stored state lacks is as in a fresh one', () => {
  expect(readSessionState({ sessionId: 's1', work: {}, window: { tokens: 5 } })).toEqual({
    ...freshSessionState('s1'),
    window: { tokens: 5, size: 200_000, warned: false },
  })
})

/** As Grove stored it before it had slices. */
const flat = {
  sessionId: 's1',
  cwd: '/repo/app',
  projectId: 'p1',
  root: '/repo',
  task,
  finished: { ...task, id: 't0', status: 'completed' },
  trail: startTrail('Fix it'),
  lastScore: 3,
  drift: { mode: 'drifted', escalation: 2, waitingForRecovery: true, failedRecoveries: 1 },
  plan: { backTo: ['a.ts'], steps: ['Return to a.ts.'] },
  pending: [{ key: 'k1', kind: 'correction', text: 'Come back.', why: 'halt' }],
  delivered: ['k0'],
  system: 'Known: a',
  systemWhy: 'it fits',
  conversations: [conversation],
  seen: ['toolu_1'],
  onGoalFiles: ['a.ts'],
  prompt: { text: 'Fix it', index: 2 },
  promptsSinceCheck: 1,
  unjudgedInstruction: true,
  continued: true,
  unjudgedClosing: false,
  forcedAsked: false,
  summary: '',
  contextTokens: 170_000,
  window: 1_000_000,
  longWindow: 'a-model',
  warned: true,
  answers: ['msg_1'],
  corrections: ['k0', 'k1'],
  astray: [{ path: 'b.css', removed: false }],
  drifted: ['t1'],
  closingWords: 'I did it.',
  closed: 'I did it.',
  transcript: { path: '/t.jsonl', offset: 99 },
  notices: ['The window is filling.'],
}

it('a flat state of an earlier version is taken over into slices', () => {
  expect(readSessionState(stored(flat))).toEqual({
    ...freshSessionState('s1'),
    place: { cwd: '/repo/app', projectId: 'p1', root: '/repo' },
    work: {
      current: { status: 'active', task, trail: startTrail('Fix it') },
      instruction: { text: 'Fix it', index: 2 },
      onGoalFiles: ['a.ts'],
      notedActions: ['toolu_1'],
    },
    drift: {
      standing: { mode: 'drifted', escalation: 2, failedRecoveries: 1, plan: flat.plan },
      lastScore: 3,
      corrections: ['k0', 'k1'],
      astray: flat.astray,
      driftedTasks: ['t1'],
    },
    deliveries: { pending: flat.pending, delivered: ['k0'], notices: flat.notices },
    injected: { system: { text: 'Known: a', why: 'it fits' }, conversations: [conversation] },
    window: { tokens: 170_000, size: 1_000_000, longModel: 'a-model', warned: true },
    transcript: {
      file: { path: '/t.jsonl', offset: 99 },
      answers: ['msg_1'],
      lastWords: 'I did it.',
      turn: { status: 'closed', words: 'I did it.' },
    },
  })
})

it('a flat state between two tasks, and one off its goal without a plan, lose nothing that counts', () => {
  const { task: _, trail: __, plan: ___, ...between } = flat
  const session = readSessionState(stored(between))
  expect(session?.work.current).toEqual({ status: 'ended', task: flat.finished })
  expect(session?.drift.standing).toEqual({ mode: 'normal', escalation: 0 })
})

it('what was injected into an ended session is read in both shapes', () => {
  const injected = { system: { text: 'Known: a', why: 'it fits' }, conversations: [conversation] }
  const { system, systemWhy, conversations } = flat
  expect(readInjected(stored(injected))).toEqual(injected)
  expect(readInjected(stored({ system, systemWhy, conversations }))).toEqual(injected)
})
