import type { MutationClass } from '#core/trace/mutation/mutation.ts'
import type { GuardWorld } from './world.ts'

/** Which intent an agent works for: kept per agent session, and per subagent in it. */

const ACTIVE = 'intent'
const IDLE_MS = 14 * 24 * 3600_000

export interface Agent {
  sessionId: string
  agentId?: string
}

export interface Selection {
  intentId: string
  /** What the agent says its changes are. */
  declared?: MutationClass
  at: number
}

type Needs = Pick<GuardWorld, 'states' | 'clock'>

function keyOf({ sessionId, agentId }: Agent): string {
  return agentId ? `${sessionId}:${agentId}` : sessionId
}

/** The agent's own selection; a subagent without one works for its session's. */
export async function activeIntent({ states }: Needs, agent: Agent): Promise<Selection | undefined> {
  const own = (await states.get(ACTIVE, keyOf(agent))) as Selection | undefined
  if (own || !agent.agentId) return own
  return (await states.get(ACTIVE, agent.sessionId)) as Selection | undefined
}

/** Notes the agent's choice. */
export async function selectIntent({ states, clock }: Needs, agent: Agent, selection: Omit<Selection, 'at'>) {
  await states.put(ACTIVE, keyOf(agent), { ...selection, at: clock.now() }, clock.now())
}

/** A subagent is gone for good; a session can be resumed, so its choice is kept for a while. */
export async function forgetAgent({ states }: Needs, agent: Agent): Promise<void> {
  if (agent.agentId) await states.remove(ACTIVE, keyOf(agent))
}

/** Drops what nobody has used for two weeks. */
export async function forgetIdle({ states, clock }: Needs, kinds: readonly string[]): Promise<void> {
  for (const kind of [ACTIVE, ...kinds]) {
    for (const key of await states.idleSince(kind, clock.now() - IDLE_MS)) await states.remove(kind, key)
  }
}
