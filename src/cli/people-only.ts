import type { Cli } from './context.ts'

/**
 * What leaves the machine, what is deleted or allowed, and whether Grove watches at all, is for people to say: whoever was
 * started by an agent is told so.
 */
export async function onlyPeople(cli: Cli, what: string): Promise<void> {
  const { refuseAgents } = await import('#daemon/process/asked-by.ts')
  await refuseAgents(cli.config(), cli.env, what)
}
