import { decideDrift } from '#core/drift/recovery.ts'
import { startTrail } from '#core/drift/score.ts'
import { extractGoal } from '#core/goal/goal.ts'
import { isSimplePrompt } from '#core/goal/instruction.ts'
import { type CurrentWork, onInstruction } from '#core/goal/orchestrate.ts'
import { newTask, type Task, type TaskKind } from '#core/task.ts'
import type { World } from '../world.ts'
import { finishTask } from './finish-task.ts'
import type { Mind } from './mind.ts'

/** More than these nobody means to be kept, and each correction repeats them. */
const CONSTRAINTS = 20

/**
 * The user spoke. Their words decide what the work is from here on: they re-base the goal, lift a halt, and begin,
 * continue or branch a task. Returns false for words that were noted before, through this door or the other.
 */
export async function noteInstruction(world: World, mind: Mind, text: string, index?: number): Promise<boolean> {
  if (isRepeat(mind, text, index)) return false
  mind.prompt = { text, ...(index !== undefined && { index }) }
  delete mind.closed
  const simple = isSimplePrompt(text)
  const action = actionFor(mind, text, simple)

  mind.drift = decideDrift(mind.drift, { type: 'instruction' }).state
  delete mind.plan
  delete mind.corrections
  mind.pending = mind.pending.filter(({ kind }) => kind !== 'correction')
  mind.promptsSinceCheck++
  mind.unjudgedInstruction = !simple
  mind.continued = action === 'continue' && !simple

  // Other work begins: what was in hand is saved as far as it got.
  if (action === 'new_task') while (mind.task) await finishTask(world, mind, 'partial')
  if (action === 'continue' && mind.task) await continueTask(world, mind, mind.task, text, simple)
  else await beginTask(world, mind, text, action)
  return true
}

/** Whether these words begin work that has nothing to do with the files of the work before. */
export function beginsWork(mind: Mind, text: string): boolean {
  // Mostly there are none, and then it makes no difference.
  if (mind.onGoalFiles.length === 0) return true
  const action = actionFor(mind, text, isSimplePrompt(text))
  return kindOf(action) === 'main' && !(action === 'continue' && mind.task)
}

function actionFor(mind: Mind, text: string, simple: boolean): ReturnType<typeof onInstruction> {
  const current = mind.task ?? mind.finished
  return onInstruction(current && workOf(mind, current), text, simple)
}

/** A judge reads the newest words otherwise than the rules did: they begin or branch a task, from now on. */
export async function rethink(world: World, mind: Mind, action: 'new_task' | 'subtask' | 'parallel_task') {
  const { prompt } = mind
  if (!prompt) return
  if (action === 'new_task') while (mind.task) await finishTask(world, mind, 'partial')
  await beginTask(world, mind, prompt.text, action)
}

/** The hook tells of a prompt once; the proxy sees the same message again in every retry, and once after the hook. */
function isRepeat(mind: Mind, text: string, index: number | undefined): boolean {
  const last = mind.prompt
  if (!last || index === undefined) return false
  if (last.index === undefined) {
    if (last.text.trim() !== text.trim()) return false
    last.index = index
    return true
  }
  return last.index === index && last.text === text
}

function workOf(mind: Mind, task: Task): CurrentWork {
  return { goal: task.goal, keywords: task.keywords, kind: task.kind, recentFiles: mind.onGoalFiles }
}

async function continueTask(world: World, mind: Mind, task: Task, text: string, simple: boolean) {
  const now = world.clock.now()
  const more = extractGoal(text)
  const change = {
    promptCount: task.promptCount + 1,
    mode: mind.drift.mode,
    escalation: 0,
    updatedAt: now,
    // What the user adds counts from now on, and what they forbade still holds.
    ...(!simple && {
      constraints: union(task.constraints, more.constraints).slice(-CONSTRAINTS),
      expectedScope: union(task.expectedScope, more.expectedScope),
      keywords: union(task.keywords, more.keywords).slice(0, 40),
    }),
  }
  mind.task = { ...task, ...change }
  if (!simple) mind.trail = startTrail(text, [task.goal, ...(mind.trail?.context ?? [])].slice(0, 2))
  await world.store.tasks.change(task.id, change)
}

async function beginTask(world: World, mind: Mind, text: string, action: ReturnType<typeof onInstruction>) {
  const now = world.clock.now()
  const kind = kindOf(action)
  const before = mind.task
  // "Go on" after the end takes the finished work up again, under its old goal.
  const reopened = action === 'continue' ? mind.finished : undefined
  const read = extractGoal(text)
  const task = newTask(
    {
      id: world.newId('task'),
      sessionId: mind.sessionId,
      kind,
      instruction: text,
      ...read,
      ...(reopened && { goal: reopened.goal, keywords: union(reopened.keywords, read.keywords) }),
      ...(mind.projectId && { projectId: mind.projectId }),
      ...parentOf(kind, before, reopened),
    },
    now,
  )
  mind.task = task
  delete mind.lastScore
  mind.trail = startTrail(text, before && kind !== 'main' ? [before.goal] : reopened ? [reopened.goal] : [])
  if (kind === 'main') mind.onGoalFiles = []
  await world.store.tasks.create(task)
  world.publish({ type: 'task:started', sessionId: mind.sessionId, taskId: task.id, goal: task.goal })
}

function kindOf(action: ReturnType<typeof onInstruction>): TaskKind {
  return action === 'subtask' ? 'subtask' : action === 'parallel_task' ? 'parallel' : 'main'
}

function parentOf(kind: TaskKind, before: Task | undefined, reopened: Task | undefined): { parentId?: string } {
  const parent = kind === 'main' ? reopened : before
  return parent ? { parentId: parent.id } : {}
}

function union(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])]
}
