/** What an agent knows of a file: its content when it read or wrote it last. */
export interface SeenFile {
  hash: string
  /** The same without what formatters change; only kept for what the agent wrote itself. */
  gist?: string
  at: number
}

/** A file as it lies on the disk now. Absent content: it is not there. */
export interface FileNow {
  hash: string
  gist: string
}

/**
 * Whether writing would undo what another writer did. A file that was never read is not stale, one that is gone has
 * nothing to lose, and one that only a formatter has touched since our own write says what we wrote.
 */
export function isStale(seen: SeenFile | undefined, now: FileNow | undefined): boolean {
  if (!seen || !now || seen.hash === now.hash) return false
  return seen.gist === undefined || seen.gist !== now.gist
}

/** The text without all that formatters add, remove or exchange: space, quotes, semicolons, commas, brackets around one thing. */
export function gistOf(text: string): string {
  return text.replace(/[\s;,()'"`\uFEFF]+/g, '')
}

/** The text as a client shows it, so that a read can be compared with the disk. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}
