import { neutralise } from '#core/context/fence.ts'
import { type RecoveryPlan, recoveryPlan } from '#core/drift/correction.ts'
import { decideDrift } from '#core/drift/recovery.ts'
import { redact } from '#core/redact/redact.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { correct, inForce, saveMode } from '../goal/correct.ts'
import { finishTask } from '../goal/finish-task.ts'
import type { Mind } from '../goal/mind.ts'
import { rethink } from '../goal/note-instruction.ts'
import { isFilling } from '../goal/note-tokens.ts'
import { markRecovered } from '../goal/recovered.ts'
import { relevantSteps } from '../goal/relevant-steps.ts'
import type { World } from '../world.ts'
import { type Consultation, consultation } from './consultation.ts'

/** Rules have said about it what they can say; a model that comes later is not asked about what is past then. */
export function leaveToRules(mind: Mind): void {
  mind.unjudgedInstruction = false
  mind.unjudgedClosing = false
}

/** What there is to ask about the session now. */
export async function consultationsFor(world: World, mind: Mind): Promise<Consultation[]> {
  const { task } = mind
  if (!task) return []
  const due: Consultation[] = []
  if (mind.unjudgedInstruction) {
    mind.unjudgedInstruction = false
    due.push(mind.continued ? await relationOf(world, mind, task) : intentOf(task))
  }
  if (mind.promptsSinceCheck >= world.settings.driftCheckInterval) {
    mind.promptsSinceCheck = 0
    due.push(await driftOf(world, mind, task))
  }
  if (mind.unjudgedClosing) {
    mind.unjudgedClosing = false
    due.push(await endingOf(world, mind, task))
  }
  if (mind.drift.mode === 'forced' && !mind.forcedAsked) {
    mind.forcedAsked = true
    due.push(await wayBackOf(world, mind, task))
  }
  if (isFilling(world, mind) && mind.summary === undefined) due.push(await summaryOf(world, mind, task))
  return due
}

function intentOf({ id, instruction }: Task): Consultation {
  return consultation({
    about: 'the goal',
    ask: (judge) => judge.extractIntent({ instruction, earlier: [] }),
    async apply(world, mind, verdict) {
      // The user may have moved on while the judge was thinking.
      if (mind.task?.id !== id) return
      const change = {
        goal: redact(verdict.goal) || mind.task.goal,
        expectedScope: union(mind.task.expectedScope, verdict.expectedScope),
        constraints: union(mind.task.constraints, verdict.constraints),
        keywords: union(mind.task.keywords, verdict.keywords).slice(0, 40),
        updatedAt: world.clock.now(),
      }
      mind.task = { ...mind.task, ...change }
      await world.store.tasks.change(id, change)
    },
  })
}

/** Whether the newest words are about the work in hand at all; asked where rules thought so. */
async function relationOf(world: World, mind: Mind, task: Task): Promise<Consultation> {
  const instruction = mind.prompt?.text ?? task.instruction
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, keywords, kind } = task
  return consultation({
    about: 'the task',
    ask: (judge) =>
      judge.analyseTask({
        current: { goal, keywords, kind, recentFiles: mind.onGoalFiles },
        instruction,
        recentActions: steps.slice(-12).map(inWords),
        answer: '',
        wroteFiles: false,
      }),
    async apply(world, mind, { action }) {
      const isOther = action === 'new_task' || action === 'subtask' || action === 'parallel_task'
      // The user may have moved on while the judge was thinking.
      if (isOther && mind.task?.id === task.id && mind.prompt?.text === instruction) await rethink(world, mind, action)
    },
  })
}

