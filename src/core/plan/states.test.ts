import { expect, it } from 'vitest'
import type { PlanStep } from './plan.ts'
import { stepsOf } from './propose.ts'
import { markChanged, stepStates } from './states.ts'

let ids = 0
const facts = { branch: 'feature/x', newId: () => `id-${ids++}`, at: '' }
const first = stepsOf(
  ['a', 'b'].map((id) => ({ id, title: id, description: '' })),
  [],
  facts,
)
const states = (steps: readonly PlanStep[]) => steps.map(({ id, status }) => `${id} ${status}`)
const none = new Set<string>()

it('a step is approved with the plan, and no longer when the plan is another', () => {
  const approved = stepStates(first, { isApproved: true, blocked: none })
  expect(states(approved)).toEqual(['branch completed', 'a approved', 'b approved'])
  expect(states(stepStates(approved, { isApproved: false, blocked: none }))).toEqual(states(first))
})

it('a step that is worked on is blocked while a person is asked, and goes on afterwards', () => {
  const working = first.map((step) => (step.id === 'a' ? { ...step, status: 'in_progress' as const } : step))
  const blocked = stepStates(working, { isApproved: true, blocked: new Set(['a', 'b']) })
  expect(states(blocked)).toEqual(['branch completed', 'a blocked', 'b approved'])
  expect(states(stepStates(blocked, { isApproved: true, blocked: none }))[1]).toBe('a in_progress')
})

it('what a new version adds or changes is to be looked at, until it is approved', () => {
  const next = stepsOf(
    [
      { id: 'a', title: 'a', description: '' },
      { id: 'b', title: 'b', description: 'otherwise' },
      { id: 'c', title: 'c', description: '' },
    ],
    first,
    facts,
  )
  const marked = markChanged(first, next)
  expect(states(marked)).toEqual(['branch completed', 'a pending', 'b needs_review', 'c needs_review'])
  expect(states(stepStates(marked, { isApproved: false, blocked: none }))).toEqual(states(marked))
  expect(states(stepStates(marked, { isApproved: true, blocked: none })).slice(2)).toEqual(['b approved', 'c approved'])
  expect(markChanged([], first)).toEqual(first)
})
