import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/store.ts'
import { callerPart } from '#mcp/caller.ts'
import { guardPart } from '#supervisor/guard/part.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { learningPart } from '#supervisor/learning/part.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { supervisorPart } from '#supervisor/part.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'

interface Needs {
  supervisor: Supervisor
  learning: LearningWorld
  guard: GuardWorld
  states: StateStore
  clock: Clock
}

/** What listens to hooks, in the order in which their contexts are joined. */
export function partsOf({ supervisor, learning, guard, states, clock }: Needs): HookPart[] {
  return [supervisorPart(supervisor), callerPart({ states, clock }), learningPart(learning), guardPart(guard)]
}
