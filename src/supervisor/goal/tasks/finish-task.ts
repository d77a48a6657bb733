import { startTrail } from '#core/drift/score.ts'
import { onlyAnswers } from '#core/goal/limits/answer-only.ts'
import { workMarks } from '#core/memory/branch.ts'
import { changedFiles } from '#core/memory/changed-files.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import { ASKED_FURTHER, checkQuality } from '#core/memory/quality.ts'
import { actionsInWords, reasoningFrom } from '#core/memory/reasoning.ts'
import type { WorkQuestion } from '#core/ports/judge.ts'
import { redact } from '#core/redact/redact.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { mentionedPaths } from '#core/text/paths.ts'
import { failOpen } from '../../fail-open.ts'
import { reasoningOf } from '../../judge/improve-memory.ts'
import { inProject } from '../../memory/project-paths.ts'
import { authorOf, type Kept, noteUse, rememberWork } from '../../memory/remember.ts'
import { startOnGoal } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeTask, activeWork, endTask, noteRemembered, rememberedAs, takeUpTask } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { asked } from '../actions/correct.ts'

/** How a task ended: it was announced done, another one took its place, or the session went away. */
export type Ending = 'complete' | 'partial' | 'abandoned'

/**
 * Ends the current task: what it taught becomes a memory, and a parent task is taken up again. The end of a main task is
 * provisional: its steps stay until other work begins, so that more of the same work makes the same memory better.
 */
export async function finishTask(world: World, session: SessionState, ending: Ending): Promise<void> {
  const task = activeTask(session)
  if (!task) return
  const now = world.clock.now()
  const status = ending === 'abandoned' ? 'abandoned' : 'completed'
  const isProvisional = ending === 'complete' && task.kind === 'main'
  await failOpen(world.log, 'remember a finished task', undefined, () =>
    remember(world, session, task, ending, isProvisional),
  )
  await world.store.tasks.change(task.id, { status, mode: 'normal', updatedAt: now })
  if (!isProvisional) await world.store.steps.removeOfTask(task.id)
  endTask(session, { ...task, status })
  startOnGoal(session)
  world.publish({ type: 'task:finished', sessionId: session.sessionId, taskId: task.id, status })
  const parent = await parentOf(world, task)
  if (parent) takeUpTask(session, parent, startTrail(parent.instruction, [parent.goal]))
}

