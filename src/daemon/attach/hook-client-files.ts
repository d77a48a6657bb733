import { join } from 'node:path'

/** The shell script that hooks call. */
export function scriptFile(home: string): string {
  return join(home, 'bin', 'grove-hook')
}

/** What the script calls when Grove was removed. */
export function detacherFile(home: string): string {
  return join(home, 'bin', 'grove-detach.cjs')
}
