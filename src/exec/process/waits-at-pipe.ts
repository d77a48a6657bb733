import { readFileSync } from 'node:fs'

/** Whether a process is blocked in opening a named pipe; false where the system does not say. */
export function waitsAtPipe(pid: number | undefined): boolean {
  if (process.platform !== 'linux' || pid === undefined) return false
  try {
    return readFileSync(`/proc/${pid}/wchan`, 'latin1') === 'wait_for_partner'
  } catch {
    // It has ended, or the system keeps such things to itself.
    return false
  }
}
