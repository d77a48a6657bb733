import type { World } from '../world.ts'
import { type Mind, pushBounded } from './mind.ts'

/** Tells whoever watches how full the window is, and the user once when it is nearly so. */
export function noteTokens(world: World, mind: Mind): void {
  const { sessionId, contextTokens, window } = mind
  world.publish({ type: 'tokens', sessionId, contextTokens, window })
  if (!isFilling(world, mind)) {
    delete mind.warned
    return
  }
  if (mind.warned) return
  mind.warned = true
  const share = Math.round((100 * contextTokens) / window)
  mind.notices = pushBounded(mind.notices, `Grove: the context window is ${share} % full.`, 5)
  world.log.info({ sessionId, contextTokens, window }, 'the context window is filling')
}

/** From here on a summary is worth having. */
export function isFilling({ settings }: World, { contextTokens, window }: Mind): boolean {
  return contextTokens > (settings.warnTokens ?? window * settings.warnShare)
}
