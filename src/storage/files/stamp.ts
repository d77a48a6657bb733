import { statSync } from 'node:fs'

/** The stamp of a file that is not there. */
export const NO_FILE = 'no file'

/** What tells whether a file is still the one that was read; undefined when that cannot be told. Costs microseconds. */
export function stampOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? NO_FILE : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  } catch {
    // Reading the file will fail too, and report what is wrong.
    return undefined
  }
}

/** Which file lies at a path, by device and inode: it changes when the file is replaced, not when it is written to. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
