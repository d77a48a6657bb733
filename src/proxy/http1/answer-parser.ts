import { plainSize, plainSizeEnd } from './chunk-size.ts'
import { FORBIDDEN, nameOf, trimmed } from './fields.ts'

/** What an answer's bytes turn out to be, told in this order. */
export interface AnswerSink {
  /** Headers as name, value, name, value …, each character one byte. */
  onHead(status: number, statusText: string, headers: string[]): void
  onBody(bytes: Buffer): void
  /** The answer is whole; `reusable` when another one may follow on the connection. */
  onEnd(reusable: boolean): void
}

/** The bytes are no HTTP/1.1 answer; nothing after them can be trusted. */
export class UnreadableAnswer extends Error {
  readonly code = 'UPSTREAM_UNREADABLE'

  constructor(why: string) {
    super(`its answer is not HTTP/1.1: ${why}`)
  }
}

type State =
  | 'head'
  | 'length'
  | 'until close'
  | 'chunk size'
  | 'chunk data'
  | 'chunk end'
  | 'trailers'
  /** No request is under way on the connection. */
  | 'idle'

const MAX_HEAD = 64 * 1024
const MAX_SIZE_LINE = 4096
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/
const SIZE_LINE = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i
const CR = 0x0d
const LF = 0x0a
const NO_BYTES = Buffer.alloc(0)

/**
 * Reads the answers of one connection, one after the other, from bytes cut anywhere (RFC 9112). It is strict: whatever two
 * readers could take for different things ends in `UnreadableAnswer`. Interim answers (1xx) are passed over. Nothing of the
 * bytes themselves is kept once `feed` has returned.
 */
export class AnswerParser {
  #state: State = 'idle'
  #held: Buffer = NO_BYTES
  #left = 0
  #hasNoBody = false
  #keepsOpen = false
  /** Set once the answer is whole: whether another one may follow. */
  #ended: boolean | undefined

  constructor(private readonly sink: AnswerSink) {}

  /** A request was sent; what comes now is its answer. */
  expect(method: string): void {
    this.#state = 'head'
    this.#held = NO_BYTES
    this.#hasNoBody = method === 'HEAD'
  }

