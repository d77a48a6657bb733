import { startTrail } from '#core/drift/score.ts'
import { commits, workMarks } from '#core/memory/branch.ts'
import type { Memory } from '#core/memory/memory.ts'
import { actionsInWords, reasoningFrom } from '#core/memory/reasoning.ts'
import { redact } from '#core/redact/redact.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { failOpen } from '../fail-open.ts'
import { reasoningOf } from '../judge/improve-memory.ts'
import { inProject } from '../memory/in-project.ts'
import { authorOf, noteUse, rememberWork } from '../memory/remember.ts'
import { startOnGoal } from '../session/drift.ts'
import type { SessionState } from '../session/session-state.ts'
import { activeTask, endTask, takeUpTask } from '../session/work.ts'
import type { World } from '../world.ts'

/** How a task ended: it was announced done, another one took its place, or the session went away. */
export type Ending = 'complete' | 'partial' | 'abandoned'

/** Ends the current task: what it taught becomes a memory, its live rows go, and a parent task is taken up again. */
export async function finishTask(world: World, session: SessionState, ending: Ending): Promise<void> {
  const task = activeTask(session)
  if (!task) return
  const now = world.clock.now()
  const status = ending === 'abandoned' ? 'abandoned' : 'completed'
  await failOpen(world.log, 'remember a finished task', undefined, () => remember(world, session, task, ending))
  await world.store.tasks.change(task.id, { status, mode: 'normal', updatedAt: now })
  await world.store.steps.removeOfTask(task.id)
  endTask(session, { ...task, status })
  startOnGoal(session)
  world.publish({ type: 'task:finished', sessionId: session.sessionId, taskId: task.id, status })
  const parent = await parentOf(world, task)
  if (parent) takeUpTask(session, parent, startTrail(parent.instruction, [parent.goal]))
}

/** Whether the project that the session works in lets its work be kept. */
export function keepsWork({ memory }: World, { place }: SessionState): boolean {
  return place === undefined || memory.settingsAt(place.cwd).remember
}

/** The task that a subtask or a parallel one branched from, if that goes on. */
async function parentOf({ store }: World, { kind, parentId }: Task): Promise<Task | undefined> {
  const parent = kind === 'main' || !parentId ? undefined : await store.tasks.get(parentId)
  return parent?.status === 'active' ? parent : undefined
}

async function remember(world: World, session: SessionState, task: Task, ending: Ending) {
  const { place, drift } = session
  if (!keepsWork(world, session)) return
  const { lastWords } = session.transcript
  const named = inProject(place ?? {})
  const steps = (await world.store.steps.ofTask(task.id)).map((step) => ({ ...step, files: step.files.map(named) }))
  const { instruction } = task
  await noteUse(world.memory, session.sessionId, { steps, closingWords: lastWords, instruction })
  const files = filesOf(steps)
  // Nothing was changed and nothing was decided: there is nothing that a teammate's agent could use.
  if (!task.projectId || (files.length === 0 && !steps.some(({ keyDecision }) => keyDecision))) return
  const work = {
    goal: task.goal,
    instruction: task.instruction,
    actions: actionsInWords(steps),
    files,
    // Before it is cut into sentences: half a secret is not recognised any more.
    closingWords: redact([...reasons(steps), lastWords].join('\n')),
  }
  const { reasoningTrace, decisions, constraints } = reasoningFrom(work)
  const workPlace = place ? await world.memory.workPlace(place.cwd) : {}
  const user = authorOf(world.memory, workPlace)
  const memory: Memory = {
    id: world.newId('mem'),
    projectId: task.projectId,
    sessionId: session.sessionId,
    ...(user && { user }),
    instruction: task.instruction,
    goal: task.goal,
    reasoningTrace,
    decisions,
    constraints: [...task.constraints, ...constraints],
    files,
    tags: drift.driftedTasks.includes(task.id)
      ? ['had-drift', ...(drift.standing.mode === 'normal' ? [] : ['needs-review'])]
      : [],
    status: ending,
    trigger: ending === 'abandoned' ? 'abandoned' : 'complete',
    ...workMarks(workPlace, {
      startedAt: task.createdAt,
      committed: steps.some(({ command = '' }) => commits(command)),
    }),
    ...(task.parentId && { parentId: task.parentId }),
    createdAt: world.clock.now(),
  }
  const outcome = await rememberWork(world.memory, memory)
  if (outcome.kept === 'no') world.log.debug({ taskId: task.id, why: outcome.why }, 'not worth remembering')
  else world.consult(session.sessionId, reasoningOf(outcome.memory.id, work))
}

function filesOf(steps: Step[]): string[] {
  return [...new Set(steps.filter(({ kind }) => kind === 'edit' || kind === 'write').flatMap(({ files }) => files))]
}

function reasons(steps: Step[]): string[] {
  return steps.flatMap(({ keyDecision, reasoning }) => (keyDecision && reasoning ? [reasoning] : [])).slice(-8)
}
