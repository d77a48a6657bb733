import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { knownProjects } from '#exec/git/cache.ts'
import { type Pauses, pausesIn } from '#supervisor/pause/pauses.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** What is switched off for now, in one store. */
export function pausesOn(states: StateStore, clock: Clock): Pauses {
  return pausesIn({ states, clock, projectAt: knownProjects({ states, slot: SLOTS.git, now: clock.now }) })
}
