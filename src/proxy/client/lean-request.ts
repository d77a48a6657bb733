import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What Node's server and our own answers ask a request for. */
const ASKED_FOR = new Set(['host', 'expect', 'content-length', 'transfer-encoding'])
const LONGEST = Math.max(...[...ASKED_FOR].map(({ length }) => length))

/**
 * A request whose `headers` are only the few that are asked for. Node's server looks at two of them, and for that
 * would work out all twenty of each request, which the proxy reads from `rawHeaders` in a pass of its own.
 */
export class LeanRequest extends IncomingMessage {}

Object.defineProperty(LeanRequest.prototype, 'headers', {
  get(this: IncomingMessage): IncomingHttpHeaders {
    const { rawHeaders } = this
    const headers: IncomingHttpHeaders = {}
    for (let i = 0; i < rawHeaders.length; i += 2) {
      if (rawHeaders[i]!.length > LONGEST) continue
      const name = rawHeaders[i]!.toLowerCase()
      if (ASKED_FOR.has(name)) headers[name] ??= rawHeaders[i + 1]
    }
    return headers
  },
})
