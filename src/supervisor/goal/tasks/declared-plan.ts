import { placed } from '#core/action/paths.ts'
import { isGroveTool } from '#core/action/tools.ts'
import { cap } from '#core/context/fence.ts'
import type { Bounds, DriftAction } from '#core/drift/score.ts'
import { redact } from '#core/redact/redact.ts'
import { covers } from '#core/text/covers.ts'
import type { SeenUse } from '../../action/tool-call.ts'
import { queueContext, queueNotice } from '../../session/deliveries.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeTask, type DeclaredPlan, noteDeclared } from '../../session/work.ts'

const MOST = 30

/** The agent has said with `declare_goal` what it understands its task to be: from now on its changes are compared with that. */
export function hearDeclared(session: SessionState, { name, input }: SeenUse): void {
  const task = activeTask(session)
  if (!task || !isGroveTool(name, 'declare_goal')) return
  const texts = (value: unknown) =>
    (Array.isArray(value) ? value : []).flatMap((one) => (typeof one === 'string' ? [redact(one)] : [])).slice(0, MOST)
  const goal = typeof input.goal === 'string' ? redact(input.goal) : ''
  const files = texts(input.files).map((path) => placed(path, session.place?.cwd))
  const limits = texts(input.limits)
  noteDeclared(session, { taskId: task.id, goal, files, limits })
  const where = files.length > 0 ? `, in ${cap(files.join(', '), 120)}` : ''
  const but = limits.length > 0 ? `; it will not go against: ${cap(limits.join(' · '), 120)}` : ''
  queueNotice(session, `Grove: the agent declared its goal: ${cap(goal, 120)}${where}${but}.`)
}

/** What the plan says about a change: what it names is expected, what it does not name was not, and its limits hold. */
export function planBounds(
  session: SessionState,
  { path }: DriftAction,
): Pick<Bounds, 'plan' | 'ownLimits' | 'evidence'> {
  const plan = planFor(session)
  if (!plan || path === undefined) return {}
  const task = activeTask(session)
  // The user's word stands above what the agent has made of it.
  const isAskedFor = task !== undefined && covers(task.expectedScope, path)
  const ownLimits = isAskedFor ? [] : [...plan.limits]
  if (plan.files.length === 0) return { ownLimits }
  return covers(plan.files, path) ? { ownLimits, evidence: { inScope: true } } : { ownLimits, plan: plan.files }
}

function planFor(session: SessionState): DeclaredPlan | undefined {
  const { declared } = session.work
  return declared && declared.taskId === activeTask(session)?.id ? declared : undefined
}

const ASK =
  'Before the first change, call the tool `declare_goal` of the grove MCP server: the goal as you understand it, the files or folders you expect to change, and the limits the user set. Where the tool is not there, go on without it.'

/** Asks the agent for its plan, with the prompt that begins a task. */
export function askForPlan(session: SessionState, prompt: string): void {
  queueContext(session, { key: `declare:${prompt.slice(0, 80)}`, text: ASK, why: 'goal.declare is on' })
}
