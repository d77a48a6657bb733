import { pauseText } from '../pauses.ts'
import { withWorld } from '../world.ts'
import { type Check, warn } from './check.ts'

/** Pauses that are in force: a common reason why Grove does nothing. */
export const checkPauses: Check = async ({ cli, settings: { config } }) => {
  const { pausesNow } = await import('#daemon/commands/pause.ts')
  // A store that does not open has a check of its own.
  const pauses = await withWorld(cli, pausesNow, { config }).catch(() => [])
  return pauses.map((pause) => warn('paused', `Grove is off for ${pauseText(pause)}`, 'Run `grove resume --all`'))
}
