import type { Clock } from '#core/ports/runtime.ts'
import type { Slot } from '#core/ports/state.ts'
import type { Store } from '#core/ports/store.ts'
import type { HookPart } from './handle-hook.ts'
import { SLOTS } from './state-slots.ts'

interface SweepNeeds {
  store: Pick<Store, 'states' | 'checkpointLog'>
  clock: Clock
  /** Removes the copies of files that the guard has kept for a call. */
  dropCopies(toolUseId: string): Promise<void>
  /** Saves the work of a session that went away without a word. Missing where another process has it in memory. */
  closeSession?: (sessionId: string) => Promise<void>
}

/** Their keys name folders with copies of files. */
const WITH_COPIES: Slot<unknown>[] = [SLOTS.guardWindow, SLOTS.guardWaiting, SLOTS.guardViolation]

/** Removes what has outlived the life that its slot declares, and closes sessions that have been idle for too long. */
export async function sweepStates({ store, clock, dropCopies, closeSession }: SweepNeeds): Promise<void> {
  const now = clock.now()
  for (const slot of Object.values<Slot<unknown>>(SLOTS)) {
    const { life } = slot
    if ('idleMs' in life) {
      const gone = await store.states.expire(slot, now - life.idleMs)
      if (WITH_COPIES.includes(slot)) for (const toolUseId of gone) await dropCopies(toolUseId)
    }
    if ('sessionIdleMs' in life && closeSession) {
      for (const id of await store.states.idleSince(slot, now - life.sessionIdleMs)) await closeSession(id)
    }
  }
  await store.states.put(SLOTS.sweep, LAST, now, now)
  await store.checkpointLog()
}

const LAST = 'last'
const DAY = 24 * 3_600_000

/** Sweeps once a day when a session begins, for homes in which no daemon runs to do so every hour. */
export function sweepPart(needs: SweepNeeds): HookPart {
  return {
    name: 'sweep',
    async handle(event) {
      if (event.hook_event_name !== 'SessionStart') return undefined
      const last = (await needs.store.states.get(SLOTS.sweep, LAST)) ?? 0
      if (needs.clock.now() - last >= DAY) await sweepStates(needs)
      return undefined
    },
  }
}
