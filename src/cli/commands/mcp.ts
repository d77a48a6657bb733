import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { note } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command.action(async () => {
    const [{ runMcp }, { terminalLog }] = await Promise.all([
      import('#daemon/transports/mcp.ts'),
      import('#daemon/process/log.ts'),
    ])
    // Standard output belongs to the protocol; everything for people goes to standard error.
    // A mistake in a settings file must not take the tools away from an agent at work.
    await runMcp({ config: cli.settings().config, env: cli.env, cwd: cli.cwd, log: terminalLog(note) })
  })
}
