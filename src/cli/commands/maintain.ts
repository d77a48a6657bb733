import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { withDesk } from '../learning.ts'
import { clean, print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print JSON')
    .action(async ({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }) => {
      const done = await withDesk(cli, (desk) => desk.maintain({ dryRun }))
      if (json) return printJson({ dry_run: dryRun, ...done })
      const { archived, events, damaged, unreachable } = done
      const would = dryRun ? 'would be ' : ''
      print(
        [
          archived.length > 0
            ? `${archived.length} learnings ${dryRun ? 'would be' : 'were'} archived, because nobody used them:`
            : 'Every learning is young or in use; none is archived.',
          ...archived.map(({ id, summary }) => `  ${id}  ${clean(summary)}`),
          damaged > 0
            ? `${damaged} damaged lines of the stats log ${would || 'were '}taken out${dryRun ? '' : '; they lie in stats.log.damaged'}.`
            : 'The stats log is sound.',
          ...(dryRun ? [] : [`The sums were built again from ${events} events.`]),
          ...unreachable.map((name) => `The backend ${name} cannot be reached or written.`),
          ...(archived.length > 0 && !dryRun ? ['`grove learnings restore <id>` takes one back.'] : []),
        ].join('\n'),
      )
    })
}
