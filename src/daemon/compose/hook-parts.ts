import type { Clock } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import { callerPart } from '#mcp/caller.ts'
import { guardPart } from '#supervisor/guard/part.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { learningPart } from '#supervisor/learning/part.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { supervisorPart } from '#supervisor/part.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'
import { sweepPart } from '#supervisor/sweep-idle.ts'

interface Needs {
  supervisor: Supervisor
  learning: LearningWorld
  guard: GuardWorld
  store: Store
  clock: Clock
  /** Whether a daemon runs this, which sweeps old states by the hour. */
  isDaemon: boolean
}

/** What listens to hooks, in the order in which their contexts are joined. */
export function partsOf({ supervisor, learning, guard, store, clock, isDaemon }: Needs): HookPart[] {
  return [
    supervisorPart(supervisor),
    callerPart({ states: store.states, clock }),
    learningPart(learning),
    guardPart(guard),
    ...(isDaemon ? [] : [sweepPart({ store, clock, dropCopies: guard.tree.drop })]),
  ]
}
