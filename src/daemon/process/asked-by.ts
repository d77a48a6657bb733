import type { Env } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import { descentOfThis } from '#exec/peers/peers.ts'

/** Throws when an agent has started this process, in whatever way, or may have: what it wants is for people to say. */
export async function refuseAgents(env: Env, what: string): Promise<void> {
  const descent = await descentOfThis(env)
  if (descent.of === 'agent') {
    throw new Trouble(
      `An agent cannot ${what} (${descent.how}).`,
      'A person does that in a terminal of their own, or in the browser.',
    )
  }
  if (descent.of === 'unclear') {
    throw new Trouble(
      `Grove cannot tell whether a person wants to ${what}: ${descent.how}.`,
      'Do it in a terminal of your own, or in the browser.',
    )
  }
}

/** Whether an agent has started this process. */
export async function isAskedByAgent(env: Env): Promise<boolean> {
  return (await descentOfThis(env)).of === 'agent'
}
