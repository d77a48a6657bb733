import { neutralise } from '#core/context/fence.ts'
import { recoveryPlan } from '#core/drift/correction.ts'
import { decideDrift, ON_GOAL } from '#core/drift/recovery.ts'
import { redact } from '#core/redact/redact.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { asked, correct, saveMode } from '../goal/actions/correct.ts'
import { goalFiles } from '../goal/actions/goal-files.ts'
import { markRecovered } from '../goal/actions/recovered.ts'
import { finishTask } from '../goal/tasks/finish-task.ts'
import { rethink } from '../goal/tasks/note-instruction.ts'
import { relevantSteps } from '../goal/tasks/relevant-steps.ts'
import { isFilling } from '../goal/turns/note-tokens.ts'
import { queueCorrection } from '../session/deliveries.ts'
import { replaceFirstStep, startOnGoal, takeForcedQuestion } from '../session/drift.ts'
import { takeDueCheck, takeUnjudged } from '../session/judging.ts'
import type { SessionState } from '../session/session-state.ts'
import { keepSummary, noteSummaryAsked } from '../session/window.ts'
import { activeTask, activeWork, changeTask } from '../session/work.ts'
import type { World } from '../world.ts'
import { type Consultation, consultation } from './consultation.ts'

/** Rules have said about it what they can say; a model that comes later is not asked about what is past then. */
export function leaveToRules(session: SessionState): void {
  takeUnjudged(session)
}

/** What there is to ask about the session now. */
export async function consultationsFor(world: World, session: SessionState): Promise<Consultation[]> {
  const task = activeTask(session)
  if (!task) return []
  const due: Consultation[] = []
  const { instruction, closing, doubt } = takeUnjudged(session)
  if (instruction === 'same-work') due.push(await relationOf(world, session, task))
  if (instruction === 'new-work') due.push(intentOf(task))
  if (takeDueCheck(session, world.settings.driftCheckInterval) || doubt) due.push(await driftOf(world, session, task))
  if (closing) due.push(await endingOf(world, session, task))
  if (takeForcedQuestion(session)) due.push(await wayBackOf(world, session, task))
  if (isFilling(world, session) && !session.window.summary) due.push(await summaryOf(world, session, task))
  return due
}

function intentOf({ id, instruction }: Task): Consultation {
  return consultation({
    about: 'the goal',
    ask: (judge) => judge.extractIntent({ instruction, earlier: [] }),
    async apply(world, session, verdict) {
      // The user may have moved on while the judge was thinking.
      const task = activeTask(session)
      if (task?.id !== id) return
      const change = {
        goal: redact(verdict.goal) || task.goal,
        expectedScope: union(task.expectedScope, verdict.expectedScope),
        // A model reads limits better than rules do, also that there are none.
        constraints: verdict.constraints,
        keywords: union(task.keywords, verdict.keywords).slice(0, 40),
        updatedAt: world.clock.now(),
      }
      changeTask(session, change)
      await world.store.tasks.change(id, change)
    },
  })
}

/** Whether the newest words are about the work in hand at all; asked where rules thought so. */
async function relationOf(world: World, session: SessionState, task: Task): Promise<Consultation> {
  const instruction = newestWords(session, task)
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, keywords, kind } = task
  return consultation({
    about: 'the task',
    ask: (judge) =>
      judge.analyseTask({
        current: { goal, keywords, kind, recentFiles: session.work.onGoalFiles },
        instruction,
        recentActions: steps.slice(-12).map(inWords),
        answer: '',
        wroteFiles: false,
      }),
    async apply(world, session, { action }) {
      const isOther = action === 'new_task' || action === 'subtask' || action === 'parallel_task'
      // The user may have moved on while the judge was thinking.
      const isCurrent = activeTask(session)?.id === task.id && session.work.instruction?.text === instruction
      if (isOther && isCurrent) await rethink(world, session, action)
    },
  })
}

