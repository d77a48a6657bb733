import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { SLOTS } from '../../state-slots.ts'

/** Leases in the store: exclusive over all processes, until released or expired. */

const PAUSE_MS = 40

export interface Lease {
  holder: string
  until: number
}

interface Needs {
  states: StateStore
  clock: Clock
}

/** Takes the lease, waiting at most so long. Undefined: taken; else its present holder. */
export async function takeLease(
  { states, clock }: Needs,
  name: string,
  holder: string,
  { forMs, waitMs }: { forMs: number; waitMs: number },
): Promise<string | undefined> {
  const giveUp = clock.now() + waitMs
  for (;;) {
    const now = clock.now()
    const lease = await states.update(SLOTS.lease, name, now, (other) => {
      return other && other.holder !== holder && other.until > now ? other : { holder, until: now + forMs }
    })
    if (lease.holder === holder) return undefined
    if (clock.now() >= giveUp) return lease.holder
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
}

/** Gives the name back, if it is still ours. */
export async function giveLease({ states, clock }: Needs, name: string, holder: string): Promise<void> {
  await states.update(SLOTS.lease, name, clock.now(), (lease) => (lease?.holder === holder ? undefined : lease))
}

/** Does the work while no other work is done under this name. */
export async function exclusively<T>(needs: Needs, name: string, holder: string, work: () => Promise<T>): Promise<T> {
  const other = await takeLease(needs, name, holder, { forMs: 20_000, waitMs: 30_000 })
  if (other !== undefined) throw new Error(`another process has been changing ${name} for too long`)
  try {
    return await work()
  } finally {
    await giveLease(needs, name, holder)
  }
}
