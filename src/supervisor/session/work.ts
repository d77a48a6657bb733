import type { DriftTrail } from '#core/drift/score.ts'
import type { Task, TaskChange } from '#core/task.ts'
import { pushBounded } from './bounded.ts'
import type { SessionState } from './session-state.ts'

/** What the user asked for, and which actions were noted for it. */
export interface Work {
  readonly current: CurrentTask
  /** The instruction noted last, and the message the proxy saw it in. */
  readonly instruction?: { readonly text: string; readonly index?: number }
  /** How the newest instructions begin, to know them again when another source tells of them. */
  readonly heard: readonly string[]
  /** Files of actions that served the goal, newest last. */
  readonly onGoalFiles: readonly string[]
  /** Files that the agent has changed in this session, newest last. */
  readonly changed: readonly string[]
  /** The memory of the task that was finished last. Until other work begins it is provisional: more work changes it. */
  readonly remembered?: { readonly taskId: string; readonly memoryId: string }
  /** What the agent itself has said that it is going to do. */
  readonly declared?: DeclaredPlan
  /** Actions already noted, by `tool_use_id`: the proxy and the hooks both report them. */
  readonly notedActions: readonly string[]
}

export interface DeclaredPlan {
  readonly taskId: string
  readonly goal: string
  readonly files: string[]
  readonly limits: readonly string[]
}

export type CurrentTask =
  | { readonly status: 'none' }
  | ({ readonly status: 'active' } & ActiveWork)
  /** The task that ended last: a follow-up may take it up again. */
  | { readonly status: 'ended'; readonly task: Task }

/** A task, and the trail that its actions are scored against. */
export interface ActiveWork {
  readonly task: Task
  readonly trail: DriftTrail
}

export const NO_WORK: Work = { current: { status: 'none' }, heard: [], onGoalFiles: [], changed: [], notedActions: [] }

const NOTED_ACTIONS = 500
const ON_GOAL_FILES = 12
const CHANGED = 100
const HEARD = 10
const BEGINNING = 200

export function activeWork({ work: { current } }: SessionState): ActiveWork | undefined {
  return current.status === 'active' ? current : undefined
}

export function activeTask(session: SessionState): Task | undefined {
  return activeWork(session)?.task
}

/** The active task or, without one, the task that ended last. */
export function latestTask({ work: { current } }: SessionState): Task | undefined {
  return current.status === 'none' ? undefined : current.task
}

export function takeUpTask(session: SessionState, task: Task, trail: DriftTrail): void {
  session.work = { ...session.work, current: { status: 'active', task, trail } }
}

/** Changes the active task; the caller changes its row in the store. */
export function changeTask(session: SessionState, change: TaskChange): void {
  const active = activeWork(session)
  if (active) takeUpTask(session, { ...active.task, ...change }, active.trail)
}

export function followTrail(session: SessionState, trail: DriftTrail): void {
  const active = activeWork(session)
  if (active) takeUpTask(session, active.task, trail)
}

export function endTask(session: SessionState, task: Task): void {
  session.work = { ...session.work, current: { status: 'ended', task } }
}

export function noteRemembered(session: SessionState, taskId: string, memoryId: string | undefined): void {
  const { remembered: _, ...rest } = session.work
  session.work = { ...rest, ...(memoryId !== undefined && { remembered: { taskId, memoryId } }) }
}

/** The memory of a task, as long as it is provisional. */
export function rememberedAs({ work: { remembered } }: SessionState, { id }: Task): string | undefined {
  return remembered?.taskId === id ? remembered.memoryId : undefined
}

export function keepInstruction(session: SessionState, text: string, index: number | undefined): void {
  const heard = pushBounded(session.work.heard, beginning(text), HEARD)
  session.work = { ...session.work, heard, instruction: { text, ...(index !== undefined && { index }) } }
}

/** Whether these words are among the newest instructions. */
export function wasHeard({ work: { heard } }: SessionState, text: string): boolean {
  return heard.includes(beginning(text))
}

function beginning(text: string): string {
  return text.trim().slice(0, BEGINNING)
}

export function noteActionId(session: SessionState, toolUseId: string): void {
  const { notedActions: before } = session.work
  const noted = notedSet(before)
  if (noted.has(toolUseId)) return
  const after = pushBounded(before, toolUseId, NOTED_ACTIONS)
  noted.add(toolUseId)
  if (after.length === before.length) noted.delete(before[0]!)
  notedSets.delete(before)
  notedSets.set(after, noted)
  session.work = { ...session.work, notedActions: after }
}

export function isNoted({ work }: SessionState, toolUseId: string): boolean {
  return notedSet(work.notedActions).has(toolUseId)
}

/** The list of noted actions as a set: every action asks several times, and mostly it is not among them. */
const notedSets = new WeakMap<readonly string[], Set<string>>()

function notedSet(list: readonly string[]): Set<string> {
  const known = notedSets.get(list)
  if (known) return known
  const noted = new Set(list)
  notedSets.set(list, noted)
  return noted
}

export function noteOnGoalFiles(session: SessionState, files: readonly string[]): void {
  const { onGoalFiles } = session.work
  const grown = files.reduce((known, file) => pushBounded(known, file, ON_GOAL_FILES), onGoalFiles)
  session.work = { ...session.work, onGoalFiles: grown }
}

/** Forgets files that were taken for the goal's and have turned out to be drift. */
export function dropOnGoalFiles(session: SessionState, isAstray: (file: string) => boolean): void {
  const onGoalFiles = session.work.onGoalFiles.filter((file) => !isAstray(file))
  if (onGoalFiles.length < session.work.onGoalFiles.length) session.work = { ...session.work, onGoalFiles }
}

export function noteDeclared(session: SessionState, declared: DeclaredPlan): void {
  session.work = { ...session.work, declared }
}

export function noteChanged(session: SessionState, paths: readonly string[]): void {
  if (paths.length === 0) return
  const changed = paths.reduce((known, path) => pushBounded(known, path, CHANGED), session.work.changed)
  session.work = { ...session.work, changed }
}

/** Other work begins: its files are not known yet. */
export function forgetOnGoalFiles(session: SessionState): void {
  session.work = { ...session.work, onGoalFiles: [] }
}
