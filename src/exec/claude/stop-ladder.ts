import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses, send } from './end-processes.ts'
import { processesOf, runningProcesses } from './run-processes.ts'

/** How long each step of a start or an end is waited for, in milliseconds. */
export interface Patience {
  /** For the first sign of life. */
  start: number
  /** For the end of a turn after an interrupt. */
  interrupt: number
  /** For the end of the process after `end_session`. */
  endSession: number
  /** For the end of the process after SIGTERM. */
  term: number
}

export const PATIENCE: Patience = { start: 60_000, interrupt: 2_000, endSession: 3_000, term: 2_000 }

/** The polite steps, which only the client's own protocol knows. */
interface Orders {
  /** Resolves when the running turn has ended; at once when there is none. */
  interrupt(): Promise<unknown>
  endSession(): void
}

/** Stops the client by ever firmer steps, then ends what it had started and left. */
export async function descend(
  child: ChildProcess,
  spawnId: string,
  orders: Orders,
  { interrupt, endSession, term }: Patience,
): Promise<void> {
  const seen = processesOf(spawnId, await runningProcesses())
  const gone = new Promise<true>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(true)
    child.once('exit', () => resolve(true))
  })
  const within = (ms: number) => Promise.race([gone, sleep(ms, false)])
  await Promise.race([orders.interrupt(), within(interrupt)])
  orders.endSession()
  if (!(await within(endSession))) {
    send(child.pid!, 'SIGTERM')
    if (!(await within(term))) send(child.pid!, 'SIGKILL')
  }
  await gone
  await endProcesses(spawnId, { seen })
}
