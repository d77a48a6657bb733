import type { Command } from 'commander'
import { learningEntry } from '#protocol/learning-json.ts'
import type { Cli } from '../context.ts'
import { withLearnings } from '../learning.ts'
import { clean, print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print JSON')
    .action(async ({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }) => {
      const done = await withLearnings(cli, (learnings) => learnings.maintain({ dryRun }))
      if (json) return printJson({ dryRun, ...done, archived: done.archived.map(learningEntry) })
      const { archived, events, damaged, unreachable } = done
      const verb = (count: number) => (dryRun ? 'would be' : count === 1 ? 'was' : 'were')
      print(
        [
          archived.length > 0
            ? `${counted(archived.length, 'learning')} ${verb(archived.length)} archived, for want of use:`
            : 'Every active learning is young or in use; there is nothing to archive.',
          ...archived.map(({ id, summary }) => `  ${id}  ${clean(summary)}`),
          damaged > 0
            ? `${counted(damaged, 'damaged line')} of the stats log ${verb(damaged)} taken out${dryRun ? '' : ', to stats.log.damaged'}.`
            : 'The stats log is sound.',
          ...(dryRun ? [] : [`The sums were built again from ${counted(events, 'event')}.`]),
          ...unreachable.map((name) => `The backend ${name} cannot be reached or written.`),
          ...(archived.length > 0 && !dryRun ? ['`grove learnings restore <id>` takes one back.'] : []),
        ].join('\n'),
      )
    })
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
