import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Cli } from '../context.ts'
import { ownSession, said, sessionOption, withLearnings } from '../learning.ts'
import { print, printJson } from '../print.ts'

/** Why nothing was skipped, by the state of the gate. */
const WHY: Record<string, string> = {
  active: 'No reflection was requested yet: the ticket is still open.',
  reflected: 'The session has already reflected and can finish.',
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('<reason...>', 'why there is nothing to keep')
    .allowUnknownOption()
    .option(...sessionOption)
    .option('--json', 'print JSON')
    .action(async (words: string[], { session, json }: { session?: string; json?: boolean }) => {
      const reason = said(words)
      if (reason === '') throw new Trouble('The reason is missing.', 'For example: grove skip "only a version bump"')
      const { isAskedByAgent } = await import('#daemon/process/refuse-agents.ts')
      const decider = (await isAskedByAgent(cli.env)) ? 'agent' : 'user'
      const skipped = await withLearnings(cli, (learnings) =>
        learnings.skip(reason, decider, session ?? ownSession(cli)),
      )
      if (json) printJson({ skipped: skipped?.gate === 'skipped', ...skipped })
      if (!skipped) throw new Trouble('There is no agent session in this project.', 'There is nothing to skip here.')
      if (!json) print(skipped.gate === 'skipped' ? 'Noted. You may finish now.' : `Noted. ${WHY[skipped.gate]}`)
    })
}
