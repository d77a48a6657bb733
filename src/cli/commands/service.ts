import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { tilde } from '#config/paths.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  const load = () => import('#daemon/attach/service.ts')
  command
    .command('install')
    .summary('start Grove when you log in, and again when it breaks down')
    .action(async () => {
      const { installService } = await load()
      const [config, { ensureHome }] = [cli.config(), await import('#daemon/process/home.ts')]
      ensureHome(config.home)
      const file = installService({ config, env: cli.env, program: realpathSync(process.argv[1]!) })
      print(`Grove is a service now: ${tilde(file)}. Take it away with \`grove service remove\`.`)
    })
  command
    .command('remove')
    .summary('stop it and take it away')
    .action(async () => {
      await onlyPeople(cli, 'take the service away')
      const { removeService } = await load()
      print(removeService(cli.config(), cli.env) ? 'The service is gone.' : 'There was no service of Grove.')
    })
  command
    .command('status', { isDefault: true })
    .summary('whether it is installed and running')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const state = (await load()).serviceState(cli.env)
      if (json) return printJson(state)
      if (!state.manager) print('This system has no service manager that Grove knows; start `grove up` yourself.')
      else if (!state.installed) print('Grove is no service here; `grove service install` makes it one.')
      else
        print(
          `Grove is a service of ${state.manager} (${tilde(state.file!)}), ${state.running ? 'running' : 'not running'}.`,
        )
    })
}