  feed(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && this.#ended === undefined) {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(bytes, at)
          break
        case 'length':
          at = this.#readLength(bytes, at)
          break
        case 'until close':
          this.sink.onBody(at === 0 ? bytes : bytes.subarray(at))
          at = bytes.length
          break
        case 'chunk size':
          at = this.#readSize(bytes, at)
          break
        case 'chunk data':
          at = this.#readChunk(bytes, at)
          break
        case 'chunk end':
          at = this.#readChunkEnd(bytes, at)
          break
        case 'trailers':
          at = this.#readTrailers(bytes, at)
          break
        case 'idle':
          throw new UnreadableAnswer('bytes that nobody asked for')
      }
    }
    // The end is reported last, and with it whether bytes lie behind it: such a connection is not used for another request.
    if (this.#ended !== undefined) this.#tellEnd(this.#ended && at === bytes.length)
  }

  /** The connection has ended; true when that was the answer's proper end. */
  close(): boolean {
    if (this.#state !== 'until close') return this.#state === 'idle'
    this.#end(false)
    this.#tellEnd(false)
    return true
  }

  #readHead(bytes: Buffer, at: number): number {
    const held = this.#held.length
    const all = held === 0 ? bytes.subarray(at) : Buffer.concat([this.#held, bytes.subarray(at)])
    const end = all.indexOf('\r\n\r\n', Math.max(0, held - 3), 'latin1')
    if (end < 0 ? all.length > MAX_HEAD : end > MAX_HEAD) throw new UnreadableAnswer('its head is too large')
    if (end < 0) {
      this.#held = held === 0 ? Buffer.from(all) : all
      return bytes.length
    }
    this.#held = NO_BYTES
    this.#takeHead(all.toString('latin1', 0, end))
    return at + end + 4 - held
  }

  #takeHead(head: string): void {
    if (FORBIDDEN.test(head)) throw new UnreadableAnswer('a control character in its head')
    const lines = head.split('\r\n')
    const [, minor, code, text = ''] = STATUS_LINE.exec(lines[0]!) ?? []
    if (code === undefined) throw new UnreadableAnswer('its first line')
    const status = Number(code)
    const headers: string[] = []
    const framing = new Framing(minor === '1')
    for (let i = 1; i < lines.length; i++) {
      const line = lines[i]!
      const colon = line.indexOf(':')
      const name = colon < 1 ? undefined : nameOf(line.slice(0, colon))
      if (name === undefined) throw new UnreadableAnswer('a header line')
      const value = trimmed(line, colon + 1)
      headers.push(name, value)
      framing.note(name, value)
    }
    if (status === 101) throw new UnreadableAnswer('a change of protocol that nobody asked for')
    if (status < 200) return
    this.#keepsOpen = framing.keepsOpen
    const body = this.#hasNoBody || status === 204 || status === 304 ? 0 : framing.body()
    this.sink.onHead(status, text, headers)
    if (body === 0) this.#end(this.#keepsOpen)
    else if (typeof body === 'number') {
      this.#state = 'length'
      this.#left = body
    } else this.#state = body
  }

  #readLength(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.sink.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#left === 0) this.#end(this.#keepsOpen)
    return end
  }

  #readSize(bytes: Buffer, at: number): number {
    const data = this.#held.length === 0 ? plainSizeEnd(bytes, at) : undefined
    if (data !== undefined) {
      this.#begin(plainSize(bytes, at, data))
      return data
    }
    const lineEnd = bytes.indexOf(LF, at)
    const end = lineEnd < 0 ? bytes.length : lineEnd + 1
    if (lineEnd < 0 || this.#held.length > 0) {
      if (this.#held.length + end - at > MAX_SIZE_LINE) throw new UnreadableAnswer('the size of a chunk')
      this.#held = Buffer.concat([this.#held, bytes.subarray(at, end)])
      if (lineEnd < 0) return end
      const line = this.#held
      this.#held = NO_BYTES
      this.#takeSize(line, 0, line.length)
    } else this.#takeSize(bytes, at, end)
    return end
  }

  /** The line from `start` to `end`, its line break included. */
  #takeSize(bytes: Buffer, start: number, end: number): void {
    if (end - start > MAX_SIZE_LINE || end - start < 3 || bytes[end - 2] !== CR)
      throw new UnreadableAnswer('the size of a chunk')
    const line = bytes.toString('latin1', start, end - 2)
    const digits = SIZE_LINE.exec(line)?.[1]
    if (digits === undefined || FORBIDDEN.test(line)) throw new UnreadableAnswer('the size of a chunk')
    this.#begin(Number.parseInt(digits, 16))
  }

  #begin(size: number): void {
    this.#left = size
    this.#state = size === 0 ? 'trailers' : 'chunk data'
  }

  #readChunk(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.sink.onBody(bytes.subarray(at, end))
    if (this.#left > 0) return end
    this.#left = 2
    this.#state = 'chunk end'
    return end
  }

  #readChunkEnd(bytes: Buffer, start: number): number {
    let at = start
    for (; at < bytes.length && this.#left > 0; at++) {
      if (bytes[at] !== (this.#left === 2 ? CR : LF)) throw new UnreadableAnswer('the end of a chunk')
      this.#left--
    }
    if (this.#left === 0) this.#state = 'chunk size'
    return at
  }

  /** Fields behind the last chunk are for this hop; they end with an empty line. */
  #readTrailers(bytes: Buffer, at: number): number {
    const held = this.#held.length
    const all = held === 0 ? bytes.subarray(at) : Buffer.concat([this.#held, bytes.subarray(at)])
    const isEmpty = all[0] === CR && (all.length < 2 || all[1] === LF)
    const end = isEmpty ? (all.length < 2 ? -1 : 2) : all.indexOf('\r\n\r\n', 0, 'latin1') + 4
    if (isEmpty ? end < 0 : end < 4) {
      if (all.length > MAX_HEAD) throw new UnreadableAnswer('its trailers are too large')
      this.#held = held === 0 ? Buffer.from(all) : all
      return bytes.length
    }
    this.#held = NO_BYTES
    if (
      !isEmpty &&
      !all
        .toString('latin1', 0, end - 4)
        .split('\r\n')
        .every(isTrailer)
    )
      throw new UnreadableAnswer('a trailer')
    this.#end(this.#keepsOpen)
    return at + end - held
  }

  #end(reusable: boolean): void {
    this.#state = 'idle'
    this.#ended = reusable
  }

  #tellEnd(reusable: boolean): void {
    this.#ended = undefined
    this.sink.onEnd(reusable)
  }
}

/** How long a body is and whether its connection stays (RFC 9112 §6.3, §9.3), as the headers say. */
class Framing {
  #length: string | undefined
  #coding: string | undefined
  #connection = ''

  constructor(private readonly isNew: boolean) {}

  note(name: string, value: string): void {
    // Only these lengths can be names that matter.
    if (name.length !== 10 && name.length !== 14 && name.length !== 17) return
    switch (name.toLowerCase()) {
      case 'content-length':
        if (this.#length !== undefined || !/^\d{1,15}$/.test(value)) throw new UnreadableAnswer('its length')
        this.#length = value
        break
      case 'transfer-encoding':
        this.#coding = this.#coding === undefined ? value : `${this.#coding}, ${value}`
        break
      case 'connection':
        this.#connection += `,${value}`
        break
    }
  }

  get keepsOpen(): boolean {
    return this.isNew && !/(?:^|[,\s])close(?:$|[,\s])/i.test(this.#connection)
  }

  body(): number | 'chunk size' | 'until close' {
    if (this.#coding === undefined) return this.#length === undefined ? 'until close' : Number(this.#length)
    if (this.#length !== undefined || !this.isNew) throw new UnreadableAnswer('two statements of its length')
    // Chunks inside another coding would have to be decoded to be passed on.
    if (this.#coding.toLowerCase() !== 'chunked') throw new UnreadableAnswer('its transfer coding')
    return 'chunk size'
  }
}

function isTrailer(line: string): boolean {
  const colon = line.indexOf(':')
  return colon > 0 && nameOf(line.slice(0, colon)) !== undefined && !FORBIDDEN.test(line)
}
