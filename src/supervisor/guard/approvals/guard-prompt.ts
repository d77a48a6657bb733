import { isGroveTool } from '#core/action/tools.ts'
import { NO_INTENT } from '#core/intent/approval.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { isRefusal, refusalText } from '#protocol/refusal.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import { type Agent, activeIntent } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'
import { forgetAsked, refused, requestId, waitForAnswer } from './approvals.ts'
import { actionQuestion } from './ask-person.ts'
import { scopeRequest } from './scope-request.ts'

type Event = HookEventOf<'PermissionRequest'>

/** The guard's own request that a prompt of the client is about; any other prompt is the client's. */
export async function requestAtPrompt(
  world: GuardWorld,
  project: GuardedProject,
  event: Event,
): Promise<string | undefined> {
  const id = await requestOf(world, project, event)
  const request = id === undefined ? undefined : await world.states.get(SLOTS.approval, id)
  return request === undefined || request.status === 'used' ? undefined : id
}

/** An answer given elsewhere closes the prompt: in the browser, or with `grove intent approve`. The first one decides. */
export async function answerAtPrompt(
  world: GuardWorld,
  project: GuardedProject,
  id: string,
): Promise<Contribution | undefined> {
  const { approvalWaitMs } = world.settings(project)
  const said = await waitForAnswer(world, id, approvalWaitMs)
  if (said === undefined || said.status === 'used') return undefined
  if (said.status === 'approved') return { permit: true }
  await forgetAsked(world, id)
  return { permit: refusalText(refused(said, approvalWaitMs)) }
}

async function requestOf(world: GuardWorld, project: GuardedProject, event: Event): Promise<string | undefined> {
  const agent: Agent = { sessionId: event.session_id, ...(event.agent_id && { agentId: event.agent_id }) }
  if (isGroveTool(event.tool_name, 'request_scope')) {
    const { paths } = event.tool_input
    const request = await scopeRequest(world, project, agent, Array.isArray(paths) ? paths.map(String) : [])
    return isRefusal(request) ? undefined : requestId(world, request)
  }
  const selection = await activeIntent(world, agent)
  return requestId(world, actionQuestion(project, event, selection?.intentId ?? NO_INTENT))
}
