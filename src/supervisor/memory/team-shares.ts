import { setTimeout as wait } from 'node:timers/promises'
import {
  firstShares,
  isExchanging,
  type Shares,
  sharedWith,
  withExchange,
  withoutExchange,
  withoutShares,
  withShare,
  withTeam,
} from '#core/memory/shares.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { SharingStore } from '#core/ports/sharing.ts'
import type { StateStore } from '#core/ports/state.ts'
import { SLOTS } from '../state-slots.ts'

interface Needs {
  states: StateStore
  sharing: Pick<SharingStore, 'marked'>
  clock: Clock
  newId(): string
}

/** Which projects this home shares, and with which team. A team is named by server, port and database. */
export interface TeamShares {
  /** The projects shared with this team, in the order of their ids. */
  with(team: string): Promise<string[]>
  /** This home has this team now: what was shared with another is not shared any more. */
  join(team: string): Promise<void>
  share(projectId: string, team: string): Promise<void>
  /** Ends sharing these projects, or all. Nothing of them is sent any more when it resolves, in whatever process. */
  stop(projectIds?: readonly string[]): Promise<void>
  /** Sends or fetches one page while the project is shared; false where it is not, and then nothing was done. */
  exchange(projectId: string, team: string, work: () => Promise<void>): Promise<boolean>
  /** Memories of the project that were taken back: what the team deletes of these stays here. */
  takenBack(projectId: string): Promise<ReadonlySet<string>>
  noteTakenBack(projectId: string, ids: readonly string[]): Promise<void>
}

const KEY = 'all'
/** Longer than a connection and a query may take. */
const LONGEST_EXCHANGE_MS = 30_000
const LOOK_AGAIN_MS = 25

export function teamShares({ states, sharing, clock, newId }: Needs): TeamShares {
  const slot = SLOTS.teamShares

  async function shares(): Promise<Shares> {
    const kept = await states.get(slot, KEY)
    if (kept) return kept
    const first = firstShares(await sharing.marked(), clock.now())
    return states.update(slot, KEY, clock.now(), (there) => there ?? first)
  }

  async function change(to: (before: Shares) => Shares): Promise<Shares> {
    const first = await shares()
    return states.update(slot, KEY, clock.now(), (before) => to(before ?? first))
  }

  return {
    with: async (team) => sharedWith(await shares(), team).sort(),
    async join(team) {
      await change((before) => withTeam(before, team))
    },
    async share(projectId, team) {
      await change((before) => withShare(withTeam(before, team), projectId, { team, at: clock.now() }))
    },
    async stop(projectIds) {
      let left = await change((before) => withoutShares(before, projectIds))
      while (isExchanging(left, projectIds, clock.now())) {
        await wait(LOOK_AGAIN_MS)
        left = await shares()
      }
    },
    async exchange(projectId, team, work) {
      const id = newId()
      const now = clock.now()
      const wish = { projectId, team, now, until: now + LONGEST_EXCHANGE_MS }
      const begun = await change((before) => withExchange(before, id, wish))
      if (!begun.exchanges[id]) return false
      try {
        await work()
        return true
      } finally {
        await change((before) => withoutExchange(before, id))
      }
    },
    takenBack: async (projectId) => new Set((await states.get(SLOTS.teamTakenBack, projectId))?.ids),
    async noteTakenBack(projectId, ids) {
      const at = clock.now()
      await states.update(SLOTS.teamTakenBack, projectId, at, (before) => {
        return { ids: [...new Set([...(before?.ids ?? []), ...ids])] }
      })
    },
  }
}
