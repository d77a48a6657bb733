import type { Judge } from '#core/ports/judge.ts'
import type { SessionState } from '../session/session-state.ts'
import type { World } from '../world.ts'

/**
 * A question to a model judge: asked only after the answer is through, answered whenever it may be, and applied to the
 * session as it is then. Nothing waits for it, and without a model nothing is asked at all.
 */
export interface Consultation<Verdict = unknown> {
  about: string
  ask(judge: Judge): Promise<Verdict>
  apply(world: World, session: SessionState, verdict: Verdict): Promise<void>
}

export function consultation<Verdict>(one: Consultation<Verdict>): Consultation {
  return one as Consultation
}
