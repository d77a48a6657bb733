import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { tilde } from '#config/paths.ts'
import type { ServiceState } from '#daemon/attach/service.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  const load = () => import('#daemon/attach/service.ts')
  command
    .command('install')
    .summary('start Grove when you log in, and restart it if it fails')
    .action(async () => {
      const { installService } = await load()
      const [config, { ensureHome }] = [cli.config(), await import('#daemon/process/home.ts')]
      ensureHome(config.home)
      const file = installService({ config, env: cli.env, program: realpathSync(process.argv[1]!) })
      print(`Grove now runs as a service: ${tilde(file)}. Remove it with \`grove service remove\`.`)
    })
  command
    .command('remove')
    .summary('stop and remove the service')
    .action(async () => {
      await onlyPeople(cli, 'remove the service')
      const { removeService } = await load()
      print(removeService(cli.config(), cli.env) ? 'The service was removed.' : 'No service was installed.')
    })
  command
    .command('status', { isDefault: true })
    .summary('show whether the service is installed and running')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const state = (await load()).serviceState(cli.env)
      if (json) return printJson(state)
      if (!state.manager)
        print('Grove found no service manager (systemd for users, or launchd); start `grove up` yourself.')
      else if (!state.installed) print('Grove is not installed as a service; `grove service install` does that.')
      else print(`Grove is a ${state.manager} service (${tilde(state.file!)}), ${await howItRuns(cli, state)}.`)
    })
}

/** A Grove started in a terminal or by Claude Code may run while the service is down. */
async function howItRuns(cli: Cli, { running }: ServiceState): Promise<string> {
  if (running) return 'running'
  const { runningDaemons } = await import('#daemon/process/stop-daemon.ts')
  const [other] = runningDaemons(cli.config())
  return other
    ? `not running: a Grove that was started otherwise is (pid ${other.pid}); \`grove restart\` hands over to the service`
    : 'not running; `grove restart` starts it'
}
