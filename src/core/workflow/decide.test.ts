import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decided, decide, type FlowEvent, isOver, isRunnable, MAX_FIXES } from './decide.ts'
import type { Carried, Flow } from './flow.ts'
import { HOLD_CHOICES, HOLD_KINDS, OFFERS } from './hold.ts'
import { waitsFor } from './waiting.ts'

const at = '2026-01-10T14:30:00.000Z'

const begun: Flow = {
  status: 'active',
  currentStage: 1,
  task: { type: 'discover' },
  hold: null,
  currentPlanVersion: 0,
  planHash: '',
  approval: null,
  startWhenClean: null,
  isClean: false,
  reviewCount: 0,
  recommendedReviews: 10,
  replanningCount: 0,
  carried: [],
  fixAttempts: 0,
  acceptsFailure: false,
  localReview: false,
  baseUpdate: 'rebase',
  mayPush: false,
}

const planned = follow(begun, { type: 'plan_proposed', version: 1, hash: 'h1', next: 'a', ciFailing: false })
const approveIt = { type: 'approve', hash: 'h1', signOff: true, open: 0, next: 'a', at } as const
const working = follow(planned, approveIt)
const reviewing = follow(working, { type: 'committed' }, { type: 'described' }, { type: 'published' })

function follow(flow: Flow, ...events: FlowEvent[]): Flow {
  return events.reduce((before, event) => flowOf(decide(before, event)), flow)
}

function flowOf(decided: Decided): Flow {
  if ('refused' in decided) throw new Error(decided.refused)
  return decided.flow
}

describe('from the form to the plan', () => {
  it('asks again and again before there is a plan, and stays in discovery', () => {
    const asked = follow(begun, { type: 'asked', validate: false })
    expect(asked).toMatchObject({ currentStage: 1, task: null })
    expect(follow(asked, { type: 'answered', carried: [] })).toMatchObject({
      currentStage: 1,
      task: { type: 'discover' },
    })
  })

  it('goes to the plan review with the first plan, and begins to review it', () => {
    expect(planned).toMatchObject({ currentStage: 2, task: { type: 'review' }, currentPlanVersion: 1 })
    expect(decide(begun, { type: 'plan_proposed', version: 1, hash: 'h1', next: 'a', ciFailing: false })).toMatchObject(
      {
        reason: 'plan_created',
      },
    )
  })

  it('works answers into the plan before the next review', () => {
    const answers = [{ from: 'answer', text: 'Use JWT' }] as const
    const asked = follow(planned, { type: 'reviewed', clean: false, next: 'a', at }, { type: 'asked', validate: true })
    expect(asked).toMatchObject({ reviewCount: 1, task: { type: 'validate' } })
    const revising = follow(
      asked,
      { type: 'validated', open: 1, ofReview: true, next: 'a', at },
      { type: 'answered', carried: [...answers] },
    )
    expect(revising).toMatchObject({ currentStage: 2, task: { type: 'revise' }, carried: answers, replanningCount: 0 })
    const next = follow(revising, { type: 'plan_proposed', version: 2, hash: 'h2', next: 'a', ciFailing: false })
    expect(next).toMatchObject({ task: { type: 'review' }, carried: [], planHash: 'h2' })
  })

  it('stops by itself after the recommended number of reviews, and waits for approval', () => {
    const full = follow(
      { ...planned, reviewCount: 9 },
      { type: 'reviewed', clean: false, next: 'a', at },
      { type: 'answered', carried: [] },
    )
    const last = follow(full, { type: 'plan_proposed', version: 2, hash: 'h2', next: 'a', ciFailing: false })
    expect(last).toMatchObject({ reviewCount: 10, task: null, currentStage: 2 })
    expect(waitsFor(last, [], at)).toMatchObject([{ kind: 'plan_approval' }])
  })
})

