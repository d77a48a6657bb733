/**
 * What the workflow does with a repository, pull requests and a project's own commands. The server does all of it; the
 * agent never runs git or `gh` for us. A failure is a value with the words of the program, since people need them.
 */
export type Outcome<T> =
  | { ok: true; value: T }
  | { ok: false; code: RepositoryTrouble; message: string; detail?: string }

export const REPOSITORY_TROUBLES = [
  'not_found',
  'not_a_folder',
  'not_a_repository',
  'not_readable',
  'not_writable',
  'no_commit',
  'dirty',
  'branch_exists',
  'bad_branch_name',
  'base_missing',
  'conflict',
  'no_remote',
  'rejected',
  'not_logged_in',
  'not_installed',
  'timed_out',
  'failed',
] as const
export type RepositoryTrouble = (typeof REPOSITORY_TROUBLES)[number]

export interface FeatureRepository {
  /** Checks a path that a person typed, in the order missing, no folder, no repository, unreadable, unwritable. */
  inspect(path: string): Promise<Outcome<RepositoryFacts>>
  /** A name that git takes, or why not. */
  checkBranch(name: string): Promise<Outcome<string>>
  /** The name, or with a number at its end when a branch has it already, here or at a remote; promised ones are taken too. */
  freeBranch(path: string, wanted: string, promised?: readonly string[]): Promise<Outcome<string>>
  /**
   * Branch and worktree from the base; copies the listed untracked files in. In-place work checks out a branch instead. With
   * `existing` a branch of that name, here or at a remote, is taken as it is.
   */
  open(
    at: FeaturePlace & { baseBranch: string; copy: string[]; existing?: boolean },
  ): Promise<Outcome<{ baseCommit: string; copied: string[] }>>
  /** Whether place and branch still are as `open` left them. */
  find(at: FeaturePlace): Promise<Outcome<{ head: string; dirty: boolean }>>
  close(at: FeaturePlace, options: { deleteBranch: boolean }): Promise<Outcome<void>>
  stash(path: string, message: string): Promise<Outcome<{ ref: string }>>
  /** Everything in the worktree, untracked files included, as a commit under a hidden ref; index and files stay as they are. */
  checkpoint(at: FeaturePlace, name: string, message: string): Promise<Outcome<{ ref: string; commit: string }>>
  /** Since a commit, the work tree's state included. `files` is capped, `patch` too; `truncated` says so. */
  diff(
    at: FeaturePlace,
    since: string,
    options?: { paths?: string[]; without?: readonly string[]; maxBytes?: number },
  ): Promise<Outcome<FeatureDiff>>
  /** Changes whenever the commit or any file of the work tree changes. */
  fingerprint(at: FeaturePlace): Promise<string | undefined>
  /** One commit of everything but the named paths; `nothing` when there is nothing to commit. */
  commit(at: FeaturePlace, message: string, leaveOut: string[]): Promise<Outcome<{ commit?: string }>>
  /**
   * Onto the newest base; with a conflict everything is as before, and the paths are named. What is changed in the named
   * folders, and never committed, stays as it is.
   */
  rebase(
    at: FeaturePlace,
    baseBranch: string,
    ownFolders?: readonly string[],
  ): Promise<Outcome<{ moved: boolean; conflicts: string[] }>>
  mergeBase(
    at: FeaturePlace,
    baseBranch: string,
    ownFolders?: readonly string[],
  ): Promise<Outcome<{ moved: boolean; conflicts: string[] }>>
  push(at: FeaturePlace, options: { lease?: boolean }): Promise<Outcome<{ commit: string }>>
  /** Saves under a hidden ref first; says how to get it back. */
  rollback(at: FeaturePlace, to: string, name: string): Promise<Outcome<{ savedAs: string; restore: string }>>
  /** Branches that `open` has made, whatever they are called, and that are none of the given ones. */
  orphanedBranches(path: string, ours: string[]): Promise<Outcome<{ name: string; lastCommitAt: string }[]>>
  files(path: string, limit: number): Promise<string[]>
}

export interface FeaturePlace {
  /** The user's checkout. */
  repository: string
  /** Where the work happens: the worktree, or the checkout itself in in-place mode. */
  folder: string
  inPlace: boolean
  branch: string
}

export interface RepositoryFacts {
  /** Resolved: links gone, top of the checkout. */
  path: string
  projectId: string
  name: string
  head?: string
  currentBranch?: string
  branches: string[]
  defaultBranch: string
  dirty: boolean
  remote?: { name: string; url: string; host?: string }
  /** Untracked files that a worktree would miss. */
  untrackedHelpers: string[]
}

export interface FeatureDiff {
  files: {
    path: string
    status: 'added' | 'modified' | 'deleted' | 'renamed'
    from?: string
    added: number
    removed: number
    binary: boolean
  }[]
  patch: string
  truncated: boolean
}

/** Pull requests through `gh`, with the machine's own login. */
export interface PullRequests {
  /** Not installed, not logged in, no remote that it knows: `local review` is offered instead. */
  ready(folder: string): Promise<Outcome<{ version: string }>>
  find(folder: string, branch: string): Promise<Outcome<PullRequest | undefined>>
  create(
    folder: string,
    pr: { base: string; head: string; title: string; body: string; draft?: boolean },
  ): Promise<Outcome<PullRequest>>
  edit(folder: string, number: number, pr: { title: string; body: string }): Promise<Outcome<PullRequest>>
  view(folder: string, number: number): Promise<Outcome<PullRequest>>
  checks(folder: string, number: number): Promise<Outcome<CiCheck[]>>
  /** The failing part of a check's log, capped and redacted. */
  failedLog(folder: string, check: CiCheck): Promise<Outcome<string>>
}

export interface PullRequest {
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'merged' | 'closed'
  draft: boolean
  base: string
  head: string
  headCommit?: string
  mergeable?: 'yes' | 'conflicting' | 'unknown'
}

export interface CiCheck {
  name: string
  state: 'pending' | 'passing' | 'failing' | 'skipped'
  url?: string
  runId?: string
  startedAt?: string
  completedAt?: string
}

/** Tests, build and lint of a project, run by us: what an agent claims about them is no evidence. */
export interface ProjectCommands {
  detect(folder: string): Promise<DetectedCommands>
  /** Runs it in its own process group with a limit; output is redacted, its middle left out where it is long. */
  run(folder: string, command: string[], options: { limitMs: number; signal?: AbortSignal }): Promise<CommandRun>
}

export interface DetectedCommands {
  test?: string[]
  build?: string[]
  lint?: string[]
  types?: string[]
  setup?: string[]
}

export interface CommandRun {
  command: string[]
  result: 'passed' | 'failed' | 'timed-out' | 'could-not-start' | 'cancelled'
  exitCode: number | null
  output: string
  durationMs: number
}

/** Comment blocks that begin with TODO:, FIXME: or DEPENDENCY:, found with syntax trees where there is a grammar. */
export interface TodoScanner {
  /** Only blocks that were not there at the given commit. `saved` is a commit of the work tree as it is now, where there is one. */
  newSince(at: FeaturePlace, commit: string, saved?: string): Promise<TodoBlock[]>
  all(folder: string, limit: number): Promise<{ blocks: TodoBlock[]; truncated: boolean }>
}

export interface TodoBlock {
  path: string
  line: number
  type: 'TODO' | 'FIXME' | 'DEPENDENCY'
  /** Comment signs removed, lines kept. */
  text: string
}
