import type { EventRecord } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { ProgressFile } from '#protocol/workflow/status.ts'

/** Where feature sessions are kept. A port like those of the core, which cannot name the files of `protocol`. */

export interface EventLog {
  readonly last: number
  after(number: number, limit: number): EventRecord[]
}

export interface OutputLog {
  readonly last: number
  add(line: Omit<OutputLine, 'number'>): OutputLine
  page(view: {
    after: number
    before?: number | undefined
    limit: number
    wanted(line: OutputLine): boolean
  }): OutputLine[]
  /** The numbers of the lines that contain the text, ignoring case. */
  found(words: string): Promise<number[]>
  flush(): Promise<void>
}

export interface OpenedFeature<Events extends EventLog = EventLog> {
  files: FeatureFiles
  events: Events
  output: OutputLog
  problems: string[]
  /** Files that begin empty, since nothing of them could be read. */
  lost: (keyof FeatureFiles)[]
}

/** Feature sessions on disk; `storage/files/workflow-store.ts` keeps them. */
export interface FeatureStore<Events extends EventLog = EventLog> {
  readonly root: string
  folder(projectId: string, featureId: string): string
  list(): Promise<{ projectId: string; featureId: string }[]>
  claim(projectId: string, featureId: string): Promise<boolean>
  open(
    projectId: string,
    featureId: string,
    empty: (session: SessionFile) => Omit<FeatureFiles, 'session'>,
  ): Promise<OpenedFeature<Events> | 'corrupted' | undefined>
  openEvents(projectId: string, featureId: string, sessionId: string): Promise<{ log: Events }>
  openOutput(projectId: string, featureId: string): Promise<OutputLog>
  write(
    before: FeatureFiles | undefined,
    after: FeatureFiles,
    events: readonly EventRecord[],
    log: Events,
  ): Promise<void>
  writeProgress(projectId: string, featureId: string, progress: ProgressFile): Promise<void>
  planVersion(projectId: string, featureId: string, version: number): Promise<PlanFile | undefined>
  versions(projectId: string, featureId: string): Promise<PlanFile[]>
  index(session: SessionFile): Promise<void>
  /** Moves a session's folder aside; resolves to its new place. */
  setAside(projectId: string, featureId: string): Promise<string>
}
