import type { SetAside } from '#core/memory/admit-shared.ts'
import { SLOTS } from '../state-slots.ts'
import type { ProjectSync, SyncNeeds } from './sync-team.ts'

const MOST_SET_ASIDE = 50

/** Keeps which rows are set aside; those that were taken meanwhile, or are gone, leave the list. */
export async function noteSetAside(
  { states, clock }: Pick<SyncNeeds, 'states' | 'clock'>,
  sync: ProjectSync,
  taken: readonly { id: string }[],
  setAside: readonly SetAside[],
) {
  const before = (await states.get(SLOTS.teamSetAside, sync.projectId))?.rows ?? []
  if (before.length === 0 && setAside.length === 0) return
  const settled = new Set([...taken, ...setAside].map(({ id }) => id))
  const rows = [...before.filter(({ id }) => !settled.has(id)), ...setAside].slice(-MOST_SET_ASIDE)
  if (rows.length > 0) {
    await states.put(SLOTS.teamSetAside, sync.projectId, { rows }, clock.now())
    sync.setAside = rows
  } else {
    await states.remove(SLOTS.teamSetAside, sync.projectId)
    delete sync.setAside
  }
}
