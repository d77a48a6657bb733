/** Header names that end at this hop (RFC 9110 §7.6.1), plus those that are made anew for the next one. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const MADE_ANEW = new Set(['host', 'content-length', 'expect'])

/** What the proxy itself needs to know of a request's headers. */
export interface RequestHead {
  /** Name, value, name, value …: what goes up, in the client's order, spelling and multiplicity. */
  forward: string[]
  host?: string
  origin?: string
  fetchSite?: string
  contentLength?: string
  transferEncoding?: string
  contentEncoding?: string
  sessionId?: string
  agentId?: string
}

type Noted = Exclude<keyof RequestHead, 'forward'>

const NOTED: Record<string, Noted> = {
  host: 'host',
  origin: 'origin',
  'sec-fetch-site': 'fetchSite',
  'content-length': 'contentLength',
  'transfer-encoding': 'transferEncoding',
  'content-encoding': 'contentEncoding',
  'x-claude-code-session-id': 'sessionId',
  'x-claude-code-agent-id': 'agentId',
}

const ALL_COUNT: ReadonlySet<Noted> = new Set(['host', 'origin', 'fetchSite'])

interface Treatment {
  forward: boolean
  connection: boolean
  note: Noted | undefined
}

/** One pass over a request's raw headers. */
export function readRequestHead(raw: readonly string[]): RequestHead {
  const head: RequestHead = { forward: [] }
  let named: Set<string> | undefined
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!
    const value = raw[i + 1]!
    const treatment = treatments(name)
    if (treatment.forward) head.forward.push(name, value)
    if (treatment.note) {
      const before = head[treatment.note]
      if (before === undefined) head[treatment.note] = value
      // Headers that decide admission keep both of two values: reading the first alone would let the second through.
      else if (ALL_COUNT.has(treatment.note)) head[treatment.note] = `${before}, ${value}`
    }
    if (treatment.connection) named = namedIn(value, named)
  }
  if (named) head.forward = without(head.forward, named)
  return head
}

/** What the proxy needs to know of an answer's headers. */
export interface ResponseHead {
  forward: string[]
  contentType?: string
  contentEncoding?: string
}

/** One pass over an answer's raw headers. Header bytes are Latin-1 on the wire and stay so. */
export function readResponseHead(raw: readonly (Buffer | string)[]): ResponseHead {
  const head: ResponseHead = { forward: [] }
  let named: Set<string> | undefined
  for (let i = 0; i < raw.length; i += 2) {
    const name = latin1(raw[i]!)
    const value = latin1(raw[i + 1]!)
    const lower = inSmallLetters(name)
    if (NOT_FORWARDED.has(lower)) {
      if (lower === 'connection') named = namedIn(value, named)
      continue
    }
    head.forward.push(name, value)
    if (lower === 'content-type') head.contentType = value
    else if (lower === 'content-encoding') head.contentEncoding = value
  }
  if (named) head.forward = without(head.forward, named)
  return head
}

/** Every header by its name in small letters; several lines of one name become one. */
export function headersByName(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = inSmallLetters(raw[i]!)
    const before = headers[name]
    headers[name] = before === undefined ? raw[i + 1]! : `${before}, ${raw[i + 1]}`
  }
  return headers
}

/** Headers as they may be logged: the names all of them, of secrets only that they were there. */
export function loggable(raw: readonly string[]): Record<string, string> {
  const safe: Record<string, string> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    safe[name] = SHOWN.test(name) ? raw[i + 1]! : '[masked]'
  }
  return safe
}

// Named by what is harmless, not by what is secret: a new kind of key is masked by default.
const SHOWN =
  /^(accept(-encoding|-language)?|anthropic-(beta|version)|cache-control|connection|content-(encoding|length|type)|date|host|retry-after|server|transfer-encoding|user-agent|x-app|x-stainless-.*|x-claude-code-(session|agent|parent-agent)-id|(anthropic-)?request-id|x-should-retry)$/

const known = new Map<string, Treatment>()

/** Clients send the same few spellings again and again, so each is worked out once. */
function treatments(name: string): Treatment {
  const found = known.get(name)
  if (found) return found
  const lower = name.toLowerCase()
  const treatment = {
    forward: !NOT_FORWARDED.has(lower) && !MADE_ANEW.has(lower),
    connection: lower === 'connection',
    note: Object.hasOwn(NOTED, lower) ? NOTED[lower] : undefined,
  }
  if (known.size < 1000) known.set(name, treatment)
  return treatment
}

const lowered = new Map<string, string>()

function inSmallLetters(name: string): string {
  const found = lowered.get(name)
  if (found !== undefined) return found
  const lower = name.toLowerCase()
  if (lowered.size < 1000) lowered.set(name, lower)
  return lower
}

/** The headers a Connection header declares to be for this hop only. */
function namedIn(value: string, named: Set<string> | undefined): Set<string> | undefined {
  let found = named
  for (const token of value.split(',')) {
    const name = token.trim().toLowerCase()
    if (name === '' || name === 'close' || name === 'keep-alive') continue
    found ??= new Set()
    found.add(name)
  }
  return found
}

function without(list: string[], named: Set<string>): string[] {
  const kept: string[] = []
  for (let i = 0; i < list.length; i += 2) {
    if (!named.has(list[i]!.toLowerCase())) kept.push(list[i]!, list[i + 1]!)
  }
  return kept
}

function latin1(bytes: Buffer | string): string {
  return typeof bytes === 'string' ? bytes : bytes.toString('latin1')
}
