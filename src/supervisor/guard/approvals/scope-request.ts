import type { Approval } from '#core/intent/approval.ts'
import { type Denial, noIntent, rejected } from '#core/intent/denial.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { refusal } from '#core/refusal.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import type { CallEvent } from '../before-tool/call.ts'
import { type Agent, activeIntent } from '../intents/active-intent.ts'
import { widen } from '../intents/change-intents.ts'
import type { GuardWorld } from '../world.ts'
import { answer, file, noteAsked, type Request, refused, use, waitForAnswer } from './approvals.ts'
import { isAtTerminal } from './ask-person.ts'

/**
 * Only a person can widen a scope. The request is in the inbox before the tool runs; at an attended terminal the
 * client's own prompt asks as well.
 */
export async function askForScope(
  world: GuardWorld,
  project: GuardedProject,
  event: CallEvent,
): Promise<Contribution | undefined> {
  const { paths, reason } = event.tool_input
  const agent: Agent = { sessionId: event.session_id, ...(event.agent_id && { agentId: event.agent_id }) }
  const request = await scopeRequest(world, project, agent, Array.isArray(paths) ? paths.map(String) : [])
  // What cannot be asked for is told by the tool itself.
  if (isRefusal(request)) return undefined
  const approval = await file(world, { ...request, ...(typeof reason === 'string' && { reason }) })
  if (approval.status !== 'pending' || !(await isAtTerminal(world, project, event))) return undefined
  await noteAsked(world, event.tool_use_id, { approvalId: approval.id, sessionId: agent.sessionId })
  return { ask: `The agent wants to ${approval.what}${approval.reason ? ` (${approval.reason})` : ''}`.slice(0, 600) }
}

const MOST_GLOBS = 20

/** The request for more scope of an agent's intent, or what is wrong with it. */
export async function scopeRequest(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent,
  wanted: readonly string[],
): Promise<Request | Denial> {
  const selection = await activeIntent(world, agent)
  const book = await world.intents.open(project)
  const intent = selection && book.find(selection.intentId)
  if (!intent) return noIntent('request_scope', book.choice)
  const scope = wanted.map((glob) => glob.trim().replace(/^\.\//, '')).filter(Boolean)
  // A person is shown the globs without secrets, and would approve something else than what was asked.
  const odd = scope.filter((glob) => /^[/~]|(^|\/)\.\.(\/|$)|^!|[\0\n]/.test(glob) || redact(glob) !== glob)
  if (scope.length === 0 || scope.length > MOST_GLOBS || odd.length > 0) {
    return refusal(
      'scope_violation',
      `This scope cannot be requested: ${redact((odd.length > 0 ? odd : scope).slice(0, 5).join(', ')) || 'nothing'}.`,
      `Name 1 to ${MOST_GLOBS} paths or globs from the project's root, without \`..\` and without \`!\`.`,
    )
  }
  return {
    kind: 'scope',
    sessionId: agent.sessionId,
    ...(agent.agentId && { agentId: agent.agentId }),
    project,
    intentId: intent.id,
    tool: 'request_scope',
    subject: JSON.stringify([...scope].sort()),
    what: `add ${scope.join(', ')} to the scope of ${intent.id}`,
    scope,
  }
}

/** Asks a person for more scope, waits for the answer, and widens the intent when it is yes. */
export async function requestScope(
  world: GuardWorld,
  project: GuardedProject,
  { toolUseId, ...agent }: Agent & { toolUseId?: string },
  wanted: readonly string[],
  reason: string,
): Promise<string | Denial> {
  const request = await scopeRequest(world, project, agent, wanted)
  if (isRefusal(request)) return request
  const { intentId, scope = [] } = request
  const approval = await file(world, { ...request, reason })
  if (await saidYesInTerminal(world, toolUseId)) await answer(world, approval.id, { approve: true, in: 'terminal' })
  const { approvalWaitMs } = world.settings(project)
  const said = (await waitForAnswer(world, approval.id, approvalWaitMs)) ?? approval
  if (said.status === 'rejected') return rejected(said.what, said.note)
  if (said.status === 'pending') return refused(said, approvalWaitMs)
  await use(world, approval.id)
  await widen(world, project, intentId, scope)
  return `Approved. ${intentId} now also owns ${scope.join(', ')}.`
}

/** The client has asked the person before it made this call, so that the call was made is the answer. */
async function saidYesInTerminal({ states }: GuardWorld, toolUseId: string | undefined): Promise<boolean> {
  if (!toolUseId || (await states.get(SLOTS.guardAsked, toolUseId)) === undefined) return false
  await states.remove(SLOTS.guardAsked, toolUseId)
  return true
}

/** A person answers a request. More scope is given at once, also when the agent has stopped waiting. */
export async function answerRequest(
  world: GuardWorld,
  id: string,
  said: { approve: boolean; in: 'terminal' | 'browser'; note?: string },
): Promise<Approval | undefined> {
  const approval = await answer(world, id, said)
  const project = approval && world.projects.at(approval.root)
  if (project && approval.status === 'approved' && approval.kind === 'scope') {
    await widen(world, project, approval.intentId, approval.scope ?? [])
  }
  return approval
}
