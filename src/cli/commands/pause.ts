import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { above } from '../numbers.ts'
import { clockTime, scopeOf } from '../pauses.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, print, printJson } from '../print.ts'
import { withWorld } from '../world.ts'

/** A year. */
const MOST_MINUTES = 525_600

interface Options {
  session?: string
  project?: boolean
  all?: boolean
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('[minutes]', 'how long; without it, until `grove resume`', above(0, MOST_MINUTES))
    .option('--session <id>', 'only this agent session')
    .option('--project', 'the project in this folder (the default)')
    .option('--all', 'everything')
    .option('--json', 'print JSON')
    .action((minutes: number | undefined, options: Options) => pause(cli, minutes, options))
}

async function pause(cli: Cli, minutes: number | undefined, { json, ...options }: Options): Promise<void> {
  await onlyPeople(cli, 'switch Grove off')
  const scope = scopeOf(options)
  const paused = await withWorld(cli, async (world) => {
    const { pauseHere } = await import('#daemon/commands/pause.ts')
    return pauseHere(world, cli.cwd, { ...scope, ...(minutes && { minutes }) })
  })
  if (json) return printJson(paused)
  const end = paused.until === undefined ? 'until `grove resume`' : `until ${clockTime(paused.until)}`
  print(`Grove is off for ${clean(paused.name)} ${end}: it does not watch, guard, show or store anything.`)
}
