import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Cli } from '../context.ts'
import { ownSession, said, sessionOption, withLearnings } from '../learning.ts'
import { print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<note...>', 'what was noticed')
    .allowUnknownOption()
    .option(...sessionOption)
    .option('--json', 'print JSON')
    .action(async (words: string[], { session, json }: { session?: string; json?: boolean }) => {
      const text = said(words)
      if (text === '')
        throw new Trouble('The note is missing.', 'For example: grove observe "the order of middlewares matters"')
      const noted = await withLearnings(cli, (learnings) => learnings.observe(text, session ?? ownSession(cli)))
      if (json) printJson({ noted: noted !== undefined, ...noted })
      if (!noted) {
        throw new Trouble(
          'There is no agent session in this project.',
          'Choose one: grove observe --session <id> "<note>"',
        )
      }
      if (!json) print('Saved for the next reflection.')
    })
}
