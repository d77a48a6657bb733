import { isOpen } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { isInScope } from '../before-tool/scope-check.ts'
import { fileTargets } from '../before-tool/targets.ts'
import type { GuardWorld } from '../world.ts'

/** Whether an intent may write a path, as the gatekeeper would say. */
export interface PathAnswer {
  path: string
  intents: { id: string; allowed: boolean }[]
}

/** Asks for some paths what the gatekeeper would say, for one intent or for all open ones. */
export async function checkPaths(
  world: GuardWorld,
  project: GuardedProject,
  cwd: string,
  paths: readonly string[],
  intentId?: string,
): Promise<PathAnswer[]> {
  const book = await world.intents.open(project)
  const intents = book.all().filter((intent) => (intentId === undefined ? isOpen(intent) : intent.id === intentId))
  return fileTargets(world, project, cwd, paths).map((target) => ({
    path: target.shown,
    intents: intents.map((intent) => ({ id: intent.id, allowed: isInScope(world, project, intent, target) })),
  }))
}