/** Other work begins, or none any more: what was finished stays as it is, and its live rows go. */
export async function settleFinished({ store }: World, session: SessionState): Promise<void> {
  const { remembered } = session.work
  const { current } = session.work
  const taskId = remembered?.taskId ?? (current.status === 'ended' ? current.task.id : undefined)
  if (taskId === undefined || activeTask(session)?.id === taskId) return
  noteRemembered(session, taskId, undefined)
  await store.steps.removeOfTask(taskId)
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

async function remember(
  world: World,
  session: SessionState,
  task: Task,
  ending: Ending,
  isProvisional: boolean,
): Promise<void> {
  const { place } = session
  if (!keepsWork(world, session) || world.isDriven?.(session.sessionId)) return
  const { lastWords } = session.transcript
  const named = inProject(place ?? {})
  const steps = (await world.store.steps.ofTask(task.id)).map((step) => fromRoot(step, named))
  const { instruction } = task
  await noteUse(world.memory, session.sessionId, { steps, closingWords: lastWords, instruction })
  const files = changedFiles(steps)
  const known = rememberedAs(session, task)
  const isTakenBack = known !== undefined && (files.length === 0 || asksToUndo(session))
  if (isTakenBack) {
    noteRemembered(session, task.id, undefined)
    return world.store.memories.remove(known)
  }
  // Nothing was changed and nothing was decided: there is nothing that a teammate's agent could use.
  const { projectId } = task
  if (!projectId || (files.length === 0 && !steps.some(({ keyDecision }) => keyDecision))) return
  const work = {
    goal: task.goal,
    instruction: task.instruction,
    actions: [...askedFurther(session), ...actionsInWords(steps)],
    files,
    // Before it is cut into sentences: half a secret is not recognised any more.
    closingWords: redact([...reasons(steps), lastWords].join('\n')),
    outcome: redact(lastWords),
  }
  const memory = await memoryFrom(world, session, {
    task: { ...task, projectId },
    ending,
    steps,
    work,
    id: known ?? world.newId('mem'),
  })
  const before = known === undefined ? undefined : await world.store.memories.get(known)
  const outcome = before ? await rewrite(world, before, memory) : await rememberWork(world.memory, memory)
  if (outcome.kept === 'no') {
    world.log.debug({ taskId: task.id, why: outcome.why }, 'not worth remembering')
    return
  }
  noteRemembered(session, task.id, isProvisional && outcome.kept === 'new' ? outcome.memory.id : undefined)
  world.consult(session.sessionId, reasoningOf(outcome.memory.id, work))
}

type TaskOfProject = Task & { projectId: string }

/** The memory of a task's work, with where it was done and by whom. */
async function memoryFrom(
  world: World,
  session: SessionState,
  {
    task,
    ending,
    steps,
    work,
    id,
  }: { task: TaskOfProject; ending: Ending; steps: Step[]; work: WorkQuestion; id: string },
): Promise<Memory> {
  const { place } = session
  const { reasoningTrace, decisions, constraints } = reasoningFrom(work)
  const workPlace = place ? await world.memory.workPlace(place.cwd) : {}
  const user = authorOf(world.memory, workPlace)
  // Work that was done is not given up, however the session ended.
  const status = ending === 'abandoned' && work.files.length > 0 ? 'partial' : ending
  return {
    id,
    projectId: task.projectId,
    sessionId: session.sessionId,
    ...(user && { user }),
    instruction: task.instruction,
    goal: task.goal,
    reasoningTrace,
    decisions,
    // That only an answer was wanted is no limit for later work.
    constraints: [...task.constraints.filter((limit) => !onlyAnswers(limit)), ...constraints],
    files: work.files,
    tags: tagsFor(session, task),
    status,
    trigger: status === 'abandoned' ? 'abandoned' : 'complete',
    ...workMarks(workPlace, {
      startedAt: task.createdAt,
      committed: steps.some(({ earlierWork: { git = [] } = {} }) => git.includes('commits') || git.includes('joins')),
    }),
    ...(task.parentId && { parentId: task.parentId }),
    createdAt: world.clock.now(),
  }
}

/** The work went on after its end: the same memory tells of all of it, unless a person has changed it meanwhile. */
async function rewrite({ store, clock }: World, before: Memory, { createdAt: _, ...now }: Memory): Promise<Kept> {
  if (before.updatedBy !== undefined) return { kept: 'new', memory: before, superseded: [] }
  const checked = checkQuality(changed(before, now, clock.now()))
  if (!checked.keep) return { kept: 'no', why: checked.why }
  await store.memories.put(checked.memory)
  return { kept: 'new', memory: checked.memory, superseded: [] }
}

/** A change that was forbidden and still stands, or a correction that was heard and not followed, needs a look. */
function tagsFor({ drift }: SessionState, { id }: Task): string[] {
  const needsReview =
    drift.unheededTasks.includes(id) ||
    drift.astray.some(({ forbiddenIn }) => forbiddenIn === id) ||
    (drift.driftedTasks.includes(id) && drift.standing.mode !== 'normal')
  return [...(drift.driftedTasks.includes(id) ? ['had-drift'] : []), ...(needsReview ? ['needs-review'] : [])]
}

const UNDO =
  /^(?:(?:no|nope|please|ok|okay|sorry|hm+|wait|actually)[,.! ]+)*(?:undo|revert|roll ?back|take (?:it|that|this|them) back|throw (?:it|that) away)\b/i
const LONGEST_UNDO = 80

/** The user's newest words take back all of it; to take back a part they would have to name the part. */
function asksToUndo({ work }: SessionState): boolean {
  const text = work.instruction?.text.trim() ?? ''
  return text.length < LONGEST_UNDO && UNDO.test(text) && mentionedPaths(text).length === 0
}

/** What the user asked for last, where it is not what the task began with; a mere "yes, please" says nothing. */
function askedFurther(session: SessionState): string[] {
  const active = activeWork(session)
  const { goal, partOf } = active ? asked(active) : {}
  return partOf !== undefined && goal && goal.split(/\s+/).length > 3 ? [`${ASKED_FURTHER}${goal}`] : []
}

function fromRoot(step: Step, named: (path: string) => string): Step {
  const { changes } = step
  return { ...step, files: step.files.map(named), ...(changes && { changes: changes.map(named) }) }
}

function reasons(steps: Step[]): string[] {
  return steps.flatMap(({ keyDecision, reasoning }) => (keyDecision && reasoning ? [reasoning] : [])).slice(-8)
}
