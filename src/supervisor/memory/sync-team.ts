import { isShared, type Rights, type SharingStore, type TeamDatabase } from '#core/memory/sync.ts'

export interface SyncNeeds {
  sharing: SharingStore
  /** Every project known here. */
  projects(): Promise<string[]>
}

export interface ProjectSync {
  projectId: string
  rights: Rights
  pushed: number
  pulled: number
}

/** Small enough that a push is over in a moment: it keeps the others of the project waiting. */
const PUSHED_AT_ONCE = 100
const PULLED_AT_ONCE = 500
const KINDS = ['memory']

/** Sends what waits and fetches what is new, project by project. Broken off anywhere and begun again it ends the same. */
export async function syncTeam(
  { sharing, projects }: SyncNeeds,
  team: TeamDatabase,
  told: (done: ProjectSync) => void = () => {},
): Promise<ProjectSync[]> {
  const waiting = (await sharing.waiting()).map(({ projectId }) => projectId)
  const all = [...new Set([...waiting, ...(await projects())])].filter(isShared).sort()
  const done: ProjectSync[] = []
  for (const projectId of all) {
    const rights = await team.rights(projectId)
    const sync: ProjectSync = { projectId, rights, pushed: 0, pulled: 0 }
    if (rights !== 'none') await syncProject(sharing, team, sync, told)
    done.push(sync)
  }
  return done
}

async function syncProject(
  sharing: SharingStore,
  team: TeamDatabase,
  sync: ProjectSync,
  told: (done: ProjectSync) => void,
) {
  // First what is new there: what the team has deleted need not be sent.
  const anew = await pullProject(sharing, team, sync, told)
  if (anew) await sharing.resend(sync.projectId)
  if (sync.rights === 'write') await pushProject(sharing, team, sync, told)
}

async function pullProject(
  sharing: SharingStore,
  team: TeamDatabase,
  sync: ProjectSync,
  told: (done: ProjectSync) => void,
): Promise<boolean> {
  let restored = false
  for (const kind of KINDS) {
    for (let more = true; more; ) {
      const mark = await sharing.mark(kind, sync.projectId)
      const page = await team.pull(kind, sync.projectId, mark, PULLED_AT_ONCE)
      restored ||= page.anew
      if (page.items.length > 0 || page.mark.change !== mark?.change || page.mark.epoch !== mark.epoch) {
        sync.pulled += await sharing.take(kind, sync.projectId, page)
        told(sync)
      }
      more = page.more
    }
  }
  return restored
}

async function pushProject(
  sharing: SharingStore,
  team: TeamDatabase,
  sync: ProjectSync,
  told: (done: ProjectSync) => void,
) {
  for (;;) {
    const items = await sharing.outgoing(sync.projectId, PUSHED_AT_ONCE)
    if (items.length === 0) return
    await team.push(sync.projectId, items)
    await sharing.sent(items)
    sync.pushed += items.length
    told(sync)
  }
}