describe('approval', () => {
  it('needs a sign-off below the recommended number of reviews, and none from there on', () => {
    expect(decide(planned, { ...approveIt, signOff: false })).toEqual({ refused: 'signoff_required' })
    expect(working).toMatchObject({
      currentStage: 3,
      task: { type: 'implement', stepId: 'a' },
      approval: { planHash: 'h1', signedOff: true },
    })
    expect(follow({ ...planned, reviewCount: 10 }, { ...approveIt, signOff: false })).toMatchObject({ currentStage: 3 })
  })

  it('is for exactly one plan', () => {
    expect(decide(planned, { ...approveIt, hash: 'h0' })).toEqual({ refused: 'plan_changed' })
    expect(decide(begun, approveIt)).toEqual({ refused: 'plan_not_found' })
  })

  it('is void as soon as the plan is another', () => {
    const changed = follow(
      working,
      { type: 'answered', carried: [] },
      { type: 'plan_proposed', version: 2, hash: 'h2', next: 'b', ciFailing: false },
    )
    expect(changed).toMatchObject({ approval: null, startWhenClean: null, currentStage: 2 })
  })

  it('waits until answers are in the plan', () => {
    expect(decide(planned, { ...approveIt, open: 1 })).toEqual({ refused: 'not_possible_now' })
    expect(decide({ ...planned, task: { type: 'revise' } }, approveIt)).toEqual({ refused: 'not_possible_now' })
  })

  it.each([
    ['review', 'an approval', working, { type: 'reviewed', clean: true, next: 'a', at }],
    [
      'step',
      'a change request',
      follow(working, { type: 'comment', hash: 'h1', carried: [] }),
      { type: 'step_done', stepId: 'a' },
    ],
  ] satisfies [string, string, Flow, FlowEvent][])(
    'keeps the report of a %s that ends just after %s from taking its task away',
    (_, __, flow, late) => {
      expect(isRunnable(flow)).toBe(true)
      expect(decide(flow, late)).toEqual({ refused: 'not_possible_now' })
    },
  )

  it.each([
    ['Claude finds nothing', { type: 'reviewed', clean: true, next: 'a', at }],
    ['every concern is filtered', { type: 'validated', open: 0, ofReview: true, next: 'a', at }],
  ] satisfies [string, FlowEvent][])(
    'is only offered when %s, unless a person has consented for this plan',
    (_, event) => {
      const offered = follow(planned, event)
      expect(offered).toMatchObject({ currentStage: 2, task: null, isClean: true })
      expect(waitsFor(offered, [], at)).toMatchObject([{ kind: 'plan_approval' }])
      const consented = follow(planned, { type: 'consent', hash: 'h1', given: true, next: 'a', at }, event)
      expect(consented).toMatchObject({ currentStage: 3, approval: { planHash: 'h1' } })
    },
  )

  it('consent for a plan that is clean already starts it; consent for another plan is refused', () => {
    const offered = follow(planned, { type: 'reviewed', clean: true, next: 'a', at })
    expect(follow(offered, { type: 'consent', hash: 'h1', given: true, next: 'a', at })).toMatchObject({
      currentStage: 3,
    })
    expect(decide(offered, { type: 'consent', hash: 'h9', given: true, next: 'a', at })).toEqual({
      refused: 'plan_changed',
    })
  })
})

