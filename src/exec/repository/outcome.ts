import type { Outcome, RepositoryTrouble } from '#core/ports/repository.ts'
import { redact } from '#core/redact/redact.ts'
import type { GitRun } from '../git/safe-git.ts'

type Trouble = Extract<Outcome<never>, { ok: false }>

/** What a person is shown of a program's words. */
const MOST_DETAIL = 4000

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function trouble(code: RepositoryTrouble, message: string, detail = ''): Trouble {
  const words = redact(withoutCredentials(detail.trim())).slice(0, MOST_DETAIL)
  return { ok: false, code, message, ...(words && { detail: words }) }
}

/** A failed git command as a value: a code where git's words are known, and the words themselves. */
export function gitTrouble(doing: string, ran: GitRun): Trouble {
  const words = `${ran.stderr}\n${ran.stdout}`
  if (ran.missing) return trouble('not_installed', `${doing}: git could not be started.`, ran.stderr)
  if (ran.timedOut) return trouble('timed_out', `${doing}: git took too long.`, words)
  const [code] = KNOWN.find(([, pattern]) => pattern.test(words)) ?? ['failed' as const]
  return trouble(code, `${doing}: ${firstLine(ran.stderr) ?? 'git refused'}.`, words)
}

const KNOWN: [RepositoryTrouble, RegExp][] = [
  ['not_logged_in', /could not read (?:Username|Password)|Authentication failed|Permission denied \(publickey/i],
  ['rejected', /\[(?:remote )?rejected\]|stale info|non-fast-forward|fetch first|\[rejected\]/i],
  ['not_readable', /dubious ownership/],
  ['not_a_repository', /not a git repository/i],
  [
    'no_remote',
    /does not appear to be a git repository|No such remote|Could not resolve host|Could not read from remote/i,
  ],
  ['not_writable', /Permission denied|Read-only file system|No space left/i],
]

function firstLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const line = lines.find((each) => /^(?:fatal|error|!)/.test(each)) ?? lines.find(Boolean)
  return line === undefined ? undefined : redact(withoutCredentials(line.replace(/(?<![.\s])[.\s]+$/, '')))
}

/** Remotes may carry a name and a password, and git repeats them. */
export function withoutCredentials(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@'"]+@/gi, '$1')
}
