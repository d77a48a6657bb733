import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Gives a folder and all in it to a user; nothing where no user is named. */
export function chownAll(folder: string, { uid, gid }: { uid?: number; gid?: number }): void {
  if (uid === undefined || gid === undefined) return
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(folder, name), uid, gid)
  }
}
