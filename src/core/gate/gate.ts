import { type ChangeSize, isSubstantial, type SubstantialWork } from './own-work.ts'

/**
 * The reflection gate: before an agent leaves finished work, it says what is worth keeping, or why nothing is.
 * One pure function; every row of the table in `gate.test.ts` is one branch here.
 */
export type Gate = { breaker: Breaker } & (
  | { status: 'idle' }
  | { status: 'active'; ticket: string; closing: boolean }
  | { status: 'pending'; ticket?: string }
  | { status: 'blocked'; ticket?: string }
  | { status: 'reflected'; ticket?: string }
  | { status: 'skipped'; ticket?: string; reason: string; decider: SkipDecider }
)

/** Counts blocks in a row, so that an agent is never trapped. */
export interface Breaker {
  blocks: number
  lastBlockedAt: number
  lastBlockedSession?: string
}

export type SkipDecider = 'agent' | 'rule' | 'user'

export type GateEvent =
  | { type: 'ticket-detected'; ticket: string }
  /** The tool that closes the ticket is about to run; it may still fail. */
  | { type: 'close-intended' }
  | { type: 'close-confirmed' }
  | { type: 'close-failed' }
  /** `change`: its own work since it was last asked. `isRetry`: it was stopped a moment ago, however long it has worked on. */
  | { type: 'stop'; at: number; sessionId: string; change: ChangeSize; isRetry: boolean; isAboutTask?: boolean }
  | { type: 'reflected' }
  | { type: 'skip'; reason: string; decider: SkipDecider }
  | { type: 'session-ended' }

export interface GateLimits {
  /** Whether agents may be asked at all: never in a headless run, whose last answer is its result, unless that is wanted. */
  asks: boolean
  maxBlocks: number
  cooldownMs: number
  autoSkip: { enabled: boolean; lineThreshold: number; decider: 'agent' | 'always' | 'never' }
  /** Whether a stop without any ticket counts as the end of work, and after how much of it. */
  session: SubstantialWork | undefined
}

export interface Decision {
  gate: Gate
  verdict: 'approve' | 'block'
  /** What happened beyond the plain transition, for the trace and the stats. */
  note?: 'breaker tripped' | 'auto-skipped' | 'small change'
}

export const IDLE: Gate = { status: 'idle', breaker: { blocks: 0, lastBlockedAt: 0 } }

export function decide(gate: Gate, event: GateEvent, limits: GateLimits): Decision {
  switch (event.type) {
    case 'ticket-detected':
      return approve(isFree(gate, event.ticket) ? active(gate, event.ticket) : gate)
    case 'close-intended':
      return approve(gate.status === 'active' ? { ...gate, closing: true } : gate)
    case 'close-failed':
      return approve(gate.status === 'active' ? { ...gate, closing: false } : gate)
    case 'close-confirmed':
      return approve(gate.status === 'active' ? { ...rest(gate), status: 'pending', ticket: gate.ticket } : gate)
    case 'stop':
      return onStop(gate, event, limits)
    case 'reflected':
      // Also unasked: an agent that reflects before it is stopped need not do it again.
      return approve({ status: 'reflected', ...ticketOf(gate), breaker: IDLE.breaker })
    case 'skip':
      return approve(isWaiting(gate) || gate.status === 'idle' ? skipped(gate, event.reason, event.decider) : gate)
    case 'session-ended':
      return approve(gate.status === 'active' ? { ...rest(gate), status: 'idle' } : gate)
  }
}

type Stop = Extract<GateEvent, { type: 'stop' }>
type Waiting = Extract<Gate, { status: 'pending' | 'blocked' }>

export function isWaiting(gate: Gate): gate is Waiting {
  return gate.status === 'pending' || gate.status === 'blocked'
}

/** Whether work on this ticket starts something new; what waits for a reflection goes on waiting. */
function isFree(gate: Gate, ticket: string): boolean {
  if (gate.status === 'idle') return true
  return !isWaiting(gate) && gate.ticket !== ticket
}

function active(gate: Gate, ticket: string): Gate {
  return { ...rest(gate), status: 'active', ticket, closing: false }
}

/** Why a rule lets an agent go without a reflection. */
export function autoSkipReason({ lines }: ChangeSize): string {
  return `auto: ${lines} ${lines === 1 ? 'line' : 'lines'} changed`
}

function onStop(gate: Gate, stop: Stop, limits: GateLimits): Decision {
  if (!limits.asks) return approve(gate)
  if (isWaiting(gate)) {
    // An item of the client's own list is a ticket only when work was done under it.
    if (gate.status === 'pending' && stop.isAboutTask && stop.change.lines === 0) {
      return approve({ ...rest(gate), status: 'idle' })
    }
    if (gate.status === 'pending' && isSmall(stop.change, limits) && limits.autoSkip.decider === 'always') {
      return { gate: skipped(gate, autoSkipReason(stop.change), 'rule'), verdict: 'approve', note: 'auto-skipped' }
    }
    return blockOrTrip(gate, stop, limits)
  }
  if (gate.status === 'active' || !limits.session || stop.change.lines === 0) return approve(gate)
  if (!isSubstantial(stop.change, limits.session)) return { gate, verdict: 'approve', note: 'small change' }
  // An agent that was let go a moment ago is not asked again, and that is no news either.
  const { blocks } = cooled(gate.breaker, stop, limits)
  return blocks >= limits.maxBlocks ? approve(gate) : blockOrTrip({ ...rest(gate), status: 'pending' }, stop, limits)
}

function blockOrTrip(gate: Waiting, stop: Stop, limits: GateLimits): Decision {
  const breaker = cooled(gate.breaker, stop, limits)
  if (breaker.blocks >= limits.maxBlocks) {
    return { gate: { status: 'idle', breaker }, verdict: 'approve', note: 'breaker tripped' }
  }
  const counted = { blocks: breaker.blocks + 1, lastBlockedAt: stop.at, lastBlockedSession: stop.sessionId }
  return { gate: { ...gate, status: 'blocked', breaker: counted }, verdict: 'block' }
}

/** A pause, or another session, makes it a new matter. Working on for long because it was stopped is no pause. */
function cooled(breaker: Breaker, { at, sessionId, isRetry }: Stop, { cooldownMs }: GateLimits): Breaker {
  const sameSession = breaker.lastBlockedSession === undefined || breaker.lastBlockedSession === sessionId
  return sameSession && (isRetry || at - breaker.lastBlockedAt < cooldownMs) ? breaker : IDLE.breaker
}

function isSmall({ lines }: ChangeSize, { autoSkip }: GateLimits): boolean {
  return autoSkip.enabled && autoSkip.decider !== 'never' && lines < autoSkip.lineThreshold
}

function skipped(gate: Gate, reason: string, decider: SkipDecider): Gate {
  return { ...rest(gate), ...ticketOf(gate), status: 'skipped', reason, decider }
}

function ticketOf(gate: Gate): { ticket?: string } {
  return 'ticket' in gate && gate.ticket !== undefined ? { ticket: gate.ticket } : {}
}

function rest({ breaker }: Gate): { breaker: Breaker } {
  return { breaker }
}

function approve(gate: Gate): Decision {
  return { gate, verdict: 'approve' }
}
