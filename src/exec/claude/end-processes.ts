import { setTimeout as sleep } from 'node:timers/promises'
import type { MarkedProcess } from '../process/table.ts'
import { processesOf, runningProcesses } from './run-processes.ts'

/**
 * Ends everything that a run has left: what carries its marker, what descends from that, and what was seen to belong to it
 * earlier. A command of the agent's lives in a session and process group of its own, so no group signal
 * reaches it. Resolves when nothing of it runs.
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
      // What ignores the polite signal is asked once only.
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
    // It may end by itself between the look and the signal; another user's is none of ours.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
