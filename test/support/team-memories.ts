import { randomUUID } from 'node:crypto'
import type { Learning } from '../../src/core/learning/learning.ts'
import type { Memory } from '../../src/core/memory/memory.ts'
import { teamAt } from '../../src/core/memory/shares.ts'
import type { Store } from '../../src/core/ports/store.ts'
import type { SyncNeeds } from '../../src/supervisor/memory/sync-team.ts'
import { type TeamShares, teamShares } from '../../src/supervisor/memory/team-shares.ts'

export const PROJECT = 'example.com/team/app'

export function memoryOf(id: string, createdAt: number, user: string, more: Partial<Memory> = {}): Memory {
  return {
    id,
    projectId: PROJECT,
    user,
    instruction: `Do ${id}`,
    goal: `${id} is done`,
    reasoningTrace: [`Changed src/${id}.ts because it was slow`],
    decisions: [{ choice: 'a cache', reason: 'reads are many' }],
    constraints: [],
    files: [`src/${id}.ts`],
    tags: [],
    status: 'complete',
    trigger: 'complete',
    createdAt,
    ...more,
  }
}

/** Everything a home knows, by id. */
export async function knownTo(store: Store): Promise<Map<string, Memory>> {
  const all = await store.memories.list(undefined, { limit: 1_000_000 })
  return new Map(all.map((memory) => [memory.id, memory] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What a home shares, in its store. */
export function sharesOf({ states, sharing }: Store): TeamShares {
  return teamShares({ states, sharing, clock: { now: Date.now }, newId: randomUUID })
}

/** What is needed to synchronise with the team at this URL. */
export function syncingWith(store: Store, url: string): SyncNeeds {
  const shares = sharesOf(store)
  const team = teamAt(url)
  return {
    sharing: store.sharing,
    states: store.states,
    learnings: learningsOf(store),
    clock: { now: Date.now },
    shared: () => shares.with(team),
    exchange: (projectId, work) => shares.exchange(projectId, team, work),
    takenBack: shares.takenBack,
  }
}

/** The same, with the project shared. */
export async function sharingWith(store: Store, url: string): Promise<SyncNeeds> {
  await sharesOf(store).share(PROJECT, teamAt(url))
  return syncingWith(store, url)
}

const shelves = new WeakMap<Store, Map<string, Learning>>()

/** The learnings that a home keeps of the project, by id. */
export function shelfOf(store: Store): Map<string, Learning> {
  const shelf = shelves.get(store) ?? new Map<string, Learning>()
  shelves.set(store, shelf)
  return shelf
}

function learningsOf(store: Store): SyncNeeds['learnings'] {
  const shelf = shelfOf(store)
  return {
    read: async () => [...shelf.values()],
    takenOut: async () => new Set(),
    async merge(_, learnings, gone) {
      for (const learning of learnings) shelf.set(learning.id, learning)
      for (const id of gone) shelf.delete(id)
    },
  }
}
