import { type PullMark, type Rights, withoutSecrets } from '#core/memory/sync.ts'
import type { SharingStore, TeamDatabase } from '#core/ports/sharing.ts'

export interface SyncNeeds {
  sharing: SharingStore
  /** Every project known here. */
  projects(): Promise<string[]>
  /** Whether the team may know of a project. */
  isShared(projectId: string): boolean
}

export interface ProjectSync {
  projectId: string
  rights: Rights
  pushed: number
  pulled: number
  /** Why this project could not be brought in step, where the others could. */
  error?: string
}

/** Told while it goes on: the first synchronisation of a large project takes its time. */
export type SyncProgress = (sync: ProjectSync) => void

/** Small enough that a push is over in a moment: it keeps the others of the project waiting. */
const PUSHED_AT_ONCE = 100
const PULLED_AT_ONCE = 500
const KINDS = ['memory']

/** Fetches what is new and sends what waits, project by project. Broken off anywhere and begun again it ends the same. */
export async function syncTeam(
  { sharing, projects, isShared }: SyncNeeds,
  team: TeamDatabase,
  told: SyncProgress = () => {},
): Promise<ProjectSync[]> {
  const waiting = new Set((await sharing.waiting()).map(({ projectId }) => projectId))
  const all = [...new Set([...waiting, ...(await projects())])].filter((id) => isShared(id)).sort()
  if (all.length === 0) return []
  const survey = await team.survey(all)
  const done: ProjectSync[] = []
  for (const projectId of all) {
    const { rights, head } = survey.get(projectId) ?? { rights: 'none' }
    const sync: ProjectSync = { projectId, rights, pushed: 0, pulled: 0 }
    done.push(sync)
    if (rights === 'none') continue
    try {
      // First what is new there: what the team has deleted need not be sent.
      const restored = head ? await pull(sharing, team, sync, head, told) : await wasRead(sharing, projectId)
      if (restored) await sharing.resend(projectId)
      if (rights === 'write' && (restored || waiting.has(projectId))) await push(sharing, team, sync, told)
    } catch (error) {
      if (!isRefusal(error)) throw error
      sync.error = error.message
    }
  }
  return done
}

/** What we once read there is gone, with the whole project: the database was set up anew. */
async function wasRead(sharing: SharingStore, projectId: string): Promise<boolean> {
  const marks = await Promise.all(KINDS.map((kind) => sharing.mark(kind, projectId)))
  return marks.some((mark) => mark !== undefined)
}

/** The server answered and said no, to this project; with the others there may be no trouble. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'refused'
}

/** Whether the team's database turned out to be another than last time, so that ours has to be sent again. */
async function pull(
  sharing: SharingStore,
  team: TeamDatabase,
  sync: ProjectSync,
  head: PullMark,
  told: SyncProgress,
): Promise<boolean> {
  let restored = false
  for (const kind of KINDS) {
    for (let more = true; more; ) {
      const mark = await sharing.mark(kind, sync.projectId)
      if (mark?.epoch === head.epoch && mark.change === head.change) break
      const page = await team.pull(kind, sync.projectId, mark, PULLED_AT_ONCE)
      restored ||= page.anew
      const items = page.items.map(withoutSecrets)
      sync.pulled += await sharing.take(kind, sync.projectId, { ...page, items })
      told(sync)
      more = page.more
    }
  }
  return restored
}

async function push(sharing: SharingStore, team: TeamDatabase, sync: ProjectSync, told: SyncProgress) {
  for (;;) {
    const items = await sharing.outgoing(sync.projectId, PUSHED_AT_ONCE)
    if (items.length === 0) return
    await team.push(sync.projectId, items)
    await sharing.sent(items)
    sync.pushed += items.length
    told(sync)
  }
}
