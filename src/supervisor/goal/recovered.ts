import type { Task } from '#core/task.ts'
import type { World } from '../world.ts'
import type { Mind } from './mind.ts'

/** The agent is back: what was still to be said about the drift need not be said. */
export async function markRecovered(world: World, mind: Mind, task: Task): Promise<void> {
  delete mind.plan
  mind.forcedAsked = false
  mind.pending = mind.pending.filter(({ kind }) => kind !== 'correction')
  const { mode, escalation } = mind.drift
  const change = { mode, escalation, updatedAt: world.clock.now() }
  mind.task = { ...task, ...change }
  await world.store.tasks.change(task.id, change)
  await world.store.driftEvents.markRecovered(task.id)
  world.publish({ type: 'recovered', sessionId: mind.sessionId, taskId: task.id })
}
