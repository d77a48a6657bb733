import type { RecoveryPlan } from '#core/drift/correction.ts'
import { type DriftState, ON_GOAL } from '#core/drift/recovery.ts'
import type { DriftTrail } from '#core/drift/score.ts'
import type { Task } from '#core/task.ts'
import type { Conversation } from '../inject/conversation.ts'

/**
 * What Grove has in mind about one agent session, between two looks at it. One plain JSON value, kept in the store, so
 * that a restart or a hook process that runs without the daemon goes on where the last one stopped.
 */
export interface Mind {
  sessionId: string
  cwd?: string
  projectId?: string
  /** The project's root: paths of steps are relative to the working directory, those of history to this. */
  root?: string
  task?: Task
  /** The task that ended last: a follow-up may take it up again. */
  finished?: Task
  trail?: DriftTrail
  /** How the newest action that could be scored was scored, rules included. */
  lastScore?: number
  drift: DriftState
  plan?: RecoveryPlan
  /** Waits for the next chance to reach the agent. */
  pending: Delivery[]
  /** Keys of what has reached the agent, through whichever door. */
  delivered: string[]
  /** What was added to `system`, chosen at the first request; empty when nothing was. */
  system?: string
  systemWhy?: string
  conversations: Conversation[]
  /** Actions already noted, by `tool_use_id`. */
  seen: string[]
  onGoalFiles: string[]
  /** The beginning of the prompt that memories were last looked up for. */
  remindedOf?: string
  /** The instruction noted last, and where the proxy saw it. */
  prompt?: { text: string; index?: number }
  promptsSinceCheck: number
  /** The newest instruction was only read by rules so far. */
  unjudgedInstruction: boolean
  /** Rules took it for more of the same work, which a judge may see otherwise. */
  continued?: boolean
  /** The agent ended a turn with words that only rules have read so far. */
  unjudgedClosing: boolean
  /** The judge has been asked for a way out of forced mode. */
  forcedAsked: boolean
  /** A judge's summary for the next CLEAR; empty while one is being written. */
  summary?: string
  contextTokens: number
  window: number
  /** The model that is known to have the long window in this session, though its name does not say so. */
  longWindow?: string
  /** The user has been told that the window is filling. */
  warned?: boolean
  /** The newest answers that the proxy has seen: the transcript tells of them later, when they are no news. */
  answers: string[]
  /** Corrections since the agent was last on goal, by the keys they are delivered under. */
  corrections?: string[]
  /** Where the agent was when it was corrected; `removed` where it took something away. */
  astray?: { path: string; removed: boolean }[]
  /** Tasks in which the agent had to be corrected. */
  drifted: string[]
  /** Files of earlier work with a like goal, for the instruction that they were looked up for. */
  likeWork?: { about: string; files: string[] }
  closingWords: string
  /** The closing words that were noted last, until something else happens: both doors tell of them. */
  closed?: string
  /** How far the client's transcript has been read. */
  transcript?: { path: string; offset: number }
  /** For the user's eyes, at the next hook that can show it. */
  notices: string[]
}

export interface Delivery {
  key: string
  kind: 'context' | 'correction' | 'notice'
  text: string
  why: string
}

export function freshMind(sessionId: string): Mind {
  return {
    sessionId,
    drift: ON_GOAL,
    pending: [],
    delivered: [],
    conversations: [],
    seen: [],
    onGoalFiles: [],
    promptsSinceCheck: 0,
    unjudgedInstruction: false,
    unjudgedClosing: false,
    forcedAsked: false,
    contextTokens: 0,
    window: 200_000,
    answers: [],
    drifted: [],
    closingWords: '',
    notices: [],
  }
}

/** Adds to the end of a list that must not grow for ever; an item already there moves to the end. */
export function pushBounded<T>(list: T[], item: T, most: number): T[] {
  return [...list.filter((one) => one !== item), item].slice(-most)
}
