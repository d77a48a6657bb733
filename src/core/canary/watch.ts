import { afterCall, afterStop, afterTurn, beforeCall, type Calls, NO_CALLS, type SeenCalls } from './calls.ts'
import type { Finding } from './finding.ts'
import { NO_OWNED_IDS, type OwnedIds, ownerOf, withOwned } from './owned-ids.ts'

/**
 * What is watched in one run of the client in one session, to compare what the attachments see. A rule speaks only where
 * it cannot be explained by having joined late: a session that was not proxied from the start, a restart in between.
 */
export interface Watch {
  /** When the first answer came through the proxy. */
  readonly since?: number
  /** Answers that came through the proxy, by message id. */
  readonly answers: OwnedIds<Asker>
  /** Tool calls in those answers, subagents' left out. */
  readonly toolUses: OwnedIds<Asker>
  /** Requests of others that offered the agent tool while no main request was seen. */
  readonly offers: number
  readonly mains: number
  /** An earlier process saw a main request. */
  readonly mainBefore: boolean
  readonly opening: Opening
  readonly calls: Calls
  /** Whether the transcript has shown anything, and an answer. */
  readonly transcript: 'unseen' | 'without answers' | 'understood'
  /** How many turns have ended. */
  readonly stops: number
  /** Answers in the transcript that the proxy has not seen yet. */
  readonly awaitedAnswers: readonly string[]
}

/** The first turn: what its main requests have told so far. */
type Opening =
  | { readonly status: 'unseen' | 'judged' }
  | { readonly status: 'open'; readonly mains: number; readonly folder: boolean; readonly instruction: boolean }

/** Whose request it was taken for. */
export type Asker = 'main' | 'doubtful' | 'subagent' | 'agent-hook' | 'compaction' | 'side'

/** One request and its answer, as the proxy saw them. Facts that cost something are looked up when they are asked for. */
export interface SeenTurn extends SeenCalls {
  readonly asker: Asker
  readonly at: number
  readonly offersAgent: boolean
  /** Nothing was answered before this request: the conversation begins with it. */
  readonly begins: boolean
  /** The request says which folder the client works in, or is of a kind that need not. */
  readonly folder: boolean
  /** The request holds the user's own words, or is of a kind that need not. */
  readonly instruction: boolean
  readonly answer: SeenCalls['answer'] & { readonly id: string }
}

/** An answer of the main conversation, as the transcript has it. */
export interface TranscribedAnswer {
  readonly id: string
  readonly at: number
}

/** What was read of the transcript since the last time. */
export interface Transcription {
  readonly answers: readonly TranscribedAnswer[]
  /** A line of it was understood to be the agent's. */
  readonly isUnderstood: boolean
}

export interface Noticed {
  readonly watch: Watch
  readonly findings: readonly Finding[]
}

/** Nothing seen yet. */
export function newWatch({ mainBefore }: Pick<Watch, 'mainBefore'>): Watch {
  return {
    mainBefore,
    answers: NO_OWNED_IDS,
    toolUses: NO_OWNED_IDS,
    offers: 0,
    mains: 0,
    opening: { status: 'unseen' },
    calls: NO_CALLS,
    transcript: 'unseen',
    stops: 0,
    awaitedAnswers: [],
  }
}

const MOST_AWAITED = 20
/** So many requests are enough to judge by. */
const ENOUGH = 3
/** And so many turns. */
const TURNS = 2

export function noticeTurn(before: Watch, turn: SeenTurn): Noticed {
  const { asker, answer } = turn
  const findings: Finding[] = []
  if (turn.results.some((id) => wasMissed(ownerOf(before.toolUses, id), asker))) findings.push({ kind: 'main-missed' })

  const isMain = asker === 'main' || asker === 'doubtful'
  const mains = before.mains + (isMain ? 1 : 0)
  const mayBeMain = asker === 'side' || asker === 'subagent'
  const offers = before.offers + (mains === 0 && mayBeMain && turn.offersAgent ? 1 : 0)
  if (mains === 0 && !before.mainBefore && offers >= ENOUGH) findings.push({ kind: 'no-main' })
  const { opening, findings: missing } = isMain ? heardAtOpening(before.opening, turn) : unchanged(before.opening)
  const { calls, findings: uncalled } = afterTurn(before.calls, turn)

  const uses = asker === 'subagent' ? [] : answer.toolUses
  return {
    watch: {
      ...before,
      calls,
      since: before.since ?? turn.at,
      answers: withOwned(before.answers, [answer.id], asker),
      toolUses: withOwned(before.toolUses, uses, asker),
      offers,
      mains,
      opening,
    },
    findings: [...findings, ...missing, ...uncalled],
  }
}

