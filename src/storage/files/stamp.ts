import { statSync } from 'node:fs'

/** What tells whether a file is still the one that was read; undefined when there is none to look at. Costs microseconds. */
export function stampOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  } catch {
    // Whoever reads it will find out what is wrong, and say so.
    return undefined
  }
}
