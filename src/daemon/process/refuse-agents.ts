import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import type { Descent } from '#core/ports/peers.ts'
import { descentOfThis } from '#exec/peers/peers.ts'
import { seesOthersThan } from './lock.ts'

/**
 * Throws when an agent has started this process, in whatever way, or may have: what it wants is for people to say. Where it
 * concerns a home, that one's daemon must see the same processes.
 */
export async function refuseAgents(config: Config | undefined, env: Env, what: string): Promise<void> {
  const descent = (config && apart(config)) ?? (await descentOfThis(env))
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

/** A process in a PID namespace of its own cannot see the agent that started it. */
function apart(config: Config): Descent | undefined {
  const { run } = pathsOf(config)
  const isApart = ['proxy.json', 'web.json'].some((name) => seesOthersThan(join(run, name)))
  return isApart
    ? { of: 'unclear', how: 'it runs where it cannot see the processes that Grove sees', isBrowser: false }
    : undefined
}

/** Whether an agent has started this process. */
export async function isAskedByAgent(env: Env): Promise<boolean> {
  return (await descentOfThis(env)).of === 'agent'
}
