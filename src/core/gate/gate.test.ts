import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type Gate, type GateEvent, type GateLimits, IDLE } from './gate.ts'

const limits: GateLimits = {
  maxBlocks: 3,
  cooldownMs: 300_000,
  autoSkip: { enabled: true, lineThreshold: 5, decider: 'agent' },
  asks: true,
  session: { lines: 40, files: 3, tests: 1 },
}
const always: GateLimits = { ...limits, autoSkip: { ...limits.autoSkip, decider: 'always' } }
const { breaker } = IDLE
const tripping = { blocks: 3, lastBlockedAt: 1000, lastBlockedSession: 's' }

const states: Record<string, Gate> = {
  idle: IDLE,
  active: { status: 'active', ticket: 'T-1', closing: false, breaker },
  pending: { status: 'pending', ticket: 'T-1', breaker },
  blocked: { status: 'blocked', ticket: 'T-1', breaker: { blocks: 1, lastBlockedAt: 1000, lastBlockedSession: 's' } },
  tripping: { status: 'blocked', ticket: 'T-1', breaker: tripping },
  reflected: { status: 'reflected', ticket: 'T-1', breaker },
  skipped: { status: 'skipped', ticket: 'T-1', reason: 'trivial', decider: 'agent', breaker },
}
const stop = (lines: number, at = 2000, sessionId = 's') => {
  return { type: 'stop', at, sessionId, change: { lines, files: 3, tests: 0 }, isRetry: false } satisfies GateEvent
}
const events: Record<string, GateEvent> = {
  'ticket-detected': { type: 'ticket-detected', ticket: 'T-1' },
  'another ticket detected': { type: 'ticket-detected', ticket: 'T-2' },
  'close-intended': { type: 'close-intended' },
  'close-confirmed': { type: 'close-confirmed' },
  'close-failed': { type: 'close-failed' },
  'stop, large change': stop(50),
  'stop, small change': stop(2),
  'stop, no change': stop(0),
  reflected: { type: 'reflected' },
  skip: { type: 'skip', reason: 'nothing new', decider: 'agent' },
  'session-ended': { type: 'session-ended' },
}

/** Every pair; what is not named keeps its state and lets the agent go. */
const table: Record<string, Record<string, string>> = {
  idle: {
    'ticket-detected': 'active',
    'another ticket detected': 'active',
    'stop, large change': 'blocked, block',
    reflected: 'reflected',
    skip: 'skipped',
  },
  active: {
    'close-confirmed': 'pending',
    reflected: 'reflected',
    'session-ended': 'idle',
  },
  pending: {
    'stop, large change': 'blocked, block',
    'stop, small change': 'blocked, block',
    'stop, no change': 'blocked, block',
    reflected: 'reflected',
    skip: 'skipped',
  },
  blocked: {
    'stop, large change': 'blocked, block',
    'stop, small change': 'blocked, block',
    'stop, no change': 'blocked, block',
    reflected: 'reflected',
    skip: 'skipped',
  },
  tripping: {
    'stop, large change': 'idle',
    'stop, small change': 'idle',
    'stop, no change': 'idle',
    reflected: 'reflected',
    skip: 'skipped',
  },
  reflected: {
    'another ticket detected': 'active',
    'stop, large change': 'blocked, block',
  },
  skipped: {
    'another ticket detected': 'active',
    'stop, large change': 'blocked, block',
    reflected: 'reflected',
  },
}

const pairs = Object.keys(states).flatMap((state) =>
  Object.keys(events).map((event) => {
    const stays = state === 'tripping' ? 'blocked' : state
    return [state, event, table[state]![event] ?? stays] as const
  }),
)

