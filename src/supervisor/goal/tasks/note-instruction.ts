import { decideDrift } from '#core/drift/recovery.ts'
import { startTrail } from '#core/drift/score.ts'
import { extractGoal, isLimitAlone } from '#core/goal/goal.ts'
import { isSimplePrompt } from '#core/goal/instruction.ts'
import { type CurrentWork, isShort, onInstruction } from '#core/goal/orchestrate.ts'
import { hear, lasting } from '#core/goal/orders.ts'
import { newTask, type Task, type TaskKind } from '#core/task.ts'
import { dropCorrections } from '../../session/deliveries.ts'
import { forgetScore, startOnGoal } from '../../session/drift.ts'
import { notePrompt } from '../../session/judging.ts'
import type { SessionState } from '../../session/session-state.ts'
import { openTurn } from '../../session/transcript.ts'
import {
  type ActiveWork,
  activeTask,
  activeWork,
  changeTask,
  followTrail,
  forgetOnGoalFiles,
  keepInstruction,
  latestTask,
  rememberedAs,
  takeUpTask,
} from '../../session/work.ts'
import type { World } from '../../world.ts'
import { finishTask, settleFinished } from './finish-task.ts'

/**
 * The user spoke. Their words decide what the work is from here on: they re-base the goal, lift a halt, and begin,
 * continue or branch a task. Returns false for words that were noted before, through the proxy or a hook.
 */
export async function noteInstruction(
  world: World,
  session: SessionState,
  text: string,
  index?: number,
): Promise<boolean> {
  if (isRepeat(session, text, index)) return false
  keepInstruction(session, text, index)
  const simple = isSimplePrompt(text)
  const action = actionFor(session, text, simple)
  const interrupted = SETS_ASIDE.test(text) ? undefined : workUnderWay(session)
  openTurn(session)

  startOnGoal(session, decideDrift(session.drift.standing, { type: 'instruction' }).state)
  dropCorrections(session)
  notePrompt(session, simple ? undefined : action === 'continue' ? 'same-work' : 'new-work')

  // Other work begins: what was in hand is saved as far as it got.
  if (action === 'new_task') while (activeTask(session)) await finishTask(world, session, 'partial')
  if (action === 'continue' || action === 'subtask') await takeUpFinished(world, session, text, action)
  const active = activeWork(session)
  if (action === 'continue' && active) await continueTask(world, session, active, text, simple)
  else await beginTask(world, session, text, action, interrupted)
  return true
}

/** Of words in the middle of a turn, what was asked before them: "quick detour, then go on" takes none of it back. */
function workUnderWay(session: SessionState): Task | undefined {
  return session.transcript.turn.status === 'open' ? activeTask(session) : undefined
}

/** The end was none: the same task goes on, with its steps and its memory, also where something has to come first. */
async function takeUpFinished(world: World, session: SessionState, text: string, action: 'continue' | 'subtask') {
  const { current } = session.work
  if (current.status !== 'ended' || rememberedAs(session, current.task) === undefined) return
  if (action === 'subtask' && current.task.kind !== 'main') return
  const task: Task = { ...current.task, status: 'active' }
  takeUpTask(session, task, startTrail(text, [task.goal]))
  await world.store.tasks.change(task.id, { status: 'active', updatedAt: world.clock.now() })
}

/** Whether these words begin work that has nothing to do with the files of the work before. */
export function beginsWork(session: SessionState, text: string): boolean {
  // Mostly there are none, and then it makes no difference.
  if (session.work.onGoalFiles.length === 0) return true
  const action = actionFor(session, text, isSimplePrompt(text))
  return kindOf(action) === 'main' && !(action === 'continue' && activeTask(session))
}

function actionFor(session: SessionState, text: string, simple: boolean): ReturnType<typeof onInstruction> {
  const current = latestTask(session)
  const action = onInstruction(current && workOf(session, current), text, simple)
  // In the middle of a turn "brotli too" and "not the tests" belong to it, although they share no word with it.
  const isOther = action === 'new_task' || action === 'parallel_task'
  const isAdded = isOther && workUnderWay(session) !== undefined && (ADDS.test(text) || isLimitAlone(text))
  return isAdded && !SETS_ASIDE.test(text) ? 'continue' : action
}

const ADDS =
  /^(?:and|plus|oh|ah|also|careful)\b|\b(?:too|as well|also|both)\b|\bauch\b|\baussi\b|\btambién\b|\banche\b|\btambém\b|\book\b|也|还有|も/i
