import type { Transcription } from '#core/canary/watch.ts'
import type { RepoEvidence } from '#core/drift/score.ts'
import type { Judge } from '#core/ports/judge.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { Project } from '#core/session.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { Consultation } from './judge/consultation.ts'
import type { MemoryWorld } from './memory/world.ts'
import type { Pauses } from './pause/pauses.ts'
import type { SessionState } from './session/session-state.ts'

/** Everything the supervisor's use cases need. Built once, in `daemon/compose/`. */
export interface World {
  store: Store
  clock: Clock
  log: Log
  newId(prefix: string): string
  projectAt(cwd: string): Promise<Project>
  isFolder(path: string): boolean
  /** A file's bytes from an offset on, at most the last so many. */
  readFile(path: string, offset: number, most: number): Promise<{ bytes: Buffer; start: number }>
  /** Where the client keeps the transcript of a session, if it lies on this machine. */
  transcriptOf(sessionId: string): Promise<string | undefined>
  /** What the repository itself says about a file and the files of the task. */
  evidence(root: string, path: string, others: string[]): Promise<RepoEvidence>
  /** The files that a folder holds now, or a pattern stands for; none where there are too many to look at. */
  filesIn(place: string): string[]
  tools: ToolReader
  /** The judge, on the session's account. */
  judgeFor(sessionId: string): Judge
  settings: Settings
  /** Finding and keeping what the team knows. */
  memory: MemoryWorld
  /** What a person has switched off for now. */
  pauses: Pick<Pauses, 'isPaused' | 'isNothingPaused' | 'takeUnread'>
  /**
   * Runs a job that no answer depends on when the answer has left. Missing where a process ends with its answer; there
   * everything is done before.
   */
  defer?(job: () => void): void
  /** Hands a question to the model judge, to be asked when no answer is on its way; does nothing without one. */
  consult(sessionId: string, consultation: Consultation): void
  /** Receives the answers that the client has written into its transcript, to compare them with what the proxy saw. */
  transcribed(session: SessionState, told: Transcription): Promise<void>
  /** Whether a session works for a feature session, which becomes one memory as a whole. */
  isDriven?(sessionId: string): boolean
  /** Sends events to the live feed; must not throw. */
  publish(event: LiveEvent): void
}

export interface Settings {
  /** The judge looks at the work every so many prompts. */
  driftCheckInterval: number
  /** Shares of the model's window at which we warn and clear; absolute numbers, where set, win. */
  warnShare: number
  clearShare: number
  warnTokens?: number
  clearTokens?: number
  clearEnabled: boolean
  /** Whether the agent is asked to declare goal, files and limits when a task begins. */
  asksForPlan: boolean
  /** Whether the user is told in the terminal what Grove did. */
  tellsUser: boolean
}
