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
  /** Side requests that offered the agent tool while no main request was seen. */
  readonly offers: number
  readonly mains: number
  /** An earlier process saw a main request. */
  readonly mainBefore: boolean
  readonly opening: Opening
  /** Answers in the transcript that the proxy has not seen yet. */
  readonly awaitedAnswers: readonly string[]
  /** Tool calls that hooks told of and the proxy has not seen yet, with the ends of turns since. */
  readonly awaitedToolUses: readonly { readonly id: string; readonly stops: number }[]
}

/** The first turn: what its main requests have told so far. */
type Opening =
  | { readonly status: 'unseen' | 'judged' }
  | { readonly status: 'open'; readonly mains: number; readonly folder: boolean; readonly instruction: boolean }

/** Whose request it was taken for. */
export type Asker = 'main' | 'doubtful' | 'subagent' | 'agent-hook' | 'compaction' | 'side'

/** One request and its answer, as the proxy saw them. Facts that cost something are looked up when they are asked for. */
export interface SeenTurn {
  readonly asker: Asker
  readonly at: number
  readonly offersAgent: boolean
  /** The tool calls whose results the newest user message brings. */
  readonly results: readonly string[]
  /** Nothing was answered before this request: the conversation begins with it. */
  readonly begins: boolean
  /** The request says which folder the client works in, or is of a kind that need not. */
  readonly folder: boolean
  /** The request holds the user's own words, or is of a kind that need not. */
  readonly instruction: boolean
  readonly answer: { readonly id: string; readonly toolUses: readonly string[]; readonly ends: boolean }
}

/** An answer of the main conversation, as the transcript has it. */
export interface TranscribedAnswer {
  readonly id: string
  readonly at: number
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
    awaitedAnswers: [],
    awaitedToolUses: [],
  }
}

const MOST_AWAITED = 20
/** So many requests are enough to judge by. */
const ENOUGH = 3

export function noticeTurn(before: Watch, turn: SeenTurn): Noticed {
  const { asker, answer } = turn
  const findings: Finding[] = []
  if (turn.results.some((id) => wasMissed(ownerOf(before.toolUses, id), asker))) findings.push({ kind: 'main-missed' })
  const unseen = before.awaitedToolUses.filter(({ id }) => !answer.toolUses.includes(id))
  if (unseen.some(({ id }) => turn.results.includes(id))) findings.push({ kind: 'unseen-tool-use' })

  const isMain = asker === 'main' || asker === 'doubtful'
  const mains = before.mains + (isMain ? 1 : 0)
  const offers = before.offers + (asker === 'side' && turn.offersAgent ? 1 : 0)
  if (mains === 0 && !before.mainBefore && offers >= ENOUGH) findings.push({ kind: 'no-main' })
  const { opening, findings: missing } = isMain ? heardAtOpening(before.opening, turn) : unchanged(before.opening)

  const uses = asker === 'subagent' ? [] : answer.toolUses
  return {
    watch: {
      ...before,
      since: before.since ?? turn.at,
      answers: withOwned(before.answers, [answer.id], asker),
      toolUses: withOwned(before.toolUses, uses, asker),
      offers,
      mains,
      opening,
      awaitedToolUses: unseen.filter(({ id }) => !turn.results.includes(id)),
    },
    findings: [...findings, ...missing],
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
  if (!turn.answer.ends && mains < ENOUGH) return unchanged({ status: 'open', mains, folder, instruction })
  const findings: Finding[] = []
  if (!folder) findings.push({ kind: 'no-folder' })
  if (!instruction) findings.push({ kind: 'no-instruction' })
  return { opening: { status: 'judged' }, findings }
}

/**
 * The transcript tells of answers in the order in which they were given, and the main conversation gives one after the
 * other: when a later one has come through the proxy, an earlier one never will.
 */
export function noticeTranscript(before: Watch, told: readonly TranscribedAnswer[]): Noticed {
  const { since } = before
  if (since === undefined) return { watch: before, findings: [] }
  const findings: Finding[] = []
  let awaited = before.awaitedAnswers
  for (const { id, at } of told) {
    const owner = ownerOf(before.answers, id)
    if (owner === 'side' || owner === 'agent-hook') findings.push({ kind: 'main-missed' })
    if (owner === undefined) {
      if (at > since && !awaited.includes(id)) awaited = [...awaited, id].slice(-MOST_AWAITED)
      continue
    }
    if (awaited.some((one) => one !== id && ownerOf(before.answers, one) === undefined))
      findings.push({ kind: 'unseen-answer' })
    awaited = []
  }
  return { watch: { ...before, awaitedAnswers: awaited }, findings }
}

/** A tool of the main conversation has run. Only where the proxy has seen that conversation can it have missed the call. */
export function noticeToolRan(before: Watch, id: string): Watch {
  if (before.mains === 0 || ownerOf(before.toolUses, id) || before.awaitedToolUses.some((one) => one.id === id))
    return before
  return { ...before, awaitedToolUses: [...before.awaitedToolUses, { id, stops: 0 }].slice(-MOST_AWAITED) }
}

/** A turn has ended; calls of the turn before it must have come by. A few may be the client's own, made without the model. */
export function noticeStop(before: Watch): Noticed {
  const awaited = before.awaitedToolUses.map(({ id, stops }) => ({ id, stops: stops + 1 }))
  const overdue = awaited.filter(({ stops }) => stops > 1)
  if (overdue.length < ENOUGH) return { watch: { ...before, awaitedToolUses: awaited }, findings: [] }
  return { watch: { ...before, awaitedToolUses: [] }, findings: [{ kind: 'unseen-tool-use' }] }
}
