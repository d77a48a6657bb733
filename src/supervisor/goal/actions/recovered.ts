import type { OnGoal } from '#core/drift/recovery.ts'
import type { Task } from '#core/task.ts'
import { dropCorrections } from '../../session/deliveries.ts'
import { stayOnGoal } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'
import type { World } from '../../world.ts'
import { saveMode } from './correct.ts'

/** The agent is back: corrections that have not reached it yet are dropped, and the record of its drift is closed. */
export async function markRecovered(world: World, session: SessionState, task: Task, next: OnGoal): Promise<void> {
  stayOnGoal(session, next)
  dropCorrections(session)
  await saveMode(world, session, task)
  await world.store.driftEvents.markRecovered(task.id)
  world.publish({ type: 'recovered', sessionId: session.sessionId, taskId: task.id })
}
