import type { Config } from '#config/config.ts'
import type { OpenWorld } from '#daemon/compose/world.ts'
import type { Cli } from './context.ts'

interface Options {
  /** Settings to use instead of `cli.config()`, which throws for a wrong option. */
  config?: Config
  /** `:memory:` for work on an empty home, which must leave nothing behind. */
  database?: ':memory:'
}

/** Runs a command on the world of this home, then closes what it has opened; the daemon may run or not. */
export async function withWorld<T>(
  cli: Cli,
  work: (world: OpenWorld) => Promise<T>,
  { config = cli.config(), ...options }: Options = {},
): Promise<T> {
  const [{ openWorld }, { terminalLog }] = await Promise.all([
    import('#daemon/compose/world.ts'),
    import('#daemon/process/log.ts'),
  ])
  const world = openWorld({ config, log: terminalLog(cli.noteNew), ...options })
  try {
    return await work(world)
  } finally {
    await world.close()
  }
}