const SETS_ASIDE =
  /\b(?:stop|forget|never ?mind|scrap|drop (?:the|that|it|this)|leave (?:that|it) for|wrong window|instead|something else|new (?:task|ticket|issue))\b|vergiss|stattdessen|lass das|oublie|laisse tomber|olvida|déjalo|lascia perdere|esque[cç]e|deixa (?:isso|pra lá)|vergeet|laat (?:dat|maar)|zostaw to|забудь|брось|算了|先别|やめて|그만/i

/** A judge reads the newest words otherwise than the rules did: they begin or branch a task, from now on. */
export async function rethink(world: World, session: SessionState, action: 'new_task' | 'subtask' | 'parallel_task') {
  const { instruction } = session.work
  if (!instruction) return
  if (action === 'new_task') while (activeTask(session)) await finishTask(world, session, 'partial')
  await beginTask(world, session, instruction.text, action)
}

/** Whether these words, at this place, were the last to be noted. */
export function isNoted({ work }: SessionState, { text, index }: { text: string; index: number }): boolean {
  return work.instruction?.index === index && work.instruction.text === text
}

/** The hook reports a prompt once; the proxy sees the same message again in every retry, and once after the hook. */
function isRepeat(session: SessionState, text: string, index: number | undefined): boolean {
  const last = session.work.instruction
  if (!last || index === undefined) return false
  if (last.index === undefined) {
    if (last.text.trim() !== text.trim()) return false
    keepInstruction(session, last.text, index)
    return true
  }
  return isNoted(session, { text, index })
}

function workOf(session: SessionState, task: Task): CurrentWork {
  return { goal: task.goal, keywords: task.keywords, kind: task.kind, recentFiles: session.work.onGoalFiles }
}

async function continueTask(
  world: World,
  session: SessionState,
  { task, trail }: ActiveWork,
  text: string,
  simple: boolean,
) {
  const now = world.clock.now()
  const more = extractGoal(text)
  const change = {
    promptCount: task.promptCount + 1,
    mode: session.drift.standing.mode,
    escalation: session.drift.standing.escalation,
    updatedAt: now,
    // What the user adds counts from now on, and what they forbade holds until newer words open it again.
    ...hear(task, text),
    ...(!simple && { keywords: union(task.keywords, more.keywords).slice(0, 40) }),
    // What began with nothing but a limit has its goal from the first words that name one.
    ...(!simple && isLimitAlone(task.instruction) && !isLimitAlone(text) && isFirstGoal(task) && { goal: more.goal }),
  }
  changeTask(session, change)
  if (simple || isLimitAlone(text)) {
    // "Yes, go on" is leave to do more, and so is "but not in the tests": what was asked stands.
    const { delivered: _, handedOver: __, ...rest } = trail
    followTrail(session, rest)
  } else {
    const { complaints, complainedBy } = trail
    // A word or two say how, to what was asked before: "header".
    const asked = isShort(text) && trail.goal !== text ? `${trail.goal}\n${text}` : text
    followTrail(session, {
      ...startTrail(asked, [task.goal, ...trail.context].slice(0, 2)),
      ...(complaints && { complaints }),
      ...(complainedBy && { complainedBy }),
    })
  }
  await world.store.tasks.change(task.id, change)
}

function isFirstGoal({ goal, instruction }: Task): boolean {
  return goal === extractGoal(instruction).goal
}

async function beginTask(
  world: World,
  session: SessionState,
  text: string,
  action: ReturnType<typeof onInstruction>,
  interrupted?: Task,
) {
  const now = world.clock.now()
  const kind = kindOf(action)
  await settleFinished(world, session)
  const before = activeTask(session)
  // "Go on" after the end takes the finished work up again, under its old goal.
  const reopened = action === 'continue' ? latestTask(session) : undefined
  const read = extractGoal(text)
  const earlier = kind === 'main' ? latestTask(session) : before
  const task = newTask(
    {
      id: world.newId('task'),
      sessionId: session.sessionId,
      kind,
      instruction: text,
      ...read,
      ...(earlier && hear(kind === 'main' && !reopened ? lasting(earlier) : earlier, text)),
      ...(reopened && { goal: reopened.goal, keywords: union(reopened.keywords, read.keywords) }),
      ...(session.place && { projectId: session.place.projectId }),
      ...parentOf(kind, before, reopened),
    },
    now,
  )
  const around = (kind === 'main' ? undefined : before) ?? reopened ?? interrupted
  const context = around ? [around.goal] : []
  takeUpTask(session, task, startTrail(text, context))
  forgetScore(session)
  if (kind === 'main') forgetOnGoalFiles(session)
  await world.store.tasks.create(task)
  world.publish({ type: 'task:started', sessionId: session.sessionId, taskId: task.id, goal: task.goal })
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
