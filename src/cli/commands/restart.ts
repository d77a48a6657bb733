import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print } from '../print.ts'

/** How long a start may take before it is called failed: a machine under load starts slowly. */
const PATIENCE = 20_000

export function define(command: Command, cli: Cli): void {
  command
    .option('--now', 'do not wait for running requests to finish')
    .action(async ({ now = false }: { now?: boolean }) => {
      // The daemon would inherit the caller's environment, which says where requests and keys go.
      await onlyPeople(cli, 'restart Grove')
      const config = cli.config()
      const [{ runningDaemons, stopDaemons }, { reachProxy }, { startService }] = await Promise.all([
        import('#daemon/process/stop-daemon.ts'),
        import('#daemon/process/start-daemon.ts'),
        import('#daemon/attach/service.ts'),
      ])
      const running = runningDaemons(config)
      await stopDaemons(config, running, { now })
      // The service manager starts its own again, so that it stays the one that keeps it running.
      if (running.some(({ startedBy }) => startedBy === 'service')) startService(config, cli.env)
      const program = realpathSync(process.argv[1]!)
      const reached = await reachProxy({ config, env: cli.env, program, patienceMs: PATIENCE, mayStart: true })
      if (!('url' in reached)) throw new Trouble(`${reached.off}.`, reached.fix)
      print(
        `Grove ${version} is running in the background: \`grove open\` opens its page, \`grove logs\` shows its log.`,
      )
    })
}