describe('the gate', () => {
  it.each(pairs)('%s, %s → %s', (state, event, expected) => {
    const { gate, verdict } = decide(states[state]!, events[event]!, limits)
    expect(verdict === 'block' ? `${gate.status}, block` : gate.status).toBe(expected)
  })

  it('remembers which ticket it is about, and that its closing is under way', () => {
    const active = decide(IDLE, { type: 'ticket-detected', ticket: 'T-9' }, limits).gate
    expect(decide(active, { type: 'close-intended' }, limits).gate).toMatchObject({ closing: true })
    expect(decide(active, { type: 'close-confirmed' }, limits).gate).toMatchObject({ status: 'pending', ticket: 'T-9' })
  })

  it('asks again for the next ticket of the same session, and not twice for one', () => {
    const next = decide(states.reflected!, { type: 'ticket-detected', ticket: 'T-2' }, limits).gate
    expect(next).toMatchObject({ status: 'active', ticket: 'T-2' })
    const early = decide(states.active!, { type: 'reflected' }, limits).gate
    expect(decide(early, { type: 'ticket-detected', ticket: 'T-1' }, limits).gate.status).toBe('reflected')
    expect(decide(early, { type: 'close-confirmed' }, limits).gate.status).toBe('reflected')
  })

  it('follows the agent from one ticket to another', () => {
    expect(decide(states.active!, { type: 'ticket-detected', ticket: 'T-2' }, limits).gate).toMatchObject({
      status: 'active',
      ticket: 'T-2',
    })
  })

  it('skips a small change by itself only when told to', () => {
    expect(decide(states.pending!, stop(2), always)).toMatchObject({
      note: 'auto-skipped',
      gate: { status: 'skipped' },
    })
    expect(decide(states.pending!, stop(9), always).verdict).toBe('block')
    const never: GateLimits = { ...always, autoSkip: { ...limits.autoSkip, decider: 'never' } }
    expect(decide(states.pending!, stop(2), never).verdict).toBe('block')
  })

  it('asks without a ticket after substantial work, and again only after more of it', () => {
    const one = (lines: number, tests: number): GateEvent => ({ ...stop(lines), change: { lines, files: 1, tests } })
    expect(decide(IDLE, one(500, 0), limits)).toMatchObject({ verdict: 'approve', note: 'small change' })
    expect(decide(IDLE, one(40, 1), limits).verdict).toBe('block')
    expect(decide(IDLE, stop(39), limits).verdict).toBe('approve')
    expect(decide(IDLE, stop(40), limits).verdict).toBe('block')
    expect(decide(states.reflected!, stop(40), limits).gate).toMatchObject({ status: 'blocked' })
    expect(decide(states.reflected!, stop(39), limits).gate).toBe(states.reflected)
  })

  it('never asks without a ticket when only tickets count', () => {
    const tickets = { ...limits, session: undefined }
    expect(decide(IDLE, stop(500), tickets).verdict).toBe('approve')
    expect(decide(states.reflected!, stop(500), tickets).gate).toBe(states.reflected)
  })

  it.each(Object.keys(states))('never holds up a run whose last answer is its result (%s)', (state) => {
    const decision = decide(states[state]!, stop(500), { ...limits, asks: false })
    expect(decision).toEqual({ gate: states[state], verdict: 'approve' })
  })

  it("takes an item of the client's own list for a ticket only when work was done under it", () => {
    const task = (lines: number): GateEvent => ({ ...stop(lines), isAboutTask: true })
    expect(decide(states.pending!, task(0), limits)).toMatchObject({ verdict: 'approve', gate: { status: 'idle' } })
    expect(decide(states.pending!, task(1), limits).verdict).toBe('block')
  })

  it('gives up after the third block, so nobody is trapped', () => {
    expect(decide(states.tripping!, stop(50), limits)).toMatchObject({ verdict: 'approve', note: 'breaker tripped' })
  })

  it('gives up once, and is silent about the same work until the cooldown is over', () => {
    const { gate } = decide(states.tripping!, stop(50), limits)
    expect(decide(gate, stop(50), limits)).toEqual({ gate, verdict: 'approve' })
    expect(decide(gate, stop(50, 1000 + 300_000), limits).verdict).toBe('block')
  })

  it('starts counting anew after the cooldown, in another session, and after a reflection', () => {
    expect(decide(states.tripping!, stop(50, 1000 + 300_000), limits).verdict).toBe('block')
    expect(decide(states.tripping!, stop(50, 2000, 'other'), limits).verdict).toBe('block')
    expect(decide(states.tripping!, { type: 'reflected' }, limits).gate.breaker.blocks).toBe(0)
  })

  it('never blocks more than max_blocks times in a row, however long the agent works on in between', () => {
    const pauses = fc.array(fc.nat(1_000_000), { minLength: 10, maxLength: 20 })
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 5 }), (times, maxBlocks) => {
        let gate = states.pending!
        let at = 0
        const verdicts = times.map((pause, index) => {
          at += pause
          const decision = decide(gate, { ...stop(50, at), isRetry: index > 0 }, { ...limits, maxBlocks })
          gate = decision.gate
          return decision.verdict
        })
        expect(verdicts.lastIndexOf('block')).toBe(maxBlocks - 1)
      }),
    )
  })

  it('never blocks more than max_blocks times in a row within the cooldown, whatever happens', () => {
    const anyEvent = fc.oneof(
      fc.constantFrom(...Object.values(events).filter(({ type }) => type !== 'stop')),
      fc.nat(80).map((lines) => stop(lines)),
    )
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (sequence, maxBlocks) => {
        let gate: Gate = IDLE
        let inARow = 0
        for (const event of sequence) {
          const decision = decide(gate, event, { ...limits, maxBlocks })
          gate = decision.gate
          if (event.type === 'stop') inARow = decision.verdict === 'block' ? inARow + 1 : 0
          if (event.type === 'reflected') inARow = 0
          expect(inARow).toBeLessThanOrEqual(maxBlocks)
        }
        // Never stuck: stopping again and again always ends in approval.
        let stops = 0
        while (decide(gate, stop(50), { ...limits, maxBlocks }).verdict === 'block') {
          gate = decide(gate, stop(50), { ...limits, maxBlocks }).gate
          expect(++stops).toBeLessThanOrEqual(maxBlocks)
        }
      }),
    )
  })
})
