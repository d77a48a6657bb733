/**
 * Where the work of a memory stands: `main` when it was done on the default branch or has reached it, `here` when the
 * reader is on the same branch, `open` when it lies on another one.
 */
export type BranchState = 'main' | 'here' | 'open'

/** Where an agent works. */
export interface WorkPlace {
  /** Absent on a detached head and outside of git. */
  branch?: string
  defaultBranch?: string
  head?: Commit
  /** Who the work is done by, as git knows them. */
  user?: string
}

export interface Commit {
  sha: string
  at: number
}

interface WorkMarks {
  branch?: string
  merged?: boolean
  linkedCommit?: string
}

interface Committing {
  startedAt: number
  /** Something was run that commits. */
  committed: boolean
}

/** The marks a memory gets when its work ends: the branch, and the commit if one was made since the work began. */
export function workMarks({ branch, defaultBranch, head }: WorkPlace, work: Committing): WorkMarks {
  // Git counts in seconds: a commit of the very second in which the work began may also be the one it began from.
  const committed = head && head.at + (work.committed ? 1_000 : 0) > work.startedAt
  return {
    ...(branch && { branch }),
    ...(branch && branch === defaultBranch && { merged: true }),
    ...(committed && { linkedCommit: head.sha }),
  }
}

/** Whether a memory's work may still lie on a branch of its own, so that git has to be asked. */
export function mayBeOpen({ branch, merged }: WorkMarks): boolean {
  return branch !== undefined && merged !== true
}
