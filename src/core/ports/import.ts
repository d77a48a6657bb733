import type { Commit } from '../memory/import-commit.ts'

/** What an import reads memories from. */

/** A project's history, as git tells it. */
export interface GitHistory {
  headOf(root: string): Promise<string | undefined>
  /** Whether a commit is still part of the history behind another. */
  isBehind(root: string, commit: string, head: string): Promise<boolean>
  /** How many commits there are to read. */
  lengthOf(root: string, stretch: Omit<GitStretch, 'skip'>): Promise<number>
  /** The commits of the branch at hand that have not reached the default branch; undefined on that itself. */
  aside(root: string, head: string): Promise<{ branch: string; commits: Set<string> } | undefined>
  /** Oldest first, as the search index likes it. */
  commitsOf(root: string, stretch: GitStretch): AsyncIterable<Commit>
}

export interface GitStretch {
  /** The commit up to which is read. */
  head: string
  /** How many of them were read before. */
  skip: number
  /** A time, in any form git understands. */
  since?: string
  /** Only the newest so many. */
  most?: number
  /** Commits that are reachable from here are left out: they were read another time. */
  known?: string
}

/** A conversation that Claude Code keeps on disk. */
export interface TranscriptFile {
  path: string
  sessionId: string
  bytes: number
  changedAt: number
}
