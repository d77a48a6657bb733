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
  /** Temporary folders, which every agent may write into. */
  temporary: readonly string[]
  /** Files and folders that Grove and the client are set up in: no scope opens them. */
  setUpIn: readonly string[]
  /** Globs inside the project that every intent may write. */
  always: readonly string[]
  /** Names of other servers' tools that only read. */
  isReadOnlyTool(name: string): boolean
}

/** A project with a folder `.orchestration`: the only ones where the guard has a say. */
export interface GuardedProject {
  /** What paths are counted from. */
  root: string
  /** The folder with intents and ledger; a worktree without its own shares the main checkout's. */
  orchestration: string
  /** No folder `.orchestration`: nothing is forbidden there, and the ledger lies in Grove's home. */
  undeclared?: true
}

export interface Projects {
  /** The guarded project a folder lies in. */
  at(folder: string): GuardedProject | undefined
  /** The project whose changes are recorded, guarded or not. */
  traced(folder: string): GuardedProject | undefined
  /** Disks that take `A` and `a` for the same name. */
  ignoresCase(root: string): boolean
}

/** All intents of a file, ready to be asked. */
export interface IntentBook {
  find(id: string): Intent | undefined
  all(): Intent[]
  choice: Choice
  problems: IntentProblem[]
}

/** What is wrong with the file of intents, and where. */
export interface IntentProblem {
  line: number
  column: number
  message: string
}

export interface Intents {
  open(project: GuardedProject): Promise<IntentBook>
  /** Ids that need approval. */
  ignored(project: GuardedProject): Promise<string[]>
  /** Changes the file as text; undefined leaves it. False when nothing was written. */
  change(project: GuardedProject, change: (edit: IntentEdit) => string | undefined): Promise<boolean>
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
  /** The absolute path alone, for which no project is looked at. */
  real(cwd: string, path: string, options?: { entry?: boolean }): string
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

/** What lies at a path, as far as the guard cares. */
export interface FileContent {
  /** Of the bytes; `sha256:<hex>`. */
  hash: string
  /** Absent for what is no text. */
  text?: string
}

export interface Files {
  read(path: string): Promise<FileContent | undefined>
  digest(text: string): string
}

/** What a working tree holds, just precise enough to say afterwards what a command has changed in it. */
export interface TreeState {
  kind: 'git' | 'folder'
  /** The commit it stands on, and the branch. */
  head?: string
  branch?: string
  /** How long git's record of where HEAD has been was at that moment. */
  reflog?: number
  /** By path from the root: digest, or null for a file that is not there. In git only what differs from the commit. */
  files: Record<string, string | null>
  /** There was more than we look at. */
  incomplete?: true
  /** Submodules, by their path, as trees of their own. */
  nested?: Record<string, TreeState>
}

export interface TreeChange {
  /** From the root; `..` in front for what lies in the same checkout above it. */
  path: string
  /** Null: it was, or is, not there. Undefined: as in the commit. */
  before: string | null | undefined
  after: string | null
  /** It came with another commit that was checked out, merged or pulled; the command did not write it itself. */
  moved?: true
}

/** What a repository keeps besides its files. */
export interface RepositoryState {
  /** The commit of each ref by its full name; a group with very many refs is one entry. */
  refs: Record<string, string>
  stashes: string[]
  /** Refs that a working tree of this repository stands on. */
  checkedOut: string[]
  /** The folder of each by its name. */
  worktrees: Record<string, string>
  /** By name a digest of what they are set to; those that change with branches and run nothing. */
  settings: Record<string, string>
  /** Changes with every fetch. */
  fetched: string
}

export interface RepositoryChange {
  kind: 'ref' | 'stash' | 'worktree' | 'setting'
  name: string
  /** Null: it was, or is, not there. */
  before: string | null
  after: string | null
}

export interface WorkTree {
  look(root: string): Promise<TreeState | undefined>
  /** The same from the last look and the changes reported since: fast, but changes that were not reported are missing. */
  lookAgain(root: string): Promise<TreeState | undefined>
  /** The same after a command, including changes that index flags or back-dating hide from git. */
  lookAfter(root: string): Promise<TreeState | undefined>
  /** Every file a look has listed. */
  listed(state: TreeState): string[]
  changes(root: string, before: TreeState, after: TreeState): Promise<TreeChange[]>
  /** Those of the paths that the project ignores, and that are no secrets. */
  ignored(root: string, paths: readonly string[]): Promise<Set<string>>
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
  /** Undefined outside git. */
  repository(root: string): RepositoryState | undefined
  repositoryChanges(root: string, before: RepositoryState, after: RepositoryState): RepositoryChange[]
}

/** Files besides the project's own that decide whether the guard is asked at all. */
export interface SetUp {
  /** By path a digest; null when it is not there. */
  look(project: GuardedProject): Record<string, string | null>
  /** Keeps copies under a name; resolves to where each lies. */
  keep(paths: readonly string[], name: string): Record<string, string>
}

export interface Ledger {
  append(project: GuardedProject, record: TraceRecord): void
  /** Newest first, from the last part of the ledger only. */
  recentOf(project: GuardedProject, intentId: string, limit: number): Promise<TraceView[]>
}

export interface Lessons {
  /** Adds to CLAUDE.md; false when it says so already. */
  add(root: string, lesson: string, date: string): Promise<boolean>
}

/** Other MCP servers than Grove's. */
export interface McpServers {
  ofTool(project: GuardedProject, tool: string): McpServer | undefined
  /** The tools of a server that declare they only read; undefined when it does not answer. */
  reading(project: GuardedProject, server: McpServer): Promise<string[] | undefined>
}

/** An MCP server that the client starts as a program, as its configuration says. */
export interface McpServer {
  /** What the names of its tools begin with. */
  prefix: string
  command: string
  args: string[]
  env: Record<string, string>
  /** When the file that agents could change was changed last; absent for the user's own configuration. */
  changedAt?: number
}

export interface Transcripts {
  /** What the client's own record says of a session: the model that speaks, and whether a person sits at a terminal. */
  facts(path: string | undefined, agentId: string | undefined): Promise<{ model?: string; attended?: boolean }>
}
