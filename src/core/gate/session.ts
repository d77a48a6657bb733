import type { Gate } from './gate.ts'
import type { ChangeSize, LinesByFile } from './own-work.ts'

/** What the gate keeps about one agent session, under its id. */
export interface GateSession {
  version: 1
  sessionId: string
  /** The project's folder here; `grove reflect` finds the waiting session of a project by it. */
  root: string
  createdAt: number
  updatedAt: number
  gate: Gate
  /** What is being worked on, by the system that is in use. */
  system: TicketSystem
  ticket?: Ticket
  /** What the client's own tasks are about, by id; it is kept nowhere else. */
  tasks?: Record<string, Pick<Ticket, 'title' | 'description'>>
  /** Closings under way, by `tool_use_id`: the tool may still fail. */
  closing: Record<string, TicketCall[]>
  /** How the working tree stood when the session began; absent without git. */
  baseline?: Baseline
  /** Files that lay changed and were not known yet when learnings were chosen; the next prompt makes up for it. */
  unseenFiles?: string[]
  /** Its own work as last counted, by file; a retry of the same stop does not count again. */
  own?: LinesByFile
  /** What it was asked about already; only work beyond it is asked about again. */
  accounted?: LinesByFile
  /** How much it was last asked about. */
  work?: ChangeSize
  /** Whether a person sits before it; unknown until its transcript tells. */
  attended?: boolean
  /** It was told at length how to reflect, so that a reminder can be short. */
  told?: true
  observations: Observation[]
  injected: Injected[]
  /** How far the transcript was read for references. */
  readTo: number
  /** What its own tools wrote; asked only where git cannot tell. */
  written?: LinesByFile
  /** It used a tool that can change files, as far as its transcript tells. */
  acted?: true
  /** A prompt asked to remember something. */
  askedToRemember?: true
  /** Why the last reflection was turned down. */
  trouble?: string[]
  /** It was turned down as a whole once; the next one counts, whatever is kept of it. */
  retried?: true
  trace: TraceEvent[]
  endedAt?: number
}

export const TICKET_SYSTEMS = ['tissue', 'beads', 'tasks', 'session'] as const
/** `none`: everything was switched off. */
export type TicketSystem = (typeof TICKET_SYSTEMS)[number] | 'none'

export interface Ticket {
  id: string
  source: TicketSystem
  title?: string
  description?: string
  tags?: string[]
  detectedAt: number
}

/** What a tool call does to tickets. */
export interface TicketCall {
  system: TicketSystem
  does: 'start' | 'close'
  /** Empty when the command leaves out which: the one it touched last. */
  ids: string[]
  /** Whether it runs at all is only known when it runs: `a || bd close x`. */
  maybe?: true
  /** It runs only if what stands before it succeeds, and that is not heard: `a && bd close x; b`. */
  isBehind?: true
  /** Closed by setting its status, of which the system says only that the ticket was updated. */
  byUpdate?: true
}

export interface Baseline {
  /** Absent before the first commit. */
  head?: string
  /** Lines changed before the session began, by file; they are not the agent's. */
  dirty: LinesByFile
  /** How long git's log of HEAD was; what it says since tells commits made here from those that came from elsewhere. */
  headLog?: number
}

/** A subagent's note for the reflection. */
export interface Observation {
  note: string
  at: number
  agentId?: string
  /** It was handed over to the agent that has to reflect. */
  told?: true
}

export interface Injected {
  id: string
  score: number
  /** Whose log counts for it. */
  personal?: true
  outcome: 'pending' | 'referenced' | 'dismissed'
}

export interface TraceEvent {
  at: number
  what: string
}

const MAX_TRACE = 100
const MAX_OBSERVATIONS = 500

export function newGateSession(sessionId: string, root: string, at: number, gate: Gate): GateSession {
  return {
    version: 1,
    sessionId,
    root,
    createdAt: at,
    updatedAt: at,
    gate,
    system: 'none',
    closing: {},
    observations: [],
    injected: [],
    readTo: 0,
    trace: [],
  }
}

/** Adds what happened to the session's trace; the oldest entries go. */
export function traced(session: GateSession, at: number, ...what: string[]): GateSession {
  const trace = [...session.trace, ...what.map((one) => ({ at, what: one }))].slice(-MAX_TRACE)
  return { ...session, trace, updatedAt: at }
}

export function observed(session: GateSession, observation: Observation): GateSession {
  const observations = [...session.observations, observation].slice(-MAX_OBSERVATIONS)
  return { ...session, observations, updatedAt: observation.at }
}

/** A stored value as a session; undefined for what does not look like one. */
export function readGateSession(value: unknown): GateSession | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const session = value as Partial<GateSession>
  const isSession =
    session.version === 1 &&
    typeof session.sessionId === 'string' &&
    typeof session.root === 'string' &&
    typeof session.gate?.status === 'string' &&
    typeof session.gate.breaker?.blocks === 'number' &&
    Array.isArray(session.observations) &&
    Array.isArray(session.injected) &&
    Array.isArray(session.trace)
  return isSession ? (session as GateSession) : undefined
}
