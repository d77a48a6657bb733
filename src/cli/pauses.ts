import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { NamedPause } from '#daemon/commands/pause.ts'
import { clean } from './print.ts'

/** `shop (until 14:30)`. */
export function pauseText({ name, until }: NamedPause): string {
  return `${clean(name)} (${until === undefined ? 'until `grove resume`' : `until ${clockTime(until)}`})`
}

/** The hour, and the day where it is not today. */
export function clockTime(at: number): string {
  const date = new Date(at)
  const hour = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return date.toDateString() === new Date().toDateString() ? hour : `${date.toLocaleDateString('en-CA')} ${hour}`
}

export interface ScopeOptions {
  session?: string
  project?: boolean
  all?: boolean
  json?: boolean
}

/** Adds the options that `grove pause` and `grove resume` share; `all` says what `--all` does. */
export function scopeOptions(command: Command, all: string): Command {
  return command
    .option('--session <id>', 'only this agent session')
    .option('--project', 'the project in this folder (the default)')
    .option('--all', all)
    .option('--json', 'print JSON')
}

/**
 * Reads `--session`, `--project` and `--all`. An empty value is an error: a script whose variable is empty must not
 * pause a whole project.
 */
export function scopeOf({ session, project, all }: Omit<ScopeOptions, 'json'>): { session?: string; all?: true } {
  if (session?.trim() === '') {
    throw new Trouble('The session is missing.', 'Give its id or the start of it: `grove proxy-status` lists them.')
  }
  if ([session, project, all].filter((one) => one !== undefined).length > 1) {
    throw new Trouble(
      'Choose only one of --session, --project and --all.',
      'A pause applies to a session, a project or everything.',
    )
  }
  return { ...(session !== undefined && { session }), ...(all && { all }) }
}
