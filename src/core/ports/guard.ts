import type { Choice } from '../intent/denial.ts'
import type { Intent } from '../intent/intent.ts'
import type { TraceRecord } from '../trace/record.ts'
import type { TraceView } from '../trace/view.ts'

/** What the guard asks of the world, port by port; `supervisor/guard/world.ts` puts them together. */

export interface GuardSettings {
  approvalWaitMs: number
  /** How a person is asked: in the client's own terminal, through the inbox, or as the session allows. */
  askIn: 'auto' | 'terminal' | 'inbox'
  /** Globs of paths outside the project that every agent may write. */
  outside: readonly string[]
  /** Globs inside the project that every intent may write. */
  always: readonly string[]
  /** Names of other servers' tools that only read. */
  isReadOnlyTool(name: string): boolean
}

/** A project with a folder `.orchestration`: the only ones where the guard has a say. */
export interface Governed {
  /** What paths are counted from. */
  root: string
  /** The folder with intents and ledger; a worktree without its own shares the main checkout's. */
  orchestration: string
}

export interface Projects {
  /** The governed project a folder lies in. */
  governing(folder: string): Governed | undefined
  /** Disks that take `A` and `a` for the same name. */
  ignoresCase(root: string): boolean
}

export interface IntentBook {
  find(id: string): Intent | undefined
  all(): Intent[]
  choice: Choice
  problems: { line: number; column: number; message: string }[]
}

export interface Intents {
  open(project: Governed): Promise<IntentBook>
  /** Ids that need approval. */
  ignored(project: Governed): Promise<string[]>
  /** Changes the file as text; undefined leaves it. False when nothing was written. */
  change(project: Governed, change: (edit: IntentEdit) => string | undefined): Promise<boolean>
}

/** The file at the moment of changing it. */
export interface IntentEdit {
  /** All ids that are in it. */
  ids: string[]
  withIntent(intent: Intent): string
  withStatus(id: string, status: string): string | undefined
  withScope(id: string, globs: readonly string[]): string | undefined
}

export interface Paths {
  resolve(root: string, cwd: string, path: string, options?: { entry?: boolean }): ResolvedPath
  isFolder(path: string): boolean
  /** Files below a folder; files and folders that a pattern with wildcards stands for; undefined when there are too many. */
  below(folder: string): string[] | undefined
  matching(pattern: string): string[] | undefined
  matches(glob: string, path: string): boolean
}

export interface ResolvedPath {
  absolute: string
  relative?: string
  outside: boolean
}

export interface FileContent {
  hash: string
  text?: string
}

export interface Files {
  read(path: string): Promise<FileContent | undefined>
  digest(text: string): string
}

export interface TreeState {
  kind: 'git' | 'folder' | 'paths'
  head?: string
  files: Record<string, string | null>
  incomplete?: true
  nested?: Record<string, TreeState>
}

export interface TreeChange {
  path: string
  before: string | null | undefined
  after: string | null
}

export interface WorkTree {
  look(root: string, paths?: readonly string[]): Promise<TreeState | undefined>
  /** Every file a look has listed. */
  listed(state: TreeState): string[]
  changes(root: string, before: TreeState, after: TreeState, since: number): Promise<TreeChange[]>
  /** Keeps copies under a name; resolves to where each lies. */
  keep(root: string, paths: readonly string[], name: string): Record<string, string>
  drop(name: string): Promise<void>
  /** The texts that changed files had before, where they had one. */
  textsBefore(
    root: string,
    changes: readonly TreeChange[],
    copies: Record<string, string>,
    tree: Pick<TreeState, 'head' | 'nested'>,
  ): Promise<Map<string, string>>
  revision(root: string): string | undefined
}

export interface Ledger {
  append(project: Governed, record: TraceRecord): void
  /** Newest first, from the last part of the ledger only. */
  recentOf(project: Governed, intentId: string, limit: number): Promise<TraceView[]>
}

export interface Lessons {
  /** Adds to CLAUDE.md; false when it says so already. */
  add(root: string, lesson: string, date: string): Promise<boolean>
}

/** Other MCP servers, as the client is told to start them. */
export interface Servers {
  ofTool(project: Governed, tool: string): Server | undefined
  /** The tools of a server that declare they only read; undefined when it does not answer. */
  reading(project: Governed, server: Server): Promise<string[] | undefined>
}

export interface Server {
  prefix: string
  command: string
  args: string[]
  env: Record<string, string>
  changedAt?: number
}

export interface Transcripts {
  /** What the client's own record says of a session: the model that speaks, and whether a person sits at a terminal. */
  facts(path: string | undefined, agentId: string | undefined): Promise<{ model?: string; interactive?: boolean }>
}
