import { Trouble } from '#config/trouble.ts'
import type { GuardDesk } from '#daemon/commands/guard.ts'
import type { Cli } from './context.ts'
import { note } from './print.ts'

/** What the commands about intents and the trace share. */

/** Does something with the intents and the trace of the current folder. */
export async function withGuard<T>(cli: Cli, work: (desk: GuardDesk) => Promise<T>): Promise<T> {
  const config = cli.config()
  const [{ atGuardDesk }, { terminalLog }] = await Promise.all([
    import('#daemon/commands/guard.ts'),
    import('#daemon/process/log.ts'),
  ])
  return atGuardDesk({ config, cwd: cli.cwd, log: terminalLog(note) }, work)
}

/** The same, in a project that has intents. */
export function inProject<T>(cli: Cli, work: (desk: GuardDesk) => Promise<T>): Promise<T> {
  return withGuard(cli, (desk) => {
    if (desk.project) return work(desk)
    throw new Trouble(
      'This project has no intents: there is no folder .orchestration here or above.',
      'Declare the first one: grove intent add "What is to be done" --scope "src/**"',
    )
  })
}

/** The same for listings: where there are no intents, there is nothing to list. */
export function lookInProject<T>(cli: Cli, empty: T, work: (desk: GuardDesk) => Promise<T>): Promise<T> {
  return withGuard(cli, async (desk) => (desk.project ? work(desk) : empty))
}
