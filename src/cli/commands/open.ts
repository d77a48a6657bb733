import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--print', 'print the link instead of opening it')
    .action(async ({ print: isWanted = false }: { print?: boolean }) => {
      await onlyPeople(cli, 'open the page')
      const { linkToPage, openBrowser } = await import('#daemon/commands/open.ts')
      const program = realpathSync(process.argv[1]!)
      const reached = await linkToPage({ config: cli.config(), env: cli.env, program })
      if (!('link' in reached)) throw new Trouble(`${reached.off}.`, reached.fix)
      if (isWanted) print(reached.link)
      else if (await openBrowser(reached.link, cli.config(), cli.env)) print('Opening Grove in your browser.')
      else print(`Open this link in a browser:\n\n  ${reached.link}`)
    })
}
