import { expect, it } from 'vitest'
import { startTrail } from '#core/drift/score.ts'
import { newTask } from '#core/task.ts'
import { keepConversation } from './injected.ts'
import { readInjected, readSessionState } from './read-session-state.ts'
import { freshSessionState } from './session-state.ts'
import { takeUpTask } from './work.ts'

const task = newTask({ id: 't1', sessionId: 's1', kind: 'main', instruction: 'Fix it', goal: 'fixed' }, 1)
const conversation = { key: 'k', sessionId: 's1', inserted: [], count: 3 }
const stored = (value: object): unknown => JSON.parse(JSON.stringify(value))

it('a stored state is read as it was written', () => {
  const session = freshSessionState('s1')
  takeUpTask(session, task, startTrail('Fix it'))
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

it('a state of an earlier shape starts afresh', () => {
  expect(readSessionState({ sessionId: 's1', task, drift: { mode: 'normal' } })).toBeUndefined()
})

it('what was injected into an ended session is read as it was written', () => {
  const injected = { conversations: [conversation] }
  expect(readInjected(stored(injected))).toEqual(injected)
})
