import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Cli } from '../context.ts'
import { clockTime, scopeOf } from '../pauses.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, print, printJson } from '../print.ts'
import { withWorld } from '../world.ts'

interface Options {
  session?: string
  project?: boolean
  all?: boolean
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('[minutes]', 'for so long; without it, until `grove resume`')
    .option('--session <id>', 'only this agent session')
    .option('--project', 'the project of this folder (the default)')
    .option('--all', 'everything')
    .option('--json', 'print JSON')
    .action((minutes: string | undefined, options: Options) => pause(cli, minutes, options))
}

async function pause(cli: Cli, given: string | undefined, { json, ...options }: Options): Promise<void> {
  await onlyPeople(cli, 'switch Grove off')
  const minutes = given === undefined ? undefined : Number(given)
  if (minutes !== undefined && !(minutes > 0 && minutes <= MOST_MINUTES)) {
    throw new Trouble(
      `Minutes are a number from 1 to ${MOST_MINUTES}, a year.`,
      'Try grove pause 30, or leave it out to pause until `grove resume`.',
    )
  }
  const scope = scopeOf(options)
  const paused = await withWorld(cli, async (world) => {
    const { pauseHere } = await import('#daemon/commands/pause.ts')
    return pauseHere(world, cli.cwd, { ...scope, ...(minutes && { minutes }) })
  })
  if (json) return printJson(paused)
  const end = paused.until === undefined ? 'until `grove resume`' : `until ${clockTime(paused.until)}`
  print(`Grove is off for ${clean(paused.name)} ${end}: nothing is watched, guarded, shown or kept.`)
}

const MOST_MINUTES = 525_600
