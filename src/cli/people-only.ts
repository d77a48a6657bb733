import type { Cli } from './context.ts'

/**
 * Refuses a command that an agent has started. For commands that send, delete or allow something, or switch Grove off:
 * those are for people to decide.
 */
export async function onlyPeople(cli: Cli, what: string): Promise<void> {
  const { refuseAgents } = await import('#daemon/process/refuse-agents.ts')
  await refuseAgents(cli.config(), cli.env, what)
}
