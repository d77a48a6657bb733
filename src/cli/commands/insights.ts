import type { Command } from 'commander'
import type { InsightReport } from '#daemon/commands/learning.ts'
import type { InsightDay, insightRoutes } from '#protocol/api/insights.ts'
import type { Cli } from '../context.ts'
import { askFeatures } from '../features.ts'
import { withLearnings } from '../learning.ts'
import { whole } from '../numbers.ts'
import { clean, counted, grouped, pairs, print, printJson, table } from '../print.ts'
import { lookAtWeek, weekText } from '../week.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--days <count>', 'instead: count day by day, over all projects', whole(1, 90))
    .option('--json', 'print JSON')
    .action(async ({ days, json }: { days?: number; json?: boolean }) => {
      if (days) return byDay(cli, days, json)
      const report = await withLearnings(cli, (learnings) => learnings.insights())
      const week = await lookAtWeek(cli)
      if (json) printJson({ ...report, ...(week && { week }) })
      else print([...(week ? [weekText(week, cli)] : []), text(report, cli)].join('\n\n'))
    })
}

async function byDay(cli: Cli, count: number, json: boolean | undefined): Promise<void> {
  const path = `/api/insights/days?days=${count}`
  const { days } = await askFeatures<typeof insightRoutes.days>(cli, 'GET', path)
  if (json) return printJson({ days })
  const busy = days.filter(({ day: _, ...counts }) => Object.values(counts).some((one) => one > 0))
  if (busy.length === 0) return print(`Nothing happened in the last ${counted(count, 'day')}.`)
  const number = (head: string, of: (day: InsightDay) => number) => ({
    head,
    cell: (day: InsightDay) => grouped(of(day)),
    align: 'right' as const,
  })
  const columns = [
    { head: 'DAY', cell: ({ day }: InsightDay) => day },
    number('SESSIONS', ({ sessions }) => sessions),
    number('ACTIONS', ({ actions }) => actions),
    number('REJECTED', ({ drifted }) => drifted),
    number('RECOVERED', ({ recovered }) => recovered),
    number('MEMORIES', ({ memories }) => memories),
    number('SHOWN', ({ memoriesShown }) => memoriesShown),
    number('USED', ({ memoriesUsed }) => memoriesUsed),
    number('LEARNED', ({ learned }) => learned),
    number('TURNED DOWN', ({ turnedDown }) => turnedDown),
    number('INJECTED', ({ injectedTokens }) => injectedTokens),
    number('TOKENS', ({ tokens }) => tokens),
    {
      head: 'JUDGE COST',
      cell: ({ judgeCostUsd }: InsightDay) => `$${judgeCostUsd.toFixed(2)}`,
      align: 'right' as const,
    },
  ]
  print(
    table(
      busy,
      columns.map((column, at) => ({ ...column, ...(at > 4 && { droppable: at }) })),
      cli.paint,
    ),
  )
}

function text(report: InsightReport, { paint }: Cli): string {
  const { learnings, reflections, candidates, skipped, tripped, surfaced, referenced, hitRate, findings } = report
  const isNew = reflections + skipped + tripped + learnings.active + learnings.archived === 0
  if (isNew && findings.length === 0)
    return `${paint.bold('Learning in this project')}\nNothing yet: learnings are added when agents reflect.`
  const figures = pairs([
    [
      'Learnings',
      `${grouped(learnings.active)} active, ${learnings.archived} archived, ${learnings.superseded} superseded`,
    ],
    ['Reflections', `${grouped(reflections)}, ${skipped} skipped, ${tripped} abandoned`],
    ['Candidates', `${grouped(candidates.produced)}, ${candidates.accepted} kept, ${candidates.rejected} rejected`],
    [
      'Shown',
      `${counted(surfaced, 'time')}, used ${counted(referenced, 'time')}${hitRate === undefined ? '' : ` (${Math.round(100 * hitRate)} %)`}`,
    ],
  ])
  const used = report.byCategory.filter(({ learnings: count }) => count > 0)
  const categories = table(
    used,
    [
      { head: 'CATEGORY', cell: ({ category }) => category },
      { head: 'LEARNINGS', cell: ({ learnings: count }) => grouped(count), align: 'right' },
      { head: 'SHOWN', cell: (row) => grouped(row.surfaced), align: 'right' },
      { head: 'USED', cell: (row) => grouped(row.referenced), align: 'right' },
    ],
    paint,
  )
  const listed = (title: string, some: InsightReport['best']) =>
    some.length === 0
      ? []
      : [
          `${paint.bold(title)}\n${some.map(({ id, summary, surfaced, referenced }) => `  ${id}  ${clean(summary)} (shown ${surfaced}, used ${referenced})`).join('\n')}`,
        ]
  const extremes = [
    ...listed('Used most', report.best),
    ...listed('Never used; review them with `grove learnings show <id>` and archive what does not help', report.worst),
    ...(candidates.rejected > 0
      ? ['`grove learnings rejected` lists what was rejected; `grove learnings restore <id>` keeps it after all.']
      : []),
  ]
  const found = findings.map(({ what, recommendation }) => `${paint.bold(clean(what))}\n  ${clean(recommendation)}`)
  return [
    `${paint.bold('Learning in this project')}\n${figures}`,
    ...(used.length > 0 ? [categories] : []),
    ...extremes,
    found.length > 0 ? found.join('\n') : 'No suggestions yet.',
  ].join('\n\n')
}