/** Only the main conversation's calls, and those of an agent hook in its own requests, have results that are sent back. */
function wasMissed(owner: Asker | undefined, bringer: Asker): boolean {
  return owner === 'side' || owner === 'compaction' || (owner === 'agent-hook' && bringer !== 'agent-hook')
}

function unchanged(opening: Opening): { opening: Opening; findings: Finding[] } {
  return { opening, findings: [] }
}

function heardAtOpening(before: Opening, turn: SeenTurn): { opening: Opening; findings: Finding[] } {
  if (before.status === 'judged') return unchanged(before)
  // Where the beginning was missed, so was what it told.
  if (before.status === 'unseen' && !turn.begins) return unchanged({ status: 'judged' })
  const known = before.status === 'open' ? before : { mains: 0, folder: false, instruction: false }
  const mains = known.mains + 1
  const folder = known.folder || turn.folder
  const instruction = known.instruction || turn.instruction
  if (folder && instruction) return unchanged({ status: 'judged' })
  const ends = turn.answer.complete && turn.answer.toolUses.length === 0
  if (!ends && mains < ENOUGH) return unchanged({ status: 'open', mains, folder, instruction })
  const findings: Finding[] = []
  if (!folder) findings.push({ kind: 'no-folder' })
  if (!instruction) findings.push({ kind: 'no-instruction' })
  return { opening: { status: 'judged' }, findings }
}

/**
 * The transcript lists answers in the order in which they were given, and the main conversation gives one after the
 * other: when a later one has come through the proxy, an earlier one never will.
 */
export function noticeTranscript(before: Watch, { answers: told, isUnderstood }: Transcription): Noticed {
  const { since } = before
  const transcript = isUnderstood || before.transcript === 'understood' ? 'understood' : 'without answers'
  if (since === undefined) return { watch: { ...before, transcript }, findings: [] }
  const findings: Finding[] = []
  let awaited = before.awaitedAnswers
  for (const { id, at } of told) {
    const owner = ownerOf(before.answers, id)
    if (owner === 'side' || owner === 'agent-hook' || owner === 'subagent') findings.push({ kind: 'main-missed' })
    if (owner === undefined) {
      if (at > since && !awaited.includes(id)) awaited = [...awaited, id].slice(-MOST_AWAITED)
      continue
    }
    if (awaited.some((one) => one !== id && ownerOf(before.answers, one) === undefined))
      findings.push({ kind: 'unseen-answer' })
    awaited = []
  }
  return { watch: { ...before, transcript, awaitedAnswers: awaited }, findings }
}

/** A tool of the main conversation is about to run. */
export function noticeToolStarts(before: Watch, id: string): Watch {
  return { ...before, calls: beforeCall(before.calls, id) }
}

/** A tool of the main conversation has run. Only where the proxy has seen that conversation can it have missed the call. */
export function noticeToolRan(before: Watch, id: string): Watch {
  const isUnseen = before.mains > 0 && ownerOf(before.toolUses, id) === undefined
  return { ...before, calls: afterCall(before.calls, id, { isUnseen }) }
}

/** The end of this turn would show that the transcript is not understood, unless it has told of an answer by then. */
export function missesAnswers({ stops, transcript, mainBefore }: Watch): boolean {
  return stops + 1 === TURNS && transcript === 'without answers' && !mainBefore
}

/** A turn has ended. By the end of the second the transcript must have told of an answer; the newest may be written late. */
export function noticeStop(before: Watch): Noticed {
  const stops = before.stops + 1
  const isUnread = missesAnswers(before)
  const { calls, findings } = afterStop(before.calls)
  return {
    watch: { ...before, stops, calls },
    findings: [...(isUnread ? [{ kind: 'unreadable-transcript' } as const] : []), ...findings],
  }
}
