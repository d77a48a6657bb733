import { Trouble } from '#config/trouble.ts'
import type { Cli } from './context.ts'

/** What leaves the machine, and whether Grove watches at all, is for people to say: a shell of Claude Code is an agent's. */
export function refuseAgents({ env }: Cli, what: string): void {
  if (!env.CLAUDECODE && !env.CLAUDE_CODE_SESSION_ID) return
  throw new Trouble(`An agent cannot ${what}.`, 'A person does that in a terminal of their own.')
}
