import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { pauseText, type ScopeOptions, scopeOf, scopeOptions } from '../pauses.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, note, print, printJson } from '../print.ts'
import { withWorld } from '../world.ts'

export function define(command: Command, cli: Cli): void {
  scopeOptions(command, 'end all pauses').action((options: ScopeOptions) => resume(cli, options))
}

async function resume(cli: Cli, { json, ...options }: ScopeOptions): Promise<void> {
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
