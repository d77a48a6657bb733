import { isOver } from '#core/workflow/decide.ts'
import type { Engine } from './engine.ts'
import type { Feature } from './feature.ts'

const WARN_BEFORE_MS = 2 * 3_600_000

/** Ends feature sessions that have waited for a person for too long, and says so beforehand, once for each process. */
export class Expiry {
  readonly #engine: Engine
  readonly #warned = new Set<string>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async check(feature: Feature, now: number): Promise<void> {
    const { sessionExpiresAt } = feature.session
    if (!sessionExpiresAt || isOver(feature.session) || this.#engine.executingSince(feature)) return
    const left = Date.parse(sessionExpiresAt) - now
    if (left <= 0) await feature.happen({ type: 'expired', at: feature.now() })
    else if (left < WARN_BEFORE_MS && !this.#warned.has(feature.key)) this.#warn(feature, sessionExpiresAt)
  }

  /** Published but not written: a write would postpone the expiry. */
  #warn(feature: Feature, sessionExpiresAt: string): void {
    const { log, publish } = this.#engine.world
    this.#warned.add(feature.key)
    log.info({ feature: feature.key, sessionExpiresAt }, 'a feature session expires soon')
    const { id: sessionId, projectId, featureId } = feature.session
    publish({
      type: 'agent.warning',
      sessionId,
      projectId,
      featureId,
      number: feature.events.last,
      message: 'This session expires in two hours unless someone continues it.',
    })
  }
}
