import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--now', 'do not wait for running requests to finish')
    .action(async ({ now = false }: { now?: boolean }) => {
      await onlyPeople(cli, 'stop Grove')
      const config = cli.config()
      const { runningDaemons, stopDaemons } = await import('#daemon/process/stop-daemon.ts')
      const running = runningDaemons(config)
      await stopDaemons(config, running, { now })
      const pids = running.map(({ pid }) => `pid ${pid}`).join(', ')
      print(running.length > 0 ? `Grove has stopped (${pids}).` : 'Grove was not running.')
    })
}
