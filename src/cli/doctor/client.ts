import type { OpenWorld } from '#daemon/compose/world.ts'
import { withWorld } from '../world.ts'
import { type Check, ok, warn } from './check.ts'

const UPDATE =
  'Update Grove: `npm install -g grovekeeper`. Until then use hooks and proxy both (`grove init`, `grove up`): where one is not understood, the other is used.'

/** Whether every client that was seen in the last month is understood. */
export const checkClientForm: Check = async ({ cli, settings: { config } }) => {
  const { clientFindings } = await import('#daemon/commands/inspect.ts')
  const look = async (world: OpenWorld) => (world.hasStore() ? clientFindings(await world.store()) : [])
  // A store that does not open has a check of its own.
  const findings = await withWorld(cli, look, { config }).catch(() => undefined)
  if (findings?.length === 0) return [ok('client form', 'Grove understands every Claude Code version seen so far')]
  return (findings ?? []).map(({ version, noticed, affected, fallback }) =>
    warn('client form', `${named(version)}: ${noticed}; affected: ${affected}; instead: ${fallback}`, UPDATE),
  )
}

/** Where only hooks were seen, the version is not known. */
function named(version: string): string {
  return version === 'unknown' ? 'an unknown version of Claude Code' : `Claude Code ${version}`
}
