import type { Memory } from '#core/memory/memory.ts'
import { checkQuality } from '#core/memory/quality.ts'
import type { MemoryStore } from '#core/ports/store.ts'

/** What became of what was read. */
export interface ImportReport {
  read: number
  kept: number
  /** Was there already. */
  known: number
  /** How many name another project than the one they were brought into. */
  elsewhere?: number
  /** Why the others were left out, and how many each. */
  left: Record<string, number>
  /** Lines of a file that are no memories, counted from 1. */
  broken?: { line: number; why: string }[]
}

/** Told now and then; `share` is how much of what there is has been read, from 0 to 1. */
export type ImportProgress = (report: ImportReport, share: number) => void

export function emptyReport(): ImportReport {
  return { read: 0, kept: 0, known: 0, left: {} }
}

export function leaveOut(report: ImportReport, why: string): void {
  report.left[why] = (report.left[why] ?? 0) + 1
}

/** Keeps those that pass the quality check; `merge` says what becomes of one that is there already, undefined leaves it alone. */
export async function keepAll(
  store: Pick<MemoryStore, 'byIds' | 'put'>,
  memories: Memory[],
  report: ImportReport,
  merge: (there: Memory, fresh: Memory) => Memory | undefined = () => undefined,
): Promise<void> {
  const there = new Map((await store.byIds(memories.map(({ id }) => id))).map((memory) => [memory.id, memory]))
  const wanted: Memory[] = []
  for (const raw of memories) {
    const verdict = checkQuality(raw)
    if (!verdict.keep) {
      leaveOut(report, verdict.why)
      continue
    }
    const known = there.get(raw.id)
    const memory = known ? merge(known, verdict.memory) : verdict.memory
    if (memory) wanted.push(memory)
    else report.known++
  }
  await store.put(...wanted)
  report.kept += wanted.length
}
