/** Loads the module of each part when it is first asked for: a command reads no code that it does not use. */
export const lazyModules = {
  git: () => import('./git.ts'),
  memory: () => import('./memory.ts'),
  learning: () => import('./learning.ts'),
  guard: () => import('./guard.ts'),
  trace: () => import('./trace.ts'),
  judge: () => import('./judge.ts'),
  supervisor: () => import('./supervisor.ts'),
  pauses: () => import('#supervisor/pause/pauses.ts'),
  hookParts: () => import('./hook-parts.ts'),
  team: () => import('./team.ts'),
}

export type PartModules = typeof lazyModules
