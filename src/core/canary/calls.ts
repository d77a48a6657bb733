import type { Finding } from './finding.ts'
import { isEmpty, NO_OWNED_IDS, type OwnedIds, ownerOf, withOwned } from './owned-ids.ts'

/** What became of the tool calls of the main conversation, as the proxy and the hooks report it. */
export interface Calls {
  /** The calls of the newest answer: the next request must bring the result of one of them. */
  readonly owed: readonly string[]
  /** How many requests in a row brought none of the results that were owed. */
  readonly unsettled: number
  /** Calls that hooks reported before they ran, and after. */
  readonly before: OwnedIds<true>
  readonly after: OwnedIds<true>
  /** Calls that ran, as the proxy saw, and that hooks reported only before they ran. */
  readonly halfTold: number
  /** Requests in a row with results of calls that no hook has reported, while calls that hooks did report are awaited. */
  readonly strangers: number
  /** Calls that hooks reported and the proxy has not seen yet, with the ends of turns since. */
  readonly awaited: readonly { readonly id: string; readonly stops: number }[]
}

/** What one request and its answer say about calls; expensive facts are read only when a rule needs them. */
export interface SeenCalls {
  readonly asker: string
  /** The calls whose results the newest user message brings. */
  readonly results: readonly string[]
  /** The calls of the newest answer in the request whose results have come. */
  readonly settled: readonly { readonly id: string; readonly ran: boolean }[]
  /** The previous request sent again: the answer to that one is not part of it. */
  readonly repeats: boolean
  readonly answer: {
    readonly toolUses: readonly string[]
    /** It came to its end. */
    readonly complete: boolean
  }
}

interface Compared {
  readonly calls: Calls
  readonly findings: Finding[]
}

export const NO_CALLS: Calls = {
  owed: [],
  unsettled: 0,
  before: NO_OWNED_IDS,
  after: NO_OWNED_IDS,
  halfTold: 0,
  strangers: 0,
  awaited: [],
}

/** The same sign in two requests in a row is no accident. */
const TWICE = 2
const MOST_AWAITED = 20
/** A few calls may be the client's own, made without the model. */
const TOO_MANY = 3

export function afterTurn(before: Calls, turn: SeenCalls): Compared {
  const paid = settled(before, turn)
  const told = comparedWithHooks(paid.calls, turn)
  return { calls: told.calls, findings: [...paid.findings, ...told.findings] }
}

/** What an answer asks for comes back in the next request, with its result. Only a user who goes back in time breaks that. */
function settled(before: Calls, turn: SeenCalls): Compared {
  const { asker, answer } = turn
  if (asker === 'compaction') return { calls: { ...before, owed: [], unsettled: 0 }, findings: [] }
  if (asker !== 'main') return { calls: before, findings: [] }
  const owed = answer.complete ? answer.toolUses : []
  if (before.owed.length === 0) return { calls: { ...before, owed }, findings: [] }
  const isPaid = turn.repeats || turn.settled.some(({ id }) => before.owed.includes(id))
  const unsettled = isPaid ? 0 : before.unsettled + 1
  return { calls: { ...before, owed, unsettled }, findings: unsettled === TWICE ? [{ kind: 'no-results' }] : [] }
}

/** Proxy and hooks see the same calls, under the same ids. */
function comparedWithHooks(before: Calls, turn: SeenCalls): Compared {
  if (isEmpty(before.before) && isEmpty(before.after)) return { calls: before, findings: [] }
  const { asker, answer, results } = turn
  const findings: Finding[] = []
  const awaited = before.awaited.filter(({ id }) => !answer.toolUses.includes(id))
  const isLate = awaited.some(({ id }) => results.includes(id))
  const ran = asker === 'main' ? turn.settled.filter((one) => one.ran) : []
  const areStrangers = ran.length > 0 && awaited.length > 0 && !ran.some(({ id }) => isTold(before, id))
  const strangers = areStrangers ? before.strangers + 1 : ran.length > 0 ? 0 : before.strangers
  if (isLate || (areStrangers && strangers === TWICE)) findings.push({ kind: 'unseen-tool-use' })

  const half = isEmpty(before.after) ? ran.filter(({ id }) => ownerOf(before.before, id)).length : 0
  const halfTold = before.halfTold + half
  if (before.halfTold < TWICE && halfTold >= TWICE) findings.push({ kind: 'missing-event', subject: 'PostToolUse' })
  const stillAwaited = awaited.filter(({ id }) => !results.includes(id))
  return { calls: { ...before, strangers, halfTold, awaited: stillAwaited }, findings }
}

function isTold({ before, after }: Calls, id: string): boolean {
  return ownerOf(before, id) !== undefined || ownerOf(after, id) !== undefined
}

/** A hook reported a call that is about to run. */
export function beforeCall(calls: Calls, id: string): Calls {
  return { ...calls, before: withOwned(calls.before, [id], true) }
}

/** A hook reported a call that has run; one that the proxy should have seen is awaited. */
export function afterCall(before: Calls, id: string, { isUnseen }: { isUnseen: boolean }): Calls {
  const calls = { ...before, after: withOwned(before.after, [id], true as const) }
  if (!isUnseen || calls.awaited.some((one) => one.id === id)) return calls
  return { ...calls, awaited: [...calls.awaited, { id, stops: 0 }].slice(-MOST_AWAITED) }
}

/** A turn has ended; calls of the turn before it must have come by. */
export function afterStop(before: Calls): Compared {
  const awaited = before.awaited.map(({ id, stops }) => ({ id, stops: stops + 1 }))
  const areOverdue = awaited.filter(({ stops }) => stops > 1).length >= TOO_MANY
  if (!areOverdue) return { calls: { ...before, awaited }, findings: [] }
  return { calls: { ...before, awaited: [] }, findings: [{ kind: 'unseen-tool-use' }] }
}
