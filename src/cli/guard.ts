import { Trouble } from '#config/trouble.ts'
import type { GuardCommands } from '#daemon/commands/guard.ts'
import type { Cli } from './context.ts'
import { withWorld } from './world.ts'

/** What the commands about intents and the trace share. */

/** Does something with the intents and the trace of the current folder. */
export function withGuard<T>(cli: Cli, work: (guard: GuardCommands) => Promise<T>): Promise<T> {
  return withWorld(cli, async (world) => {
    const { guardCommands } = await import('#daemon/commands/guard.ts')
    return work(await guardCommands(world, cli.cwd))
  })
}

/** As `withGuard`, and fails with an explanation in a project without intents. */
export function inProject<T>(cli: Cli, work: (guard: GuardCommands) => Promise<T>): Promise<T> {
  return withGuard(cli, (guard) => {
    if (guard.project) return work(guard)
    throw new Trouble(
      'This project has no intents (there is no .orchestration folder here or above).',
      'Declare the first one: grove intent add "Refresh tokens" --scope "src/auth/**"',
    )
  })
}

/** As `withGuard`, for listings: in a project without intents the answer is `empty`. */
export function lookInProject<T>(cli: Cli, empty: T, work: (guard: GuardCommands) => Promise<T>): Promise<T> {
  return withGuard(cli, async (guard) => (guard.project ? work(guard) : empty))
}

/** Reads the trace, which is kept of every repository that agents work in, with intents or without. */
export function inTraced<T>(cli: Cli, work: (guard: GuardCommands) => Promise<T>): Promise<T> {
  return withGuard(cli, (guard) => {
    if (guard.traced) return work(guard)
    throw new Trouble(
      'This folder is not in a git repository.',
      'Changes are only traced in git repositories. Run git init first.',
    )
  })
}
