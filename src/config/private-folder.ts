import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The name of this user's folder in the shared temporary one: for what cannot lie in the home because its path would be
 * too long, or because several homes meet there. Check it with `isPrivate` before use.
 */
export function privateFolder(): string {
  return join(tmpdir(), `grove-${process.getuid?.() ?? 0}`)
}

/** Makes sure that a folder belongs to this user and that no other user can write into it. */
export function isPrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It exists, or cannot be made: the checks below decide.
  }
  // A home may be a link that its owner made; in the temporary folder any user may have made one.
  const look = folder === privateFolder() ? lstatSync : statSync
  const found = look(folder, { throwIfNoEntry: false })
  if (process.platform === 'win32') return found?.isDirectory() === true
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
