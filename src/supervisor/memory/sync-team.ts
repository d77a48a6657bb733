import { type SetAside, unfitItem } from '#core/memory/admit-shared.ts'
import { type PullMark, type PullPage, type Rights, type SharedItem, withoutSecrets } from '#core/memory/sync.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { SharedLearnings, SharingStore, TeamDatabase } from '#core/ports/sharing.ts'
import type { StateStore } from '#core/ports/state.ts'
import { readMemory } from '#protocol/memory-json.ts'
import { syncLearnings } from '../learning/sync-learnings.ts'
import { SLOTS } from '../state-slots.ts'
import { noteSetAside } from './set-aside.ts'

export interface SyncNeeds {
  sharing: SharingStore
  states: StateStore
  learnings: SharedLearnings
  clock: Clock
  /** The projects that are shared with this team. Nothing is read or sent for any other. */
  shared(): Promise<string[]>
  /** Sends or fetches one page if the project is shared at that moment; false where it is not, and then nothing was done. */
  exchange(projectId: string, work: () => Promise<void>): Promise<boolean>
  /** Memories that were taken back from the team: they are not sent again, and deleting them there does not delete them here. */
  takenBack(projectId: string): Promise<ReadonlySet<string>>
}

export interface ProjectSync {
  projectId: string
  rights: Rights
  pushed: number
  pulled: number
  /** Rows of the team that are not taken, and why: at most so many, the newest last. */
  setAside?: SetAside[]
  /** Why this project could not be brought in step, where the others could. */
  error?: string
}

/** Called with the progress: the first synchronisation of a large project takes its time. */
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
      await takeMended(round)
      if (rights === 'write' && (restored || waiting.has(projectId))) await push(round)
      await syncLearnings(round, head)
    } catch (error) {
      if (isOurs(error)) throw error
      sync.error = error instanceof Error ? error.message : String(error)
    }
  }
  return done
}

/** One project in one synchronisation. */
export interface SyncRound {
  needs: SyncNeeds
  team: TeamDatabase
  sync: ProjectSync
  told: SyncProgress
  takenBack: ReadonlySet<string>
}

/** Rows read before are gone with the whole project: the database was set up anew. */
async function wasRead(sharing: SharingStore, projectId: string): Promise<boolean> {
  const marks = await Promise.all(KINDS.map((kind) => sharing.mark(kind, projectId)))
  return marks.some((mark) => mark !== undefined)
}

/** The connection or the store here: nothing can be done for the other projects either. A server that said no, or what came from it, concerns one. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name === 'StorageError' && 'code' in error && error.code !== 'refused'
}

/** Whether the team's database turned out to be another than last time, so that ours has to be sent again. */
async function pull({ needs, team, sync, told, takenBack }: SyncRound, head: PullMark): Promise<boolean> {
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
        const { items, setAside } = sorted({ ...page, items: page.items.filter(isNews) })
        const { taken, failed } = await takeItems(sharing, kind, projectId, { ...page, items }, mark)
        sync.pulled += taken
        await noteSetAside(needs, sync, items, [...setAside, ...failed])
        told(sync)
        more = page.more
      })
      if (!isShared) return false
    }
  }
  return restored
}

/** What may be taken, without secrets, and what may not. */
function sorted({ items, unreadable = [] }: Pick<PullPage, 'items' | 'unreadable'>) {
  const setAside = [...unreadable]
  const fit = items.filter((item) => {
    const reason = unfitItem(item) ?? (isMemory(item) ? undefined : 'it is not a memory that this Grove understands')
    if (reason !== undefined) setAside.push({ id: item.id, reason })
    return reason === undefined
  })
  return { items: fit.map(withoutSecrets), setAside }
}

function isMemory({ id, projectId, body }: SharedItem): boolean {
  return body === undefined || readMemory({ ...body, id, projectId }) !== undefined
}

/** One page at once; if the store refuses it, one by one, so that a single row keeps no other from being taken. */
async function takeItems(
  sharing: SharingStore,
  kind: string,
  projectId: string,
  page: PullPage,
  before: PullMark | undefined,
): Promise<{ taken: number; failed: SetAside[] }> {
  try {
    return { taken: await sharing.take(kind, projectId, page), failed: [] }
  } catch (error) {
    if (isOurs(error)) throw error
  }
  const failed: SetAside[] = []
  let taken = 0
  for (const item of page.items) {
    try {
      const mark = before ?? { ...page.mark, change: 0 }
      taken += await sharing.take(kind, projectId, { ...page, items: [item], mark })
    } catch (error) {
      if (isOurs(error)) throw error
      failed.push({ id: item.id, reason: 'the store does not take it' })
    }
  }
  await sharing.take(kind, projectId, { ...page, items: [] })
  return { taken, failed }
}

/** Rows set aside earlier are validated again in every round: they may have been repaired. */
async function takeMended({ needs, team, sync }: SyncRound) {
  const { sharing, states, exchange } = needs
  const { projectId } = sync
  const rows = (await states.get(SLOTS.teamSetAside, projectId))?.rows ?? []
  const known = rows.filter(({ kind }) => kind === undefined)
  if (known.length === 0) return
  await exchange(projectId, async () => {
    for (const kind of KINDS) {
      const found = await team.pick(
        kind,
        projectId,
        known.map(({ id }) => id),
      )
      const { items, setAside } = sorted(found)
      const mark = await sharing.mark(kind, projectId)
      if (!mark) return
      const { taken, failed } = await takeItems(sharing, kind, projectId, pageOf(items, mark), mark)
      sync.pulled += taken
      const gone = known.filter(({ id }) => ![...items, ...setAside].some((one) => one.id === id))
      await noteSetAside(needs, sync, [...items, ...gone], [...setAside, ...failed])
    }
  })
}

function pageOf(items: SharedItem[], mark: PullMark): PullPage {
  return { items, mark, more: false, anew: false }
}

async function push({ needs, team, sync, told, takenBack }: SyncRound) {
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
