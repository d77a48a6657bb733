import { FORBIDDEN, nameOf, trimmed } from './fields.ts'

/** The head of a request in its plainest form: a POST with a body of known length, on a connection that stays. */
export interface PlainHead {
  url: string
  /** Name, value, name, value … */
  rawHeaders: string[]
  contentLength: number
  /** Where the body begins. */
  end: number
}

const FIRST_LINE = /^POST (\/[!-~]*) HTTP\/1\.1$/
/** With one of these a request is framed or answered in another way. */
const NOT_PLAIN = new Set(['transfer-encoding', 'upgrade', 'expect', 'te', 'trailer', 'http2-settings'])
const ONCE = new Set(['host', 'content-length', 'connection'])
const POST = Buffer.from('POST /')

/**
 * Reads the head at the beginning of these bytes; undefined when it is not whole or not of this form to the last byte, and
 * then Node's own parser decides what it is.
 */
export function readPlainHead(bytes: Buffer): PlainHead | undefined {
  if (bytes.length < POST.length || bytes.compare(POST, 0, POST.length, 0, POST.length) !== 0) return undefined
  const end = bytes.indexOf('\r\n\r\n', 0, 'latin1')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  if (FORBIDDEN.test(head)) return undefined
  const lines = head.split('\r\n')
  const url = FIRST_LINE.exec(lines[0]!)?.[1]
  if (url === undefined) return undefined
  const rawHeaders: string[] = []
  const found: Partial<Record<string, string>> = {}
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    const colon = line.indexOf(':')
    const name = nameOf(line.slice(0, Math.max(0, colon)))
    const meaning = name === undefined ? 'not plain' : meaningOf(name)
    if (name === undefined || meaning === 'not plain') return undefined
    const value = trimmed(line, colon + 1)
    rawHeaders.push(name, value)
    if (meaning === 'any') continue
    if (found[meaning] !== undefined) return undefined
    found[meaning] = value
  }
  const { host, 'content-length': length = '', connection = 'keep-alive' } = found
  if (!host || !/^[1-9]\d{0,14}$/.test(length) || connection.toLowerCase() !== 'keep-alive') return undefined
  return { url, rawHeaders, contentLength: Number(length), end: end + 4 }
}

const meanings = new Map<string, string>()

/** What a header is to this reader. Clients send the same few spellings again and again, so each is worked out once. */
function meaningOf(name: string): string {
  const known = meanings.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  const meaning = NOT_PLAIN.has(lower) ? 'not plain' : ONCE.has(lower) ? lower : 'any'
  if (meanings.size < 1000) meanings.set(name, meaning)
  return meaning
}
