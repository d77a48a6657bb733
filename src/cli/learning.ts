import { Trouble } from '#config/trouble.ts'
import type { LearningCommands } from '#daemon/commands/learning.ts'
import type { OpenWorld } from '#daemon/compose/world.ts'
import type { Cli } from './context.ts'
import { withWorld } from './world.ts'

/** What the commands about learnings share. */

export const sessionOption = ['--session <id>', 'the agent session (default: the current one)'] as const

/** Runs a command on the learnings of the current folder. Problems with its settings are logged by the gate itself. */
export function withLearnings<T>(cli: Cli, work: (learnings: LearningCommands) => Promise<T>): Promise<T> {
  const commands = async (world: OpenWorld) => {
    const { learningCommands } = await import('#daemon/commands/learning.ts')
    return work(await learningCommands(world, cli.cwd))
  }
  return withWorld(cli, commands, { config: cli.settings().config })
}

/** Joins words to free text. It may begin with a dash, as notes do; a single word with dashes is a mistyped option. */
export function said(words: string[]): string {
  const odd = words.find((word) => /^--?[a-z][\w-]*(=\S*)?$/i.test(word))
  if (odd) throw new Trouble(`There is no option ${odd}.`, 'If it is part of the text, put the whole text in quotes.')
  return words.join(' ').trim()
}

/** The session this command runs in, when an agent runs it. */
export function ownSession({ env }: Cli): string | undefined {
  return env.CLAUDE_CODE_SESSION_ID || undefined
}
