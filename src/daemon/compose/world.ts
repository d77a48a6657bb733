import { assembleWorld, type OpenWorld, type WorldOptions } from './assemble.ts'
import { lazyModules } from './lazy-modules.ts'

export type { OpenWorld }

/**
 * Opens the world of a home. Adapters are constructed in this folder only. Each part is loaded and opened when it is first
 * asked for, so a command pays for no database driver, no model client and no part that it does not use.
 */
export function openWorld(options: WorldOptions): OpenWorld {
  return assembleWorld(options, lazyModules)
}
