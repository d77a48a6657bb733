import pg from 'pg'
import { StorageError } from '../storage-error.ts'

/** Server, port and database of a URL: what may be shown of it. */
export function placeOf(url: string): string {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    // What was found is not shown: a mistyped URL still holds the password.
    throw new StorageError(
      'unreachable',
      'GROVE_DATABASE_URL is not a PostgreSQL URL.',
      'It should look like postgresql://user:password@host:5432/database; special characters in the password are percent-encoded.',
    )
  }
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || 5432}${pathname}`
}

/** Turns what the driver says into a sentence with a way out; what is our own mistake stays as it is. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (error instanceof StorageError) return error
  if (error instanceof Error) shorten(error)
  // An answer that the driver could not read is one of these too, but has no code.
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) {
    const reason = reasonOf(error)
    const suggestion = wayOut(reason)
    const problem = `The team database at ${place} cannot be reached (${reason}).`
    return new StorageError('unreachable', problem, suggestion, { cause: error })
  }

  const { code } = error
  const cause = { cause: error }
  if (BUSY.test(code)) {
    const suggestion = 'Try again in a moment; if that does not help, ask the person who runs the server.'
    return new StorageError('unreachable', `The team database at ${place} is not taking work.`, suggestion, cause)
  }
  if (code === '53100') {
    const suggestion = 'Ask the person who runs the server to free some space.'
    return new StorageError('full', `The disk of the team database at ${place} is full.`, suggestion, cause)
  }
  if (code.startsWith('28') || code === '3D000' || code === '42501' || code === '25006') {
    const suggestion =
      code === '3D000'
        ? 'Check the name at the end of its URL, or create it: createdb <name>.'
        : 'Check user, password and database name in its URL, and what that user may do.'
    return new StorageError('refused', `The team database at ${place} refused: ${error.message}.`, suggestion, cause)
  }
  if (ALTERED.test(code)) {
    const problem = `The tables of the team database at ${place} are not as this Grove knows them: ${error.message}.`
    const suggestion = 'Upgrade Grove (npm install -g grovekeeper@latest), or ask the owner of the database.'
    return new StorageError('refused', problem, suggestion, cause)
  }
  // A statement that is none is a mistake of ours.
  if (code === '42601') return error
  const problem = `The team database at ${place} refused: ${error.message}.`
  return new StorageError('refused', problem, 'Ask the owner of the database.', cause)
}

/** Going down, cut off, no room for another connection, a lock that others hold, a statement that took too long. */
const BUSY = /^(?:57|08|40|55P03|53300)/

const LONGEST = 300

/** A function or trigger of the server's owner says what it likes, at any length, also to a terminal and a log. */
function shorten(error: Error) {
  const said = error.message
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
  const line = (text: string) => text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ').slice(0, LONGEST)
  const lines = error.stack?.slice(error.stack.indexOf(said) + said.length) ?? ''
  for (const [name, value] of Object.entries(error))
    if (typeof value === 'string') Object.assign(error, { [name]: line(value) })
  error.message = line(said)
  error.stack = `${error.name}: ${error.message}${lines.slice(0, 10 * LONGEST)}`
}

/** A schema, table, column, function or type that is not there, is another one, or is there although it should be new. */
const ALTERED = /^(?:3F000|42P0[1-7]|42P10|42703|42710|42723|42883|42804|42809)$/

function wayOut(reason: string): string {
  if (reason === 'ENOENT') return 'The file that sslrootcert names in its URL is not there.'
  if (/not support SSL/i.test(reason))
    return 'Turn TLS on there (ssl = on), or leave sslmode out where the line is safe.'
  if (/ALTNAME/.test(reason)) return 'Its certificate is for another name: use the host name that the certificate has.'
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(reason)) {
    return 'Its certificate is not trusted: name the authority that signed it with sslrootcert, see docs/team.md.'
  }
  return 'Check host and port of its URL, and that the server is running.'
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message
}
