import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { pauseText, scopeOf } from '../pauses.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, note, print, printJson } from '../print.ts'
import { withWorld } from '../world.ts'

interface Options {
  session?: string
  project?: boolean
  all?: boolean
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--session <id>', 'only this agent session')
    .option('--project', 'the project in this folder (the default)')
    .option('--all', 'end all pauses')
    .option('--json', 'print JSON')
    .action((options: Options) => resume(cli, options))
}

async function resume(cli: Cli, { json, ...options }: Options): Promise<void> {
  await onlyPeople(cli, 'switch Grove on')
  const scope = scopeOf(options)
  const { ended, left } = await withWorld(cli, async (world) => {
    const { pausesNow, resumeHere } = await import('#daemon/commands/pause.ts')
    return { ended: await resumeHere(world, cli.cwd, scope), left: await pausesNow(world) }
  })
  if (json) return printJson({ ended, left })
  const names = ended.map(({ name }) => clean(name)).join(' and ')
  print(ended.length > 0 ? `Grove is back on for ${names}.` : 'Nothing was paused here.')
  if (left.length > 0) note(`Still off: ${left.map(pauseText).join(', ')}.`)
}
