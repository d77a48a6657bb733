import type { Clock } from '#core/ports/runtime.ts'
import type { SentItem, TeamDatabase } from '#core/ports/sharing.ts'
import type { TeamShares } from './team-shares.ts'

/** What a member has sent of one project. */
export interface SentWork {
  projectId: string
  /** Written under the member's name. */
  own: SentItem[]
  /** Sent through the member's login under another name, or none: an import, a change to a teammate's, or another person who uses the login. */
  unclear: SentItem[]
}

/** Looks up what stands in the team's database of this author, in these projects or in all that can be seen. */
export async function findSent(
  team: TeamDatabase,
  author: string,
  projectIds: readonly string[] | undefined,
): Promise<SentWork[]> {
  const found: SentWork[] = []
  for (const projectId of projectIds ?? (await team.projects())) {
    const items = await team.sentBy(projectId, author)
    const isOwn = (item: SentItem) => item.author === author
    found.push({ projectId, own: items.filter(isOwn), unclear: items.filter((item) => !isOwn(item)) })
  }
  return found
}

interface Needs {
  shares: TeamShares
  team: TeamDatabase
  clock: Clock
}

const AT_ONCE = 100

/**
 * Deletes these from the team's database, for everybody. The project is not shared any more by then, and what is
 * stored here stays: that these were taken back is noted first, so that sharing it again deletes nothing here.
 */
export async function takeBack(
  { shares, team, clock }: Needs,
  { projectId, items, by }: { projectId: string; items: readonly SentItem[]; by: string },
): Promise<void> {
  await shares.stop([projectId])
  if (items.length === 0) return
  await shares.noteTakenBack(
    projectId,
    items.map(({ id }) => id),
  )
  const deletions = items.map(({ kind, id, version }) => {
    return { kind, id, projectId, version: Math.max(clock.now(), version + 1), by }
  })
  for (let at = 0; at < deletions.length; at += AT_ONCE) await team.push(projectId, deletions.slice(at, at + AT_ONCE))
}
