import { type PullMark, type Rights, type SharedItem, withoutSecrets } from '#core/memory/sync.ts'
import type { SharingStore, TeamDatabase } from '#core/ports/sharing.ts'

export interface SyncNeeds {
  sharing: SharingStore
  /** The projects that are shared with this team. Nothing is asked or told of any other. */
  shared(): Promise<string[]>
  /** Sends or fetches one page if the project is shared at that moment; false where it is not, and then nothing was done. */
  exchange(projectId: string, work: () => Promise<void>): Promise<boolean>
  /** Memories that were taken back from the team: they are not sent again, and their deletion there is none here. */
  takenBack(projectId: string): Promise<ReadonlySet<string>>
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
  needs: SyncNeeds,
  team: TeamDatabase,
  told: SyncProgress = () => {},
): Promise<ProjectSync[]> {
  const { sharing } = needs
  const all = (await needs.shared()).toSorted()
  if (all.length === 0) return []
  const waiting = new Set((await sharing.waiting()).map(({ projectId }) => projectId))
  const survey = await team.survey(all)
  const done: ProjectSync[] = []
  for (const projectId of all) {
    const { rights, head } = survey.get(projectId) ?? { rights: 'none' }
    const sync: ProjectSync = { projectId, rights, pushed: 0, pulled: 0 }
    done.push(sync)
    if (rights === 'none') continue
    try {
      const takenBack = await needs.takenBack(projectId)
      const round = { needs, team, sync, told, takenBack }
      // First what is new there: what the team has deleted need not be sent.
      const restored = head ? await pull(round, head) : await wasRead(sharing, projectId)
      if (restored) await sharing.resend(projectId)
      if (rights === 'write' && (restored || waiting.has(projectId))) await push(round)
    } catch (error) {
      if (!isRefusal(error)) throw error
      sync.error = error.message
    }
  }
  return done
}

/** One project in one synchronisation. */
interface Round {
  needs: SyncNeeds
  team: TeamDatabase
  sync: ProjectSync
  told: SyncProgress
  takenBack: ReadonlySet<string>
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
async function pull({ needs, team, sync, told, takenBack }: Round, head: PullMark): Promise<boolean> {
  const { sharing, exchange } = needs
  const { projectId } = sync
  let restored = false
  const isNews = ({ id, body }: SharedItem) => body !== undefined || !takenBack.has(id)
  for (const kind of KINDS) {
    for (let more = true; more; ) {
      const mark = await sharing.mark(kind, projectId)
      if (mark?.epoch === head.epoch && mark.change === head.change) break
      const isShared = await exchange(projectId, async () => {
        const page = await team.pull(kind, projectId, mark, PULLED_AT_ONCE)
        restored ||= page.anew
        const items = page.items.filter(isNews).map(withoutSecrets)
        sync.pulled += await sharing.take(kind, projectId, { ...page, items })
        told(sync)
        more = page.more
      })
      if (!isShared) return false
    }
  }
  return restored
}

async function push({ needs, team, sync, told, takenBack }: Round) {
  const { sharing, exchange } = needs
  for (;;) {
    const items = await sharing.outgoing(sync.projectId, PUSHED_AT_ONCE)
    if (items.length === 0) return
    const wanted = items.filter(({ id }) => !takenBack.has(id))
    const isShared = await exchange(sync.projectId, () => team.push(sync.projectId, wanted))
    if (!isShared) return
    await sharing.sent(items)
    sync.pushed += wanted.length
    told(sync)
  }
}