describe('implementation', () => {
  it('goes on with the next step, and checks when none is left', () => {
    const collecting = follow(working, { type: 'step_done', stepId: 'a' })
    expect(collecting.task).toEqual({ type: 'collect', stepId: 'a' })
    expect(follow(collecting, { type: 'collected', items: 0, next: 'b' }).task).toEqual({
      type: 'implement',
      stepId: 'b',
    })
    expect(follow(collecting, { type: 'collected', items: 0, next: null }).task).toEqual({ type: 'check' })
  })

  it('returns to the plan review with collected comments, and counts it', () => {
    const back = follow(working, { type: 'step_done', stepId: 'a' }, { type: 'collected', items: 2, next: 'b' })
    expect(back).toMatchObject({ currentStage: 2, task: null, replanningCount: 1 })
  })

  it('takes the answer to a blocker through the plan review, and goes on at once when the plan needs no change', () => {
    const blocked = follow(working, { type: 'asked', validate: false })
    expect(blocked).toMatchObject({ currentStage: 3, task: null })
    const revising = follow(blocked, { type: 'answered', carried: [{ from: 'blocker', text: 'Use the other API' }] })
    expect(revising).toMatchObject({ currentStage: 2, task: { type: 'revise' }, replanningCount: 1 })
    expect(follow(revising, { type: 'plan_kept', next: 'a', ciFailing: false })).toMatchObject({
      currentStage: 3,
      task: { type: 'implement', stepId: 'a' },
    })
  })

  it('fixes failing checks three times, then asks; each way out leads on', () => {
    let flow: Flow = { ...working, task: { type: 'check' } }
    for (let attempt = 1; attempt <= MAX_FIXES; attempt++) {
      flow = follow(flow, { type: 'checked', passed: false, detail: 'red', at })
      expect(flow).toMatchObject({ task: { type: 'fix' }, fixAttempts: attempt, hold: null })
      flow = follow(flow, { type: 'fixed' })
    }
    const held = follow(flow, { type: 'checked', passed: false, detail: 'red', at })
    expect(held.hold).toMatchObject({ kind: 'checks_failed', detail: 'red' })
    expect(follow(held, { type: 'choose', choice: 'guide', text: 'look at the clock' })).toMatchObject({
      task: { type: 'fix' },
      fixAttempts: 0,
      carried: [{ from: 'guidance', text: 'look at the clock' }],
    })
    expect(follow(held, { type: 'choose', choice: 'continue', text: '' })).toMatchObject({
      task: { type: 'commit' },
      acceptsFailure: true,
    })
    expect(follow(held, { type: 'choose', choice: 'pause', text: '' })).toMatchObject({ status: 'paused' })
    expect(decide(held, { type: 'choose', choice: 'guide', text: ' ' })).toEqual({ refused: 'choice_not_offered' })
  })

  it('reaches the pull request only with checks that pass, or that a person has let go', () => {
    expect(
      follow({ ...working, task: { type: 'check' } }, { type: 'checked', passed: true, detail: '', at }).task,
    ).toEqual({ type: 'commit' })
  })
})

describe('pull request and last word', () => {
  it('waits for review and CI, and goes to the final approval only when both are clear', () => {
    const watching = follow(reviewing, { type: 'pr_reviewed' })
    expect(watching.task).toEqual({ type: 'watch' })
    expect(follow(watching, { type: 'watched', failing: false, open: 0 })).toMatchObject({
      currentStage: 6,
      task: null,
    })
    expect(follow(watching, { type: 'watched', failing: true, open: 1 })).toMatchObject({ currentStage: 5, task: null })
    expect(follow(watching, { type: 'watched', failing: false, open: 2 })).toMatchObject({
      currentStage: 5,
      task: null,
    })
  })

  it('takes decisions about it back to the plan', () => {
    const watching = follow(reviewing, { type: 'pr_reviewed' }, { type: 'watched', failing: true, open: 1 })
    const revising = follow(watching, { type: 'answered', carried: [{ from: 'ci', text: 'fix the build' }] })
    expect(revising).toMatchObject({ currentStage: 2, task: { type: 'revise' }, replanningCount: 1 })
  })

  it('goes to the last word when accepted issues leave the plan as it is, but never with failing CI', () => {
    const issues = [{ from: 'pr_review', text: 'accept the risk' }] as const
    const revising = follow(reviewing, { type: 'answered', carried: [...issues] })
    expect(follow(revising, { type: 'plan_kept', next: null, ciFailing: false })).toMatchObject({ currentStage: 6 })
    expect(follow(revising, { type: 'plan_kept', next: null, ciFailing: true })).toMatchObject({ currentStage: 3 })
  })

  it.each([
    ['merge', { status: 'completed', task: null }],
    ['plan_changes', { currentStage: 2, task: { type: 'revise' }, replanningCount: 1 }],
    ['re_review', { currentStage: 5, task: { type: 'pr_review' } }],
  ] as const)('%s', (action, expected) => {
    const last: Flow = { ...reviewing, currentStage: 6, task: null }
    expect(follow(last, { type: 'final', action, feedback: 'look again' })).toMatchObject(expected)
    expect(decide(reviewing, { type: 'final', action, feedback: 'look again' })).toEqual({
      refused: 'not_possible_now',
    })
  })
})

