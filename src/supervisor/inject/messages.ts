import { membersOf, type Span } from '#protocol/request-scan.ts'

const MARKER = Buffer.from('"cache_control":')

/** What is read of one message. A conversation has many and keeps them all, so each is one small object. */
class KnownMessage {
  readonly role: string | undefined
  readonly content: Span | undefined
  fingerprint: string | undefined
  hasCacheMarker: boolean | undefined

  constructor(body: Buffer, message: Span) {
    const members = membersOf(body, message)
    const role = members?.get('role')
    this.role = role && sharedRole(body.toString('utf8', role.start + 1, role.end - 1))
    this.content = members?.get('content')
    this.fingerprint = undefined
    this.hasCacheMarker = undefined
  }
}

const ROLES = ['user', 'assistant', 'system']

/** The same string for all messages of a role, instead of one for each. */
function sharedRole(role: string): string {
  return ROLES.find((one) => one === role) ?? role
}

/**
 * A message that stands where it stood in the request before is the same `Span` (`scanRequest`), so what was read of it is known
 * by that.
 */
const known = new WeakMap<Span, KnownMessage>()

function knownMessage(body: Buffer, message: Span): KnownMessage {
  let found = known.get(message)
  if (!found) {
    found = new KnownMessage(body, message)
    known.set(message, found)
  }
  return found
}

export function roleOf(body: Buffer, message: Span): string | undefined {
  return knownMessage(body, message).role
}

/** Where a message's content lies. */
export function contentOf(body: Buffer, message: Span): Span | undefined {
  return knownMessage(body, message).content
}

/** Inside a JSON string the quotes would be escaped, so these bytes are always a real key. */
export function hasCacheMarker(body: Buffer, message: Span): boolean {
  const found = knownMessage(body, message)
  found.hasCacheMarker ??= body.subarray(message.start, message.end).includes(MARKER)
  return found.hasCacheMarker
}

/** A message's fingerprint, made by `make` when it is first asked for. */
export function knownFingerprint(
  body: Buffer,
  message: Span,
  make: (body: Buffer, message: Span, content: Span | undefined) => string,
): string {
  const found = knownMessage(body, message)
  found.fingerprint ??= make(body, message, found.content)
  return found.fingerprint
}
