import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DriftDecision,
  type DriftInput,
  type DriftState,
  decideDrift,
  levelOf,
  ON_GOAL,
  type Proof,
} from './recovery.ts'

const action = (score: number, more: { recovers?: boolean; proof?: Proof | undefined } = {}): DriftInput => ({
  type: 'action',
  score,
  recovers: false,
  proof: 'limit',
  ...more,
})
/** Only statistics speak against it. */
const doubtful = (score: number): DriftInput => action(score, { proof: undefined })

function having(...inputs: DriftInput[]) {
  return inputs.reduce((decision, input) => decideDrift(decision.state, input), {
    state: ON_GOAL,
  } as ReturnType<typeof decideDrift>)
}

describe('drift and recovery', () => {
  it.each([
    [10, undefined, true],
    [8, undefined, true],
    [7, 'nudge', true],
    [6, 'correct', true],
    [5, 'correct', true],
    [4, 'intervene', false],
    [3, 'intervene', false],
    [2, 'halt', false],
    [1, 'halt', false],
  ])('a first action with score %i is answered with %s, kept: %s', (score, level, keep) => {
    expect(having(action(score))).toMatchObject({ keep, ...(level && { level }) })
    expect(having(action(score)).level).toBe(level)
  })

  it('grows firmer when a correction is not followed, and calms down on good work', () => {
    expect(having(action(6)).level).toBe('correct')
    expect(having(action(6), action(5)).level).toBe('intervene')
    expect(having(action(6), action(5), action(4)).level).toBe('halt')
    expect(having(action(6), action(9), action(6)).level).toBe('correct')
  })

  it('keeps nothing while drifted, and everything again after recovery', () => {
    expect(having(action(3), action(2))).toMatchObject({ keep: false, state: { mode: 'drifted' } })
    expect(having(action(3), action(7))).toMatchObject({ keep: true, recovered: true, state: { mode: 'normal' } })
    expect(having(action(3), action(2, { recovers: true }))).toMatchObject({
      recovered: true,
      state: { mode: 'normal' },
    })
  })

  it('is forced after three failed recoveries, and lets go on the recovery step', () => {
    const stuck = [action(3), action(3), action(3), action(3)]
    expect(having(...stuck)).toMatchObject({ level: 'halt', state: { mode: 'forced' } })
    expect(having(...stuck, action(6)).state.mode).toBe('forced')
    expect(having(...stuck, action(6, { recovers: true })).state.mode).toBe('normal')
    expect(having(...stuck, action(9)).state.mode).toBe('normal')
  })

  it('never rejects, never grows firmer than a correction and never forces on statistics alone', () => {
    for (const score of [6, 5, 3, 1]) {
      const many = Array.from({ length: 8 }, () => doubtful(score))
      expect(having(...many)).toMatchObject({ keep: true, level: 'correct', state: { mode: 'normal' } })
    }
    expect(having(action(3), doubtful(5), doubtful(5), doubtful(5), doubtful(5))).toMatchObject({
      keep: true,
      level: 'correct',
      state: { mode: 'drifted', failedRecoveries: 0 },
    })
  })

  it('starts afresh whenever the user speaks', () => {
    fc.assert(
      fc.property(fc.array(anyAction), (actions) => {
        expect(having(...actions, { type: 'instruction' }).state).toEqual(ON_GOAL)
      }),
    )
  })

  it('never traps: from any state one good action leads back to normal', () => {
    fc.assert(
      fc.property(fc.array(anyAction), (actions) => {
        expect(having(...actions, action(10)).state.mode).toBe('normal')
      }),
    )
  })

  it('is forced only after at least four rejected actions', () => {
    fc.assert(
      fc.property(fc.array(anyAction), (actions) => {
        let state: DriftState = ON_GOAL
        let rejected = 0
        for (const input of actions) {
          const decision: DriftDecision = decideDrift(state, input)
          if (!decision.keep) rejected++
          if (decision.recovered) rejected = 0
          state = decision.state
          if (state.mode === 'forced') expect(rejected).toBeGreaterThanOrEqual(4)
        }
      }),
    )
  })

  it('names a level for every score', () => {
    expect([7, 6, 5, 4, 3, 2, 1].map(levelOf)).toEqual([
      'nudge',
      'correct',
      'correct',
      'intervene',
      'intervene',
      'halt',
      'halt',
    ])
  })
})

const anyAction = fc
  .record({
    score: fc.integer({ min: 1, max: 10 }),
    recovers: fc.boolean(),
    proof: fc.constantFrom(undefined, 'limit' as const, 'judge' as const),
  })
  .map(({ score, ...more }) => action(score, more))
