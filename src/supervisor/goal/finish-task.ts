import { ON_GOAL } from '#core/drift/recovery.ts'
import { startTrail } from '#core/drift/score.ts'
import { commits, workMarks } from '#core/memory/branch.ts'
import type { Memory } from '#core/memory/memory.ts'
import { actionsInWords, reasoningFrom } from '#core/memory/reasoning.ts'
import { redact } from '#core/redact/redact.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { failOpen } from '../fail-open.ts'
import { reasoningOf } from '../judge/reasoning.ts'
import { inProject } from '../memory/in-project.ts'
import { authorOf, noteUse, rememberWork } from '../memory/remember.ts'
import type { World } from '../world.ts'
import type { Mind } from './mind.ts'

/** How a task ended: it was announced done, another one took its place, or the session went away. */
export type Ending = 'complete' | 'partial' | 'abandoned'

/** Ends the current task: what it taught becomes a memory, its live rows go, and a parent task is taken up again. */
export async function finishTask(world: World, mind: Mind, ending: Ending): Promise<void> {
  const { task } = mind
  if (!task) return
  const now = world.clock.now()
  const status = ending === 'abandoned' ? 'abandoned' : 'completed'
  await failOpen(world.log, 'remember a finished task', undefined, () => remember(world, mind, task, ending))
  await world.store.tasks.change(task.id, { status, mode: 'normal', updatedAt: now })
  await world.store.steps.removeOfTask(task.id)
  mind.finished = { ...task, status }
  world.publish({ type: 'task:finished', sessionId: mind.sessionId, taskId: task.id, status })
  await takeUpParent(world, mind, task)
}

async function takeUpParent(world: World, mind: Mind, task: Task) {
  delete mind.task
  delete mind.trail
  delete mind.plan
  delete mind.corrections
  mind.drift = ON_GOAL
  const parent = task.kind === 'main' || !task.parentId ? undefined : await world.store.tasks.get(task.parentId)
  if (parent?.status !== 'active') return
  mind.task = parent
  mind.trail = startTrail(parent.instruction, [parent.goal])
}

async function remember(world: World, mind: Mind, task: Task, ending: Ending) {
  const named = inProject(mind)
  const steps = (await world.store.steps.ofTask(task.id)).map((step) => ({ ...step, files: step.files.map(named) }))
  const { instruction } = task
  await noteUse(world.memory, mind.sessionId, { steps, closingWords: mind.closingWords, instruction })
  const files = filesOf(steps)
  // Nothing was changed and nothing was decided: there is nothing that a teammate's agent could use.
  if (!task.projectId || (files.length === 0 && !steps.some(({ keyDecision }) => keyDecision))) return
  const work = {
    goal: task.goal,
    instruction: task.instruction,
    actions: actionsInWords(steps),
    files,
    // Before it is cut into sentences: half a secret is not recognised any more.
    closingWords: redact([...reasons(steps), mind.closingWords].join('\n')),
  }
  const { reasoningTrace, decisions, constraints } = reasoningFrom(work)
  const place = mind.cwd === undefined ? {} : await world.memory.workPlace(mind.cwd)
  const user = authorOf(world.memory, place)
  const memory: Memory = {
    id: world.newId('mem'),
    projectId: task.projectId,
    sessionId: mind.sessionId,
    ...(user && { user }),
    instruction: task.instruction,
    goal: task.goal,
    reasoningTrace,
    decisions,
    constraints: [...task.constraints, ...constraints],
    files,
    tags: mind.drifted.includes(task.id)
      ? ['had-drift', ...(mind.drift.mode === 'normal' ? [] : ['needs-review'])]
      : [],
    status: ending,
    trigger: ending === 'abandoned' ? 'abandoned' : 'complete',
    ...workMarks(place, { startedAt: task.createdAt, committed: steps.some(({ command = '' }) => commits(command)) }),
    ...(task.parentId && { parentId: task.parentId }),
    createdAt: world.clock.now(),
  }
  const outcome = await rememberWork(world.memory, memory)
  if (outcome.kept === 'no') world.log.debug({ taskId: task.id, why: outcome.why }, 'not worth remembering')
  else world.consult(mind.sessionId, reasoningOf(outcome.memory.id, work))
}

function filesOf(steps: Step[]): string[] {
  return [...new Set(steps.filter(({ kind }) => kind === 'edit' || kind === 'write').flatMap(({ files }) => files))]
}

function reasons(steps: Step[]): string[] {
  return steps.flatMap(({ keyDecision, reasoning }) => (keyDecision && reasoning ? [reasoning] : [])).slice(-8)
}
