import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { type GitCache, gitCache } from '#exec/git/cache.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** What git says about folders: one cache, which all parts of a process share. */
export function gitOn(states: StateStore, { now }: Clock): GitCache {
  return gitCache({ states, slot: SLOTS.git, now })
}
