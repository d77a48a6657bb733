import { expect, it } from 'vitest'
import { actionsOf, scoreWord } from '#protocol/agent-actions.ts'
import {
  agentMark,
  axisNumbers,
  contribution,
  driftPoints,
  filterActions,
  placedLabels,
  waitingFirst,
  waitOf,
  wishOf,
} from './derive-agent.ts'

const step = (id: string, at: number, driftScore?: number) => ({
  id,
  sessionId: 's',
  taskId: 't',
  tool: 'Edit',
  kind: 'edit' as const,
  files: [`${id}.ts`],
  folders: [],
  keywords: [],
  keyDecision: false,
  at,
  ...(driftScore !== undefined && { driftScore }),
})
const drift = (stepId: string, at: number, score: number) => ({
  id: `d${stepId}`,
  sessionId: 's',
  taskId: 't',
  stepId,
  tool: 'Edit',
  kind: 'edit' as const,
  files: [`${stepId}.ts`],
  score,
  level: 'intervene' as const,
  reason: 'r',
  correction: 'c',
  recoveryPlan: [],
  recovered: false,
  at,
})

it('puts kept and rejected actions in the order of time, each once', () => {
  const actions = actionsOf({
    steps: [step('c', 30, 9), step('b', 20, 4), step('a', 10, 8)],
    driftEvents: [drift('b', 20, 4)],
  })
  expect(actions.map(({ number, id, isRejected }) => [number, id, isRejected])).toEqual([
    [1, 'a', false],
    [2, 'b', true],
    [3, 'c', false],
  ])
  expect(actions.map(scoreWord)).toEqual(['on goal', 'refused', 'on goal'])
  expect(filterActions(actions, 'refused')).toHaveLength(1)
})

it('draws ten at the top and zero at the bottom, and one point in the middle', () => {
  const actions = actionsOf({ steps: [step('a', 1, 10), step('b', 2, 0)], driftEvents: [] })
  expect(driftPoints(actions, { width: 100, height: 50 }).map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [100, 50],
  ])
  expect(driftPoints(actions.slice(0, 1), { width: 100, height: 50 })[0]!.x).toBe(50)
})

it('sets a label before its mark, else behind it where the line rises, else not at all', () => {
  const actions = actionsOf({
    steps: [step('a', 1, 9), step('d', 4, 9), step('f', 6, 9)],
    driftEvents: [drift('b', 2, 4), drift('c', 3, 3), drift('e', 5, 4)],
  })
  const points = driftPoints(actions, { width: 500, height: 50 })
  const labels = (letter: number) =>
    placedLabels(points, { letter, width: 500 }).map(({ label, side }) => [label, side])
  expect(labels(8)).toEqual([
    ['2 intervene', 'before'],
    ['3 intervene', 'behind'],
    ['5 intervene', 'before'],
  ])
  // Before the first mark there is no room, and behind it the line falls.
  expect(labels(9)).toEqual([
    ['3 intervene', 'before'],
    ['5 intervene', 'before'],
  ])
})

const many = (number: number) => Array.from({ length: number }, (_, index) => step(String(index), index, 9))

it('numbers the plot at both ends and, where there is room, at round numbers between', () => {
  const points = driftPoints(actionsOf({ steps: many(24), driftEvents: [] }), { width: 460, height: 50 })
  expect(axisNumbers(points, 48).map(({ action }) => action.number)).toEqual([1, 5, 10, 15, 20, 24])
  expect(axisNumbers(points, 150).map(({ action }) => action.number)).toEqual([1, 10, 24])
  expect(axisNumbers([], 48)).toEqual([])
})

it('tells in a few words what Grove has done for a piece of work', () => {
  expect(contribution({ memories: 2, corrections: 1, stoppedWrites: 1 })).toBe(
    'Grove recalled 2 memories, corrected it once, stopped 1 write',
  )
  expect(contribution({ memories: 0, corrections: 3, stoppedWrites: 0 })).toBe('Grove corrected it 3 times')
  expect(contribution({ memories: 0, corrections: 0, stoppedWrites: 0 })).toBeUndefined()
})

it('does not say that an agent works when it was not heard of for a while', () => {
  const minute = 60_000
  expect(agentMark({ lastSeenAt: 0 }, minute)).toEqual({ shape: 'works' })
  expect(agentMark({ lastSeenAt: 0 }, 6 * minute)).toEqual({ shape: 'works', tone: 'rest' })
  expect(agentMark({ lastSeenAt: 0, mode: 'forced' }, 6 * minute)).toEqual({ shape: 'refused' })
})

it('says that a command is to be run', () => {
  expect(wishOf('Bash: npm i\nnpm test')).toEqual({ verb: 'Wants to run', what: 'npm i\nnpm test' })
  expect(wishOf('Edit src/a.ts')).toEqual({ verb: 'Wants to', what: 'Edit src/a.ts' })
})

it('says what an agent waits for, and leads to where that is answered', () => {
  const agent = { sessionId: 's1', waitsFor: { what: 'Bash: npm run seed', count: 2 } }
  expect(waitOf(agent)).toEqual({
    text: 'Waits for you. Wants to run npm run seed, and 1 more',
    href: '/agents/s1',
  })
  const feature = { projectId: 'p', featureId: 'add-login', title: 'Add login' }
  const driven = { sessionId: 's1', waitsFor: { what: 'The plan waits for approval.', count: 1, feature } }
  expect(waitOf(driven)).toEqual({
    text: 'Waits for you: The plan waits for approval.',
    href: '/features/p/add-login',
  })
  const calm = { sessionId: 's2' }
  expect(waitOf(calm)).toBeUndefined()
  expect(waitingFirst([calm, agent])).toEqual([agent, calm])
  expect(agentMark({ lastSeenAt: 0, waitsFor: agent.waitsFor }, 0)).toEqual({ shape: 'waits' })
})
