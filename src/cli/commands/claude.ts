import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import { describeUnused, type Problem } from '#config/problem.ts'
import { thisProcess } from '../context.ts'

/** For help and completion only: the command itself is taken by main.ts, so that every word behind it reaches Claude Code. */
export function define(command: Command): void {
  command.argument('[args...]', 'arguments for `claude`').allowUnknownOption()
}

/** Shorter than a client's retry delay, so that its next try finds a proxy again. */
const LOOK_AGAIN = 2000

/**
 * Prepares one start of Claude Code: its variables, and what the user should know. `isThere` is passed in
 * by main.ts: importing `findClient` here would move it out of main.ts's own file, which must work alone.
 */
export async function prepareClaude(isThere: (bin: string, path: string | undefined) => boolean) {
  const cli = thisProcess()
  const { config, problems, projectRoot } = cli.settings()
  // Nothing is started for a client that is not there.
  if (!isThere(config.claude.bin, cli.env.PATH)) return { env: cli.env, bin: config.claude.bin }
  const program = realpathSync(process.argv[1]!)
  const [{ prepareLaunch }, { reachProxy, hasCrashed }] = await Promise.all([
    import('#daemon/attach/launch.ts'),
    import('#daemon/process/start-daemon.ts'),
  ])
  const root = projectRoot ?? cli.cwd
  const { variables, note } = await prepareLaunch({ config, env: cli.env, root, program })
  const watch = () => {
    const again = () => {
      if (hasCrashed(config)) void reachProxy({ config, env: cli.env, program, patienceMs: 0, mayStart: true })
    }
    setInterval(again, LOOK_AGAIN).unref()
  }
  const isProxied = variables.ANTHROPIC_BASE_URL !== undefined
  return {
    env: { ...cli.env, ...variables },
    bin: config.claude.bin,
    ...noteOn(note, problems),
    ...(isProxied && { watch }),
  }
}

/** One line even when several things are off: a missing proxy matters more than a setting at its default. */
function noteOn(note: string | undefined, [first, ...others]: Problem[]): { note?: string } {
  if (!first) return note === undefined ? {} : { note }
  if (note === undefined) return { note: describeUnused([first, ...others]) }
  return { note: `${note} Some settings are not used either: \`grove doctor\`.` }
}