async function driftOf(world: World, session: SessionState, task: Task): Promise<Consultation> {
  const recent = (await world.store.steps.recent(session.sessionId, 12)).toReversed()
  const relevant = await relevantSteps(world, task, recent)
  return consultation({
    about: 'drift',
    ask: (judge) =>
      judge.checkDrift({
        goal: task.goal,
        instruction: newestWords(session, task),
        constraints: task.constraints,
        scope: task.expectedScope,
        actions: recent.map(inWords),
        relevant: relevant.map(inWords),
      }),
    async apply(world, session, { score, diagnostic, recoverySteps, byRules }) {
      const active = activeWork(session)
      if (active?.task.id !== task.id || byRules) return
      if (score >= 7) return settle(world, session, active.task)
      const judged = { type: 'action', score, recovers: false, proof: 'judge' } as const
      const { state: next, level } = decideDrift(session.drift.standing, judged)
      // The judge doubts, but the rules have corrected already and wait for the next actions: those decide.
      if (!level) return
      const why = diagnostic.replace(/(?<![\s.])[\s.]+$/, '')
      const did = recent.at(-1)?.changes?.[0]
      const drift = {
        ...asked(active),
        did: did ? `changed ${did}` : 'left the goal',
        why,
        proof: 'judge' as const,
      }
      const way = recoveryPlan(drift, goalFiles(session, active.task, drift.proof))
      const plan = { ...way, steps: recoverySteps.length > 0 ? [...recoverySteps, ...way.steps.slice(-1)] : way.steps }
      const key = `judged:${world.newId('check')}`
      await correct(world, session, active.task, { key, level, score, next, drift, plan })
      await saveMode(world, session, active.task)
    },
  })
}

/** The judge sees nothing wrong with what the rules have corrected: its word replaces theirs. */
async function settle(world: World, session: SessionState, task: Task) {
  if (session.drift.standing.mode === 'normal' && session.drift.corrections.length === 0) return
  startOnGoal(session)
  await markRecovered(world, session, task, ON_GOAL)
}

/** Whether the agent's closing words end the task; rules that saw no end may have missed one. */
async function endingOf(world: World, session: SessionState, task: Task): Promise<Consultation> {
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, keywords, kind } = task
  return consultation({
    about: 'the end of a task',
    ask: (judge) =>
      judge.analyseTask({
        current: { goal, keywords, kind, recentFiles: session.work.onGoalFiles },
        instruction: newestWords(session, task),
        recentActions: steps.slice(-12).map(inWords),
        answer: session.transcript.lastWords,
        wroteFiles: steps.some((step) => step.kind === 'edit' || step.kind === 'write'),
      }),
    async apply(world, session, { action }) {
      const over = action === 'task_complete' || action === 'subtask_complete'
      if (over && activeTask(session)?.id === task.id) await finishTask(world, session, 'complete')
    },
  })
}

/** Rules know only which file to go back to; a judge may know the one action that leads back. */
async function wayBackOf(world: World, session: SessionState, task: Task): Promise<Consultation> {
  const failed = (await world.store.driftEvents.ofSession(session.sessionId, 4)).map(({ reason }) => reason)
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
    async apply(_world, session, { instruction, mandatoryAction }) {
      const { mode, escalation } = session.drift.standing
      if (activeTask(session)?.id !== task.id || mode !== 'forced') return
      replaceFirstStep(session, mandatoryAction)
      const key = `forced:${task.id}:${escalation}`
      queueCorrection(session, { key, text: neutralise(instruction), why: 'halt: the way back' })
    },
  })
}

async function summaryOf(world: World, session: SessionState, task: Task): Promise<Consultation> {
  const steps = await world.store.steps.ofTask(task.id)
  const { goal, instruction, constraints } = task
  // Asked once per filling of the window; CLEAR takes it if it is there by then.
  noteSummaryAsked(session)
  return consultation({
    about: 'a summary',
    ask: (judge) => judge.summarise({ goal, instruction, constraints, steps, lastWords: session.transcript.lastWords }),
    async apply(_world, session, { summary }) {
      if (activeTask(session)?.id === task.id) keepSummary(session, summary)
    },
  })
}

/** What the user said last. */
function newestWords({ work }: SessionState, task: Task): string {
  return work.instruction?.text ?? task.instruction
}

function inWords({ kind, files, command, query, driftScore }: Step): string {
  const what = files.join(', ') || command || query || ''
  return `${kind} ${what}${driftScore === undefined ? '' : ` (scored ${driftScore})`}`
}

function union(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])]
}
