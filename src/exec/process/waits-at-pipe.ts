import { readFileSync } from 'node:fs'

/** Whether a process waits in opening a pipe until somebody opens the other end; false where the system does not say. */
export function waitsAtPipe(pid: number | undefined): boolean {
  if (process.platform !== 'linux' || pid === undefined) return false
  try {
    return readFileSync(`/proc/${pid}/wchan`, 'latin1') === 'wait_for_partner'
  } catch {
    // It has ended, or the system keeps such things to itself.
    return false
  }
}
