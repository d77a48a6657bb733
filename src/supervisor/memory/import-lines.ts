import { type Memory, versionOf } from '#core/memory/memory.ts'
import type { MemoryStore } from '#core/ports/store.ts'
import { isObject } from '#protocol/json.ts'
import { lacksOf, readMemory } from '#protocol/memory-json.ts'
import { emptyReport, type ImportReport, keepAll, leaveOut } from './import-report.ts'

const BATCH = 100
/** At most this many bad lines are listed. */
const MOST_BROKEN = 20

/** Where the lines go: those without a project, or all of them with `copyId`, become memories of `projectId`. */
export interface LinesPlace {
  projectId: string
  /** Projects that remember nothing. */
  closed?: readonly string[]
  /** The id of the copy that a project gets of another project's memory. */
  copyId?: (memoryId: string, projectId: string) => string
}

/** Takes memories from JSON lines; a newer copy replaces an older one. */
export async function importLines(
  store: Pick<MemoryStore, 'byIds' | 'put'>,
  lines: AsyncIterable<string>,
  { projectId, closed = [], copyId }: LinesPlace,
  progress: (report: ImportReport) => void = () => {},
): Promise<ImportReport> {
  const report = emptyReport()
  let batch: Memory[] = []
  const settle = async () => {
    const memories = copyId ? await asCopies(store, batch, copyId) : batch
    await keepAll(store, memories, report, (there, fresh) => (versionOf(fresh) > versionOf(there) ? fresh : undefined))
    batch = []
    progress(report)
  }
  let at = 0
  for await (const line of lines) {
    at++
    if (line.trim() === '') continue
    report.read++
    const memory = memoryIn(line, (json) => ({ projectId, ...json, ...(copyId && { projectId }) }))
    if (typeof memory === 'string') {
      report.broken = [...(report.broken ?? []), { line: at, why: memory }].slice(0, MOST_BROKEN)
      leaveOut(report, 'not a memory')
      continue
    }
    if (closed.includes(memory.projectId)) {
      leaveOut(report, 'its project remembers nothing')
      continue
    }
    if (memory.projectId !== projectId) report.elsewhere = (report.elsewhere ?? 0) + 1
    batch.push(memory)
    if (batch.length === BATCH) await settle()
  }
  await settle()
  return report
}

/** The memory in a line, or what is wrong with it. */
function memoryIn(line: string, placed: (json: Record<string, unknown>) => Record<string, unknown>): Memory | string {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return `not JSON (${(error as Error).message})`
  }
  if (!isObject(json)) return 'not a JSON object'
  return readMemory(placed(json)) ?? lacksOf(placed(json))
}

/** What another project has stays there; this one gets a copy under an id of its own. */
async function asCopies(
  store: Pick<MemoryStore, 'byIds'>,
  memories: Memory[],
  copyId: NonNullable<LinesPlace['copyId']>,
): Promise<Memory[]> {
  const there = await store.byIds(memories.map(({ id }) => id))
  const owner = new Map(there.map(({ id, projectId }) => [id, projectId]))
  return memories.map((memory) => {
    const { id, projectId } = memory
    return (owner.get(id) ?? projectId) === projectId ? memory : { ...memory, id: copyId(id, projectId) }
  })
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
