import { type MarkedProcess, markedProcesses } from '../process/table.ts'
import { MARKER } from './environment.ts'

/** Every process of this machine; those of a run carry its marker. */
export function runningProcesses(): Promise<MarkedProcess[]> {
  return markedProcesses(MARKER)
}

/** The processes that carry the run's marker, the client itself among them, and everything that descends from them. */
export function processesOf(spawnId: string, table: MarkedProcess[]): MarkedProcess[] {
  const found = new Map(table.filter(({ mark }) => mark === spawnId).map((running) => [running.pid, running]))
  // Each pass finds one generation more.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const running of table) if (found.has(running.parent)) found.set(running.pid, running)
  }
  found.delete(process.pid)
  return [...found.values()]
}
