import { type Memory, versionOf } from '#core/memory/memory.ts'
import type { MemoryStore } from '#core/ports/store.ts'
import { isObject, parseJson } from '#protocol/json.ts'
import { readMemory } from '#protocol/memory-json.ts'
import { emptyReport, type ImportReport, keepAll, leaveOut } from './import-report.ts'

const BATCH = 100

/** Where the lines go: those without a project, or all of them with `move`, become memories of `projectId`. */
export interface LinesPlace {
  projectId: string
  move?: boolean
  /** Projects that remember nothing. */
  closed?: readonly string[]
}

/** Takes memories from JSON lines; a newer copy replaces an older one. */
export async function importLines(
  store: Pick<MemoryStore, 'byIds' | 'put'>,
  lines: AsyncIterable<string>,
  { projectId, move = false, closed = [] }: LinesPlace,
  progress: (report: ImportReport) => void = () => {},
): Promise<ImportReport> {
  const report = emptyReport()
  let batch: Memory[] = []
  const settle = async () => {
    await keepAll(store, batch, report, (there, fresh) => (versionOf(fresh) > versionOf(there) ? fresh : undefined))
    batch = []
    progress(report)
  }
  for await (const line of lines) {
    if (line.trim() === '') continue
    report.read++
    const json = parseJson(line)
    const memory = isObject(json) ? readMemory({ projectId, ...json, ...(move && { projectId }) }) : undefined
    if (memory && closed.includes(memory.projectId)) {
      leaveOut(report, 'its project remembers nothing')
      continue
    }
    if (memory && memory.projectId !== projectId) report.elsewhere = (report.elsewhere ?? 0) + 1
    if (memory) batch.push(memory)
    else leaveOut(report, 'not a memory')
    if (batch.length === BATCH) await settle()
  }
  await settle()
  return report
}

/** Every memory as a JSON line, oldest last; `projectId` keeps to one project. */
export async function* exportLines(store: Pick<MemoryStore, 'list'>, projectId?: string): AsyncGenerator<string> {
  for (let last: Memory | undefined; ; ) {
    const page: Memory[] = await store.list(projectId, { limit: BATCH, ...(last && { before: last }) })
    for (const memory of page) yield `${JSON.stringify(memory)}\n`
    last = page.at(-1)
    if (!last) return
  }
}
