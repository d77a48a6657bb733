import type { MutationClass } from '#core/trace/mutation/mutation.ts'
import { SLOTS } from '../../state-slots.ts'
import type { GuardWorld } from '../world.ts'

/** Which intent an agent works for: kept per agent session, and per subagent in it. */

export interface Agent {
  sessionId: string
  agentId?: string
}

export interface Selection {
  intentId: string
  /** The kind of change that the agent has declared. */
  declared?: MutationClass
  at: number
}

type Needs = Pick<GuardWorld, 'states' | 'clock'>

/** One agent of a session: a subagent has an id of its own beside the session's. */
export function agentKey({ sessionId, agentId }: Agent): string {
  return agentId ? `${sessionId}:${agentId}` : sessionId
}

/** The agent's own selection; a subagent without one works for its session's. */
export async function activeIntent({ states }: Needs, agent: Agent): Promise<Selection | undefined> {
  const own = await states.get(SLOTS.intent, agentKey(agent))
  if (own || !agent.agentId) return own
  return states.get(SLOTS.intent, agent.sessionId)
}

/** Notes the agent's choice. */
export async function selectIntent({ states, clock }: Needs, agent: Agent, selection: Omit<Selection, 'at'>) {
  await states.put(SLOTS.intent, agentKey(agent), { ...selection, at: clock.now() }, clock.now())
}

/** A subagent is gone for good; a session can be resumed, so its choice is kept for a while. */
export async function forgetAgent({ states }: Needs, agent: Agent): Promise<void> {
  if (agent.agentId) await states.remove(SLOTS.intent, agentKey(agent))
}
