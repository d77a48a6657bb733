import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder of this user's in the temporary one, which all users share: for what cannot lie in the home because its path
 * would be too long, or because several homes meet there. It is used only by its name here; `isPrivate` says whether it
 * is to be trusted.
 */
export function privateFolder(): string {
  return join(tmpdir(), `grove-${process.getuid?.() ?? 0}`)
}

/** Makes sure that a folder belongs to this user and that no other user can write into it. */
export function isPrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It is there already, or cannot be made: looking at it tells.
  }
  // A home may be a link, which its owner has made; in the temporary folder anybody may have made one.
  const look = folder === privateFolder() ? lstatSync : statSync
  const found = look(folder, { throwIfNoEntry: false })
  if (process.platform === 'win32') return found?.isDirectory() === true
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
