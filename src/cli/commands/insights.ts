import type { Command } from 'commander'
import type { InsightReport } from '#daemon/commands/learning.ts'
import type { Cli } from '../context.ts'
import { withLearnings } from '../learning.ts'
import { clean, counted, grouped, pairs, print, printJson, table } from '../print.ts'
import { lookAtWeek, weekText } from '../week.ts'

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'print JSON').action(async ({ json }: { json?: boolean }) => {
    const report = await withLearnings(cli, (learnings) => learnings.insights())
    const week = await lookAtWeek(cli)
    if (json) printJson({ ...report, ...(week && { week }) })
    else print([...(week ? [weekText(week, cli)] : []), text(report, cli)].join('\n\n'))
  })
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
