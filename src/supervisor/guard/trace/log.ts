import type { GuardedProject } from '#core/ports/guard.ts'
import type { IndexEntry } from '#core/ports/trace.ts'
import { readRecord, type TraceView, viewOf } from '#core/trace/view.ts'
import type { TraceWorld } from './world.ts'

export interface LogQuery {
  intent?: string
  session?: string
  path?: string
  /** Only what is older than this. */
  before?: number
  limit: number
}

export interface LogPage {
  records: TraceView[]
  /** The `before` of the next page. */
  next?: number
}

/** The newest records that fit, newest first. */
export async function traceLog(world: TraceWorld, project: GuardedProject, query: LogQuery): Promise<LogPage> {
  const isPlain = query.intent === undefined && query.session === undefined && query.path === undefined
  const records = isPlain ? await newest(world, project, query) : await found(world, project, query)
  const last = records[query.limit - 1]
  return { records: records.slice(0, query.limit), ...(records.length > query.limit && last && { next: last.at }) }
}

/** Without a question the end of the ledger is the answer. */
async function newest(
  { ledger }: TraceWorld,
  project: GuardedProject,
  { before, limit }: LogQuery,
): Promise<TraceView[]> {
  const views: TraceView[] = []
  for await (const { text } of ledger.newest(project)) {
    const record = readRecord(text)
    const view = record && viewOf(record)
    if (view && (before === undefined || view.at < before)) views.push(view)
    if (views.length > limit) break
  }
  return views
}

const BATCH = 200

async function found({ ledger }: TraceWorld, project: GuardedProject, query: LogQuery): Promise<TraceView[]> {
  const { intent, session, path, before, limit } = query
  const hashed = (name: string | undefined) => (name === undefined ? undefined : ledger.nameHash(name))
  const wanted = { intent: hashed(intent), session: hashed(session), path: hashed(path) }
  const fits = (entry: IndexEntry) =>
    (wanted.intent === undefined || entry.intent === wanted.intent) &&
    (wanted.session === undefined || entry.session === wanted.session) &&
    (wanted.path === undefined || entry.files.some((file) => file.path === wanted.path)) &&
    (before === undefined || entry.at < before)
  const { entries } = await ledger.index(project)
  const candidates = entries.filter(fits).sort((a, b) => b.at - a.at || b.offset - a.offset)
  const views: TraceView[] = []
  for (let from = 0; from < candidates.length && views.length <= limit; from += BATCH) {
    const records = await ledger.records(project, candidates.slice(from, from + BATCH))
    // Two names can have the same hash; the record itself decides.
    views.push(
      ...records
        .flatMap((record) => (record ? viewOf(record) : []))
        .filter(
          (view) =>
            (intent === undefined || view.intent === intent) &&
            (session === undefined || view.session === session) &&
            (path === undefined || view.files.some((file) => file.path === path)),
        ),
    )
  }
  return views
}
