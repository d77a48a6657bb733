import type { Changes, LearningSettings, Library, Tickets } from '#core/ports/learning.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { InjectionStore } from '#core/ports/store.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { TranscriptLine } from '#protocol/transcript.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { Prefetch } from './prefetch.ts'

/** Everything the learning gate needs. Built in `daemon/compose/learning.ts`. */
export interface LearningWorld {
  states: StateStore
  clock: Clock
  log: Log
  newId(prefix: string): string
  /** The settings as they hold for a folder: a project may have its own. */
  settingsAt(cwd: string): LearningSettings
  /** The project's folder. */
  rootOf(cwd: string): string
  tools: ToolReader
  /** What was put before agents, on record. */
  injections: Pick<InjectionStore, 'append'>
  publish(event: LiveEvent): void
  tickets: Tickets
  changes: Changes
  /** Whose work is done in a folder: the name that was set, else the one git knows. */
  authorAt(root: string): Promise<string | undefined>
  libraryAt(root: string, settings: LearningSettings): Library
  /** The lines of a transcript from a place on, at most so many bytes, and where it was read to. */
  transcript(path: string, from: number, most: number): Promise<{ lines: TranscriptLine[]; to: number }>
  /** How long a transcript is now; 0 before it is written. */
  transcriptEnd(path: string): Promise<number>
  /** How an agent calls `grove`. */
  command: string
  /** Runs what no answer depends on. */
  background: BackgroundJobs
  /** Where a daemon finds out beforehand what it will be asked. */
  prefetch?: Prefetch
}
