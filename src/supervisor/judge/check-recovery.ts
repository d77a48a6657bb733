import type { RecoveryPlan } from '#core/drift/correction.ts'
import { decideDrift } from '#core/drift/recovery.ts'
import type { Task } from '#core/task.ts'
import { markRecovered } from '../goal/actions/recovered.ts'
import { activeTask } from '../session/work.ts'
import { type Consultation, consultation } from './consultation.ts'

/** Asks the judge whether an action that the rules do not count as recovery is one. */
export function recoveryOf(task: Task, plan: RecoveryPlan, action: string): Consultation {
  return consultation({
    about: 'recovery',
    ask: (judge) => judge.checkRecovery({ plan: plan.steps, action }),
    async apply(world, session, { aligned }) {
      const { standing } = session.drift
      if (!aligned || activeTask(session)?.id !== task.id || standing.mode === 'normal') return
      const decision = decideDrift(standing, { type: 'action', score: 8, recovers: true })
      if (decision.recovered) await markRecovered(world, session, task, decision.state)
    },
  })
}
