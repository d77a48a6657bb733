import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyPlain } from '#config/plain-file.ts'
import type { StatsLog } from '#core/ports/learning.ts'

/** A larger file is not taken over: a log that Grove wrote stays far below. */
const MOST_BYTES = 32 * 1024 * 1024

/**
 * The log of a project, in Grove's home: in the tree it would change with every session, and stand in the way of git. A log
 * that an older Grove kept in the tree is taken over once, and left where it is.
 */
export async function statsFile(inTree: string, folder: string): Promise<string> {
  const path = join(folder, 'stats.log')
  if (existsSync(path)) return path
  try {
    // A link may lead anywhere, and is not a log of Grove's.
    const found = lstatSync(inTree, { throwIfNoEntry: false })
    if (found?.isFile() && found.size <= MOST_BYTES) {
      mkdirSync(folder, { recursive: true })
      copyPlain(inTree, path, { most: MOST_BYTES, noLink: true })
    }
  } catch {
    // Another process was faster, or it cannot be read: the counts then begin at zero.
  }
  return path
}

/** A log whose place is known only when git was asked what project this is. */
export function openedLater(open: () => Promise<StatsLog>): StatsLog {
  return {
    append: async (events) => (events.length > 0 ? (await open()).append(events) : undefined),
    read: async () => (await open()).read(),
    rebuild: async () => (await open()).rebuild(),
  }
}
