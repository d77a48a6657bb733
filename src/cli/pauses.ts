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

interface Scope {
  session?: string
  project?: boolean
  all?: boolean
}

/**
 * Reads `--session`, `--project` and `--all`. An empty value is an error: a script whose variable is empty must not
 * pause a whole project.
 */
export function scopeOf({ session, project, all }: Scope): { session?: string; all?: true } {
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
