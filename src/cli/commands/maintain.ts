import type { Command } from 'commander'
import { learningEntry } from '#protocol/learning-json.ts'
import type { Cli } from '../context.ts'
import { withLearnings } from '../learning.ts'
import { clean, counted, print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--dry-run', 'show what would be done, without doing it')
    .option('--json', 'print JSON')
    .action(async ({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }) => {
      const done = await withLearnings(cli, (learnings) => learnings.maintain({ dryRun }))
      if (json) return printJson({ dryRun, ...done, archived: done.archived.map(learningEntry) })
      const { archived, events, damaged, unreachable } = done
      const verb = (count: number) => (dryRun ? 'would be' : count === 1 ? 'was' : 'were')
      print(
        [
          archived.length > 0
            ? `${counted(archived.length, 'unused learning')} ${verb(archived.length)} archived:`
            : 'Nothing to archive: every active learning is new or in use.',
          ...archived.map(({ id, summary }) => `  ${id}  ${clean(summary)}`),
          damaged > 0
            ? `${counted(damaged, 'damaged line')} of the usage log ${verb(damaged)} removed${dryRun ? '' : ', to stats.log.damaged'}.`
            : 'The usage log is intact.',
          ...(dryRun ? [] : [`The totals were rebuilt from ${counted(events, 'event')}.`]),
          ...unreachable.map((name) => `The backend ${name} cannot be reached or written.`),
          ...(archived.length > 0 && !dryRun ? ['`grove learnings restore <id>` brings one back.'] : []),
        ].join('\n'),
      )
    })
}