describe('stopping and going on', () => {
  it('keeps what is to be done through a pause', () => {
    const paused = follow(working, { type: 'pause' })
    expect(isRunnable(paused)).toBe(false)
    expect(follow(paused, { type: 'resume' })).toEqual(working)
  })

  it('offers to go on after an interruption, with the same work', () => {
    const interrupted = follow(working, { type: 'interrupted', at })
    expect(interrupted).toMatchObject({ status: 'interrupted', hold: { kind: 'interrupted' } })
    expect(follow(interrupted, { type: 'resume' })).toEqual(working)
    expect(follow(interrupted, { type: 'choose', choice: 'resume', text: '' })).toEqual(working)
  })

  it('never resumes what was rolled back', () => {
    const gone = follow(working, { type: 'rolled_back' })
    expect(decide(gone, { type: 'resume' })).toEqual({ refused: 'not_possible_now' })
    expect(isOver(gone)).toBe(true)
  })

  it('every hold has a way out that lets the session go on or ends it', () => {
    for (const kind of HOLD_KINDS) {
      const held = follow(working, { type: 'held', hold: { kind, message: 'm', detail: null, since: at, until: at } })
      const ways = OFFERS[kind].filter(({ choice }) => choice !== 'rollback' && choice !== 'wait')
      for (const { choice } of ways) expect(follow(held, { type: 'choose', choice, text: 'words' }).hold).toBeNull()
      expect(ways.length, kind).toBeGreaterThan(0)
    }
  })
})

describe('whatever happens', () => {
  const step = fc.constantFrom('a', 'b', null)
  const carried = fc.constant([]).map((): Carried[] => [{ from: 'answer', text: 'x' }])
  const hash = fc.constantFrom('h1', 'h2', 'h3')
  const flag = fc.boolean()
  const event: fc.Arbitrary<FlowEvent> = fc.oneof(
    fc.record({ type: fc.constant('plan_proposed' as const), version: fc.nat(9), hash, next: step, ciFailing: flag }),
    fc.record({ type: fc.constant('plan_kept' as const), next: step, ciFailing: flag }),
    fc.record({ type: fc.constant('asked' as const), validate: flag }),
    fc.record({
      type: fc.constant('validated' as const),
      open: fc.nat(2),
      ofReview: flag,
      next: step,
      at: fc.constant(at),
    }),
    fc.record({ type: fc.constant('answered' as const), carried }),
    fc.record({ type: fc.constant('reviewed' as const), clean: flag, next: step, at: fc.constant(at) }),
    fc.record({ type: fc.constant('collected' as const), items: fc.nat(2), next: step }),
    fc.record({ type: fc.constant('checked' as const), passed: flag, detail: fc.constant('d'), at: fc.constant(at) }),
    fc.constantFrom<FlowEvent>(
      { type: 'pause' },
      { type: 'resume' },
      { type: 'committed' },
      { type: 'published' },
      { type: 'time_came' },
    ),
    fc.record({ type: fc.constant('watched' as const), failing: flag, open: fc.nat(1) }),
    fc.record({
      type: fc.constant('approve' as const),
      hash,
      signOff: flag,
      open: fc.nat(1),
      next: step,
      at: fc.constant(at),
    }),
    fc.record({ type: fc.constant('consent' as const), hash, given: flag, next: step, at: fc.constant(at) }),
    fc.record({
      type: fc.constant('choose' as const),
      choice: fc.constantFrom(...HOLD_CHOICES),
      text: fc.constantFrom('', 'w'),
    }),
    fc.record({
      type: fc.constant('final' as const),
      action: fc.constantFrom('merge' as const, 'plan_changes' as const, 're_review' as const),
      feedback: fc.constant('f'),
    }),
  )

  it('an approval is always for the plan as it is, stages stay in their range, and counts never fall', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let flow = begun
        for (const next of events) {
          const decided = decide(flow, next)
          if ('refused' in decided) continue
          const { flow: now } = decided
          expect(now.reviewCount).toBeGreaterThanOrEqual(flow.reviewCount)
          expect(now.replanningCount).toBeGreaterThanOrEqual(flow.replanningCount)
          expect(now.fixAttempts).toBeLessThanOrEqual(MAX_FIXES)
          if (now.approval) expect(now.approval.planHash).toBe(now.planHash)
          if (now.task?.type === 'implement' && now !== flow && next.type === 'approve')
            expect(now.approval).not.toBeNull()
          flow = now
        }
      }),
    )
  })
})
