import { queueNotice } from '../../session/deliveries.ts'
import type { SessionState } from '../../session/session-state.ts'
import { noteWarned } from '../../session/window.ts'
import type { World } from '../../world.ts'

/** Publishes how full the window is, and tells the user once when it is nearly so. */
export function noteTokens(world: World, session: SessionState): void {
  const { sessionId } = session
  const { tokens: contextTokens, size: window, warned } = session.window
  world.publish({ type: 'tokens', sessionId, contextTokens, window })
  const filling = isFilling(world, session)
  noteWarned(session, filling)
  if (!filling || warned) return
  const share = Math.round((100 * contextTokens) / window)
  queueNotice(session, `Grove: the context window is ${share} % full.`)
  world.log.info({ sessionId, contextTokens, window }, 'the context window is filling')
}

/** From here on a summary is worth having. */
export function isFilling({ settings }: World, { window: { tokens, size } }: SessionState): boolean {
  return tokens > (settings.warnTokens ?? size * settings.warnShare)
}
