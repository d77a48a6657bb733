/**
 * What feature sessions ask of the world, beside `agent-driver.ts` and `repository.ts`; `workflow/world.ts` puts the ports
 * together. The records of a feature session are files that other programs read: their fields are declared as schemas in
 * `protocol/workflow/`, and the store's port is written for whatever they are.
 */

/** The kinds of record that a feature store keeps. */
export interface Records {
  session: object
  /** Everything that is written together with the session. */
  files: { session: object }
  plan: object
  progress: object
  event: object
  output: { number: number }
}

/** The events of a feature session, under numbers without gaps. */
export interface EventLog<Event> {
  readonly last: number
  after(number: number, limit: number): Event[]
}

/** What Claude did and said in a feature session, line by line. */
export interface OutputLog<Line extends Records['output']> {
  readonly last: number
  add(line: Omit<Line, 'number'>): Line
  /** Lines after a number; or, with `before`, the newest before that one. */
  page(view: { after: number; before?: number | undefined; limit: number; wanted(line: Line): boolean }): Line[]
  /** The numbers of the lines that contain the text, ignoring case. */
  found(words: string): Promise<number[]>
  flush(): Promise<void>
}

export interface OpenedFeature<Kept extends Records, Events = EventLog<Kept['event']>> {
  files: Kept['files']
  events: Events
  output: OutputLog<Kept['output']>
  problems: string[]
  /** Files of which neither the newest nor the copy before it could be read: they begin anew. */
  lost: (keyof Kept['files'])[]
}

/** Feature sessions on disk. */
export interface FeatureStore<Kept extends Records, Events = EventLog<Kept['event']>> {
  readonly root: string
  folder(projectId: string, featureId: string): string
  /** Every feature session there is. */
  list(): Promise<{ projectId: string; featureId: string }[]>
  /** Makes room for a new session; false when there is one of that name already. */
  claim(projectId: string, featureId: string): Promise<boolean>
  /** Reads a session, repairs what is damaged, and says so. Undefined when there is none. */
  open(
    projectId: string,
    featureId: string,
    empty: (session: Kept['session']) => Omit<Kept['files'], 'session'>,
  ): Promise<OpenedFeature<Kept, Events> | 'corrupted' | undefined>
  openEvents(projectId: string, featureId: string, sessionId: string): Promise<{ log: Events }>
  openOutput(projectId: string, featureId: string): Promise<OutputLog<Kept['output']>>
  /** Writes what has changed, then the events, and the session last: with it the change has happened. */
  write(
    before: Kept['files'] | undefined,
    after: Kept['files'],
    events: readonly Kept['event'][],
    log: Events,
  ): Promise<void>
  /** Derived, and written often: losing it loses nothing. */
  writeProgress(projectId: string, featureId: string, progress: Kept['progress']): Promise<void>
  planVersion(projectId: string, featureId: string, version: number): Promise<Kept['plan'] | undefined>
  /** Newest first. */
  versions(projectId: string, featureId: string): Promise<Kept['plan'][]>
  /** Notes project and session in the index files. */
  index(session: Kept['session']): Promise<void>
  /** Moves a session's folder aside; resolves to its new place. */
  setAside(projectId: string, featureId: string): Promise<string>
}

/** Memories and learnings that bear on a feature, as Claude is given them. */
export interface RecalledContext {
  text: string
  items: { kind: 'memory' | 'learning'; id: string; title: string }[]
}

/** The guard's part in a run: which paths a step owns, and who works for it. */
export interface StepGuard {
  /** Declares the steps as intents in the worktree's own folder. */
  declare(folder: string, steps: readonly GuardedStep[]): Promise<void>
  /** Selects the step's intent for this agent. */
  select(folder: string, claudeId: string, intentId: string): Promise<void>
  close(folder: string, intentId: string): Promise<void>
}

export interface GuardedStep {
  intentId: string
  title: string
  paths: string[]
  criteria: string[]
}

export interface WorkflowSettings {
  baseBranch: string
  branchPattern: string
  mode: 'worktree' | 'in_place'
  autoPush: boolean
  deleteBranchAfterMerge: boolean
  recommendedReviews: number
  expiryHours: number
  maxCallsPerHour: number
  timeoutMinutes: number
  subagentTimeoutMinutes: number
  checkTimeoutMinutes: number
  ciPollSeconds: number
  ciLimitMinutes: number
  tokenBudget: number
  copyUntracked: string[]
  setup: boolean
}
