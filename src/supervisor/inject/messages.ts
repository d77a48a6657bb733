import { membersOf, type Span } from '#protocol/request-scan.ts'

/**
 * What is read of one message. A message that stands where it stood in the request before is the same `Span`
 * (`scanRequest`), so what was read of it is known by that.
 */
export function knownBySpan<T>(read: (body: Buffer, message: Span) => T): (body: Buffer, message: Span) => T {
  const known = new WeakMap<Span, { value: T }>()
  return (body, message) => {
    let found = known.get(message)
    if (!found) {
      found = { value: read(body, message) }
      known.set(message, found)
    }
    return found.value
  }
}

export const membersOfMessage = knownBySpan(membersOf)

export const roleOf = knownBySpan((body, message): string | undefined => {
  const span = membersOfMessage(body, message)?.get('role')
  return span && body.toString('utf8', span.start + 1, span.end - 1)
})

const MARKER = Buffer.from('"cache_control":')

/** Inside a JSON string the quotes would be escaped, so these bytes are always a real key. */
export const hasCacheMarker = knownBySpan((body, { start, end }) => body.subarray(start, end).includes(MARKER))
