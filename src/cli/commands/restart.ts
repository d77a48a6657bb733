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
      const [{ runningDaemons, stopDaemons }, { reachProxy, untilReached }, { startService }] = await Promise.all([
        import('#daemon/process/stop-daemon.ts'),
        import('#daemon/process/start-daemon.ts'),
        import('#daemon/attach/service.ts'),
      ])
      await stopDaemons(config, runningDaemons(config), { now })
      // Where there is a service, it stays the one that keeps Grove running.
      const isService = startService(config, cli.env)
      const needs = { config, env: cli.env, program: realpathSync(process.argv[1]!), patienceMs: PATIENCE }
      const reached = isService ? await untilReached(needs) : await reachProxy({ ...needs, mayStart: true })
      if (!('url' in reached)) throw new Trouble(`${reached.off}.`, reached.fix)
      print(
        `Grove ${version} is running in the background: \`grove open\` opens its page, \`grove logs\` shows its log.`,
      )
    })
}
