import * as pauses from '#supervisor/pause/pauses.ts'
import * as git from './git.ts'
import * as guard from './guard.ts'
import * as hookParts from './hook-parts.ts'
import * as judge from './judge.ts'
import type { PartModules } from './lazy-modules.ts'
import * as learning from './learning.ts'
import * as memory from './memory.ts'
import * as supervisor from './supervisor.ts'

/**
 * The parts that every hook event needs, in the first file that a hook process without a daemon reads: behind an `import()`
 * each would be a file of its own, and what they share would lie in dozens of others.
 */
export const eagerModules: PartModules = {
  git: async () => git,
  memory: async () => memory,
  learning: async () => learning,
  guard: async () => guard,
  judge: async () => judge,
  supervisor: async () => supervisor,
  pauses: async () => pauses,
  hookParts: async () => hookParts,
  trace: () => notForHooks('the trace'),
  team: () => notForHooks("the team's database"),
}

function notForHooks(what: string): Promise<never> {
  return Promise.reject(new Error(`a hook process does not use ${what}`))
}
