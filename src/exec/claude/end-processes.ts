import { setTimeout as sleep } from 'node:timers/promises'
import type { MarkedProcess } from '../process/table.ts'
import { processesOf, runningProcesses } from './run-processes.ts'

/**
 * Ends every process that a run has left: those with its marker, their descendants, and those seen to belong to it
 * earlier. Commands of the agent have a session and a process group of their own, so a group signal would miss them.
 * Resolves when none is left.
 */
export async function endProcesses(
  spawnId: string,
  { seen = [], graceMs = 1_000 }: { seen?: MarkedProcess[]; graceMs?: number } = {},
): Promise<number[]> {
  const ended = new Set<number>()
  const until = performance.now() + graceMs
  for (;;) {
    const table = await runningProcesses()
    const same = seen.filter(({ pid, bornAt }) => table.some((now) => now.pid === pid && now.bornAt === bornAt))
    const left = [...new Set([...processesOf(spawnId, table), ...same].map(({ pid }) => pid))]
    if (left.length === 0) return [...ended]
    const signal = performance.now() < until ? 'SIGTERM' : 'SIGKILL'
    for (const pid of left) {
      // SIGTERM is sent once; then SIGKILL.
      if (signal === 'SIGKILL' || !ended.has(pid)) send(pid, signal)
      ended.add(pid)
    }
    await sleep(25)
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It may end between the look and the signal; another user's process is left alone.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
