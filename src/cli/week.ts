import type { Finished, Week } from '#daemon/commands/week.ts'
import type { Cli } from './context.ts'
import { ago, clean, counted, grouped, pairs } from './print.ts'
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
  const worth = spentBefore > 0 ? `; finding it out the first time took ${grouped(spentBefore)} tokens` : ''
  const title = paint.bold('The last seven days, in all projects')
  if (finished.length + recalled.memories + corrected.times + stoppedWrites === 0) return `${title}\nNothing yet.`
  const lines: [string, string][] = [
    ['Work finished', grouped(finished.length)],
    [
      'Recalled',
      `${counted(recalled.memories, 'memory', 'memories')} for ${grouped(recalled.tokens)} tokens, ${grouped(recalled.used)} used${worth}`,
    ],
    ['Corrected', `${counted(corrected.times, 'time')}; ${grouped(corrected.finishedAfter)} led to finished work`],
    ['Stopped', counted(stoppedWrites, 'stray write')],
  ]
  return `${title}\n${pairs(lines)}`
}

const SHOWN = 10

/** Each piece of work in two lines: what it was for; then where, how it ended, and what Grove contributed. */
export function finishedText(finished: Finished[], { paint }: Cli): string {
  const newest = finished.toSorted((a, b) => b.at - a.at).slice(0, SHOWN)
  return newest
    .map(({ goal, project, outcome, recalled, corrected, stopped, at }) => {
      const did = [
        ...(recalled > 0 ? [`recalled ${counted(recalled, 'memory', 'memories')}`] : []),
        ...(corrected > 0 ? [`corrected the agent ${corrected === 1 ? 'once' : counted(corrected, 'time')}`] : []),
        ...(stopped > 0 ? [`stopped ${counted(stopped, 'write')}`] : []),
      ]
      const facts = `${clean(project)}, ${outcome}, ${ago(Date.now() - at)}`
      return `  ${clean(goal)}\n    ${paint.dim(did.length > 0 ? `${facts}; Grove ${did.join(', ')}` : facts)}`
    })
    .join('\n')
}
