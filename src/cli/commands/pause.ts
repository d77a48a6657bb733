import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { above } from '../numbers.ts'
import { clockTime, type ScopeOptions, scopeOf, scopeOptions } from '../pauses.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, print, printJson } from '../print.ts'
import { withWorld } from '../world.ts'

/** A year. */
const MOST_MINUTES = 525_600

export function define(command: Command, cli: Cli): void {
  command.argument('[minutes]', 'how long; without it, until `grove resume`', above(0, MOST_MINUTES))
  scopeOptions(command, 'everything').action((minutes: number | undefined, options: ScopeOptions) =>
    pause(cli, minutes, options),
  )
}

async function pause(cli: Cli, minutes: number | undefined, { json, ...options }: ScopeOptions): Promise<void> {
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
