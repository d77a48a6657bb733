import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

// The simulator reads requests with its own few lines instead of Grove's parsers:
// a referee that shares the code of the player would not see its mistakes.

/** One request exactly as it arrived. */
export interface ReceivedRequest {
  /** Position among all requests, in the order in which their bodies were complete. */
  index: number
  method: string
  url: string
  /** Name, value, name, value …, with the spelling and order of the wire. */
  rawHeaders: string[]
  body: Buffer
}

export type Json = Record<string, unknown>

/** What a scenario can ask about a request. */
export interface RequestFacts {
  method: string
  path: string
  headers: Map<string, string>
  /** The body as text, after any content-encoding. */
  text: string
  /** Empty when the body is not a JSON object. */
  body: Json
  model: string
  stream: boolean
  messages: Json[]
  /** The newest text a person or a parent agent wrote, without the client's own reminders. */
  lastUser: string
  system: string
  /** What the tools answered in the newest user message. */
  toolResult: string
  /** Everything since the newest answer: what people, tools and the client itself said. */
  newest: string
  tools: string[]
  cwd: string | undefined
}

/** Derives the facts of a request. Throws only when a body is not in the encoding its header names. */
export function factsOf({ method, url, rawHeaders, body }: ReceivedRequest): RequestFacts {
  const headers = headerMap(rawHeaders)
  const text = decode(body, headers.get('content-encoding')).toString('utf8')
  const json = parseObject(text)
  const messages = objects(json.messages)
  const system = [textOf(json.system), ...messages.filter(({ role }) => role === 'system').map(contentText)].join('\n')
  const users = messages.filter(({ role }) => role === 'user')
  const results = blocksOf(users.at(-1)?.content).filter(({ type }) => type === 'tool_result')
  return {
    method,
    path: url.split('?')[0]!,
    headers,
    text,
    body: json,
    model: typeof json.model === 'string' ? json.model : '',
    stream: json.stream === true,
    messages,
    lastUser: users.map(ownText).findLast((own) => own !== '') ?? '',
    system,
    toolResult: results.map(contentText).join('\n'),
    newest: messages
      .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
      .flatMap(({ content }) => blocksOf(content))
      .map((block) => (block.type === 'tool_result' ? contentText(block) : textOf([block])))
      .join('\n'),
    tools: objects(json.tools).map(({ name }) => String(name)),
    cwd: /working directory: ([^\n]+)/i.exec(system)?.[1]?.trim(),
  }
}

/** Content is a string or a list of blocks; this makes it always a list. */
export function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function contentText(holder: Json): string {
  return textOf(holder.content)
}

function textOf(content: unknown): string {
  return texts(content).join('\n')
}

function ownText(message: Json): string {
  return texts(message.content)
    .filter((text) => !text.startsWith('<system-reminder>'))
    .join('\n')
}

function texts(content: unknown): string[] {
  return blocksOf(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
}

function headerMap(rawHeaders: string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.set(rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!)
  return headers
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'deflate') return inflateSync(body)
  return body
}

function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {} // Not JSON is a fact like any other; the validator reports it for /v1/messages.
  }
}