async function driftOf(world: World, mind: Mind, task: Task): Promise<Consultation> {
  const recent = (await world.store.steps.recent(mind.sessionId, 12)).toReversed()
  const relevant = await relevantSteps(world, task, recent)
  return consultation({
    about: 'drift',
    ask: (judge) =>
      judge.checkDrift({
        goal: task.goal,
        instruction: mind.prompt?.text ?? task.instruction,
        constraints: task.constraints,
        scope: task.expectedScope,
        actions: recent.map(inWords),
        relevant: relevant.map(inWords),
      }),
    async apply(world, mind, { score, diagnostic, recoverySteps }) {
      if (mind.task?.id !== task.id || score >= 8) return
      const { state, level } = decideDrift(mind.drift, { type: 'action', score, recovers: false, neutral: false })
      // It doubts, while the rules already wait for the agent to come back: its actions decide that.
      if (!level) return
      mind.drift = state
      const drift = { goal: inForce(mind, mind.task), constraints: mind.task.constraints, reason: diagnostic }
      const way = recoveryPlan(drift, mind.onGoalFiles.toReversed())
      const plan = { ...way, steps: recoverySteps.length > 0 ? recoverySteps : way.steps }
      await correct(world, mind, mind.task, { key: `judged:${world.newId('check')}`, level, score, drift, plan })
      await saveMode(world, mind, mind.task)
    },
  })
}

/** Whether the agent's closing words end the task; rules that saw no end may have missed one. */
async function endingOf(world: World, mind: Mind, task: Task): Promise<Consultation> {
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, keywords, kind } = task
  return consultation({
    about: 'the end of a task',
    ask: (judge) =>
      judge.analyseTask({
        current: { goal, keywords, kind, recentFiles: mind.onGoalFiles },
        instruction: mind.prompt?.text ?? task.instruction,
        recentActions: steps.slice(-12).map(inWords),
        answer: mind.closingWords,
        wroteFiles: steps.some((step) => step.kind === 'edit' || step.kind === 'write'),
      }),
    async apply(world, mind, { action }) {
      const over = action === 'task_complete' || action === 'subtask_complete'
      if (over && mind.task?.id === task.id) await finishTask(world, mind, 'complete')
    },
  })
}

/** Rules know only which file to go back to; a judge may know the one action that leads back. */
async function wayBackOf(world: World, mind: Mind, task: Task): Promise<Consultation> {
  const failed = (await world.store.driftEvents.ofSession(mind.sessionId, 4)).map(({ reason }) => reason)
  return consultation({
    about: 'the way back',
    ask: (judge) =>
      judge.forcedRecovery({
        goal: task.goal,
        instruction: task.instruction,
        constraints: task.constraints,
        scope: task.expectedScope,
        actions: failed,
        relevant: [],
        failed,
      }),
    async apply(_world, mind, { instruction, mandatoryAction }) {
      if (mind.task?.id !== task.id || mind.drift.mode !== 'forced' || !mind.plan) return
      mind.plan = { ...mind.plan, steps: [mandatoryAction, ...mind.plan.steps.slice(1)] }
      mind.pending = [
        ...mind.pending.filter(({ kind }) => kind !== 'correction'),
        {
          key: `forced:${task.id}:${mind.drift.escalation}`,
          kind: 'correction',
          text: neutralise(instruction),
          why: 'halt: the way back',
        },
      ]
    },
  })
}

/** An action that rules do not take for recovery may still be one. */
export function recoveryOf(task: Task, plan: RecoveryPlan, action: string): Consultation {
  return consultation({
    about: 'recovery',
    ask: (judge) => judge.checkRecovery({ plan: plan.steps, action }),
    async apply(world, mind, { aligned }) {
      if (!aligned || mind.task?.id !== task.id || !mind.drift.waitingForRecovery) return
      mind.drift = decideDrift(mind.drift, { type: 'action', score: 8, recovers: true, neutral: false }).state
      await markRecovered(world, mind, mind.task)
    },
  })
}

async function summaryOf(world: World, mind: Mind, task: Task): Promise<Consultation> {
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, instruction, constraints } = task
  // Asked once per filling of the window; CLEAR takes it if it is there by then.
  mind.summary = ''
  return consultation({
    about: 'a summary',
    ask: (judge) => judge.summarise({ goal, instruction, constraints, steps, lastWords: mind.closingWords }),
    async apply(_world, mind, { summary }) {
      if (mind.task?.id === task.id) mind.summary = summary
    },
  })
}

function inWords({ kind, files, command, query, driftScore }: Step): string {
  const what = files.join(', ') || command || query || ''
  return `${kind} ${what}${driftScore === undefined ? '' : ` (scored ${driftScore})`}`
}

function union(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])]
}
