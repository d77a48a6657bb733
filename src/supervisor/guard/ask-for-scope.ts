import type { GuardedProject } from '#core/ports/guard.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { Contribution } from '../handle-hook.ts'
import type { Agent } from './active-intent.ts'
import { file, noteAsked } from './approvals.ts'
import { isAtTerminal } from './ask-person.ts'
import type { CallEvent } from './call.ts'
import { scopeRequest } from './handshake.ts'
import type { GuardWorld } from './world.ts'

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
