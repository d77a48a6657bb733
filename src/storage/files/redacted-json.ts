import { CachedRedactions } from '../cached-redactions.ts'

/** Looked up by, compared, or opened: these must come back as they were. */
const EXACT =
  /(?:^|[a-z])(?:id|ids|hash|sha|path|paths|file|files|folder|commit|branch|ref|url|at|revision|status|type)$/i

const known = new CachedRedactions()

/** A value as JSON without secrets: what people and agents write into a feature session is kept in files. */
export function redactedJson(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (key, inner: unknown) => (typeof inner === 'string' && !EXACT.test(key) ? known.redacted(inner) : inner),
    space,
  )
}
