import type { Finished, Week } from '#daemon/commands/week.ts'
import type { Cli } from './context.ts'
import { ago, grouped, pairs, table } from './print.ts'
import { withWorld } from './world.ts'

/** The last seven days; undefined in an empty home. */
export function lookAtWeek(cli: Cli): Promise<Week | undefined> {
  return withWorld(
    cli,
    async (world) => {
      if (!world.hasStore()) return undefined
      const { weekOf } = await import('#daemon/commands/week.ts')
      return weekOf(await world.store(), Date.now())
    },
    { config: cli.settings().config },
  )
}

export function weekText({ recalled, spentBefore, corrected, stoppedWrites, finished }: Week, { paint }: Cli): string {
  const worth = spentBefore > 0 ? `; finding out what was used took ${grouped(spentBefore)} tokens the first time` : ''
  const title = paint.bold('The last seven days, in all projects')
  if (finished.length + recalled.memories + corrected.times + stoppedWrites === 0)
    return `${title}\nNothing yet: no work was finished, recalled, corrected or stopped.`
  const lines: [string, string][] = [
    ['Work finished', grouped(finished.length)],
    [
      'Recalled',
      `${count(recalled.memories, 'memory', 'memories')} for ${grouped(recalled.tokens)} tokens, ${grouped(recalled.used)} used${worth}`,
    ],
    [
      'Asked back',
      `${count(corrected.times, 'time', 'times')}; after ${grouped(corrected.finishedAfter)} the work was finished`,
    ],
    ['Stopped', count(stoppedWrites, 'stray write', 'stray writes')],
  ]
  return `${title}\n${pairs(lines)}`
}

const SHOWN = 10

export function finishedTable(finished: Finished[], { paint }: Cli): string {
  return table(
    finished.toSorted((a, b) => b.at - a.at).slice(0, SHOWN),
    [
      { head: 'GOAL', cell: ({ goal }) => goal, stretch: true },
      { head: 'PROJECT', cell: ({ project }) => project, droppable: 1 },
      { head: 'OUTCOME', cell: ({ outcome }) => outcome },
      { head: 'RECALLED', cell: ({ recalled }) => grouped(recalled), align: 'right' },
      { head: 'CORRECTED', cell: ({ corrected }) => grouped(corrected), align: 'right' },
      { head: 'STOPPED', cell: ({ stopped }) => grouped(stopped), align: 'right' },
      { head: 'WHEN', cell: ({ at }) => ago(Date.now() - at), droppable: 2 },
    ],
    paint,
  )
}

function count(amount: number, one: string, many: string): string {
  return `${grouped(amount)} ${amount === 1 ? one : many}`
}
