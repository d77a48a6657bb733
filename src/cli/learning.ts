import { Trouble } from '#config/trouble.ts'
import type { LearningDesk, Refused } from '#daemon/learning-desk.ts'
import type { Cli } from './context.ts'
import { note } from './print.ts'

/** What the commands about learnings share. */

export const sessionOption = [
  '--session <id>',
  'the agent session; without it, the one this runs in, else the newest of this project that waits',
] as const

/** Does something with the learnings of the current folder. */
export async function withDesk<T>(cli: Cli, work: (desk: LearningDesk) => Promise<T>): Promise<T> {
  const config = cli.config()
  const [{ atDesk }, { terminalLog }] = await Promise.all([
    import('#daemon/learning-desk.ts'),
    import('#daemon/log.ts'),
  ])
  return atDesk({ config, cwd: cli.cwd, log: terminalLog(note) }, work)
}

/** The session this command runs in, when an agent runs it. */
export function ownSession({ env }: Cli): string | undefined {
  return env.CLAUDE_CODE_SESSION_ID || undefined
}

/** The value, or the refusal as an error. */
export function orTrouble<T extends object>(value: T | Refused): T {
  if ('code' in value) throw new Trouble(value.message, value.suggestion)
  return value as T
}
