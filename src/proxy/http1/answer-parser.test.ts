import { describe, expect, it } from 'vitest'
import { AnswerParser, UnreadableAnswer } from './answer-parser.ts'

interface Heard {
  status: number
  text: string
  headers: string[]
  body: string
  /** Undefined while the answer is not whole. */
  reusable?: boolean
}

/** What is heard of an answer whose bytes come in these pieces. */
function heard(pieces: Buffer[], { method = 'POST', closes = false } = {}): Heard {
  const told: Heard = { status: 0, text: '', headers: [], body: '' }
  const parser = new AnswerParser({
    onHead: (status, text, headers) => Object.assign(told, { status, text, headers }),
    onBody: (bytes) => (told.body += bytes.toString('latin1')),
    onEnd: (reusable) => (told.reusable = reusable),
  })
  parser.expect(method)
  for (const piece of pieces) parser.feed(Buffer.from(piece))
  if (closes) parser.close()
  return told
}

/** The bytes whole, byte by byte, and cut once at every place. */
function* everyCut(text: string): Generator<Buffer[]> {
  const bytes = Buffer.from(text, 'latin1')
  yield [bytes]
  yield [...bytes].map((byte) => Buffer.from([byte]))
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

const HEAD = 'HTTP/1.1 200 OK\r\n'

describe('an answer is read the same however its bytes are cut', () => {
  it.each<[what: string, bytes: string, expected: Heard, options?: { method?: string; closes?: boolean }]>([
    [
      'with a length',
      `${HEAD}Content-Length: 5\r\nX-A:  b \r\n\r\nhello`,
      { status: 200, text: 'OK', headers: ['Content-Length', '5', 'X-A', 'b'], body: 'hello', reusable: true },
    ],
    [
      'in chunks, with an extension and trailers',
      `${HEAD}transfer-encoding: chunked\r\n\r\n5;a="b"\r\nhello\r\nA\r\n, world...\r\n0\r\nx-check: 1\r\nx-more: 2\r\n\r\n`,
      { status: 200, text: 'OK', headers: ['transfer-encoding', 'chunked'], body: 'hello, world...', reusable: true },
    ],
    [
      'in chunks without trailers',
      `${HEAD}transfer-encoding: Chunked\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n`,
      { status: 200, text: 'OK', headers: ['transfer-encoding', 'Chunked'], body: '\r\n', reusable: true },
    ],
    [
      'until the connection ends',
      `${HEAD}x-a: b\r\n\r\nhello`,
      { status: 200, text: 'OK', headers: ['x-a', 'b'], body: 'hello', reusable: false },
      { closes: true },
    ],
    [
      'behind interim answers',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${HEAD}content-length: 0\r\n\r\n`,
      { status: 200, text: 'OK', headers: ['content-length', '0'], body: '', reusable: true },
    ],
    [
      'to a HEAD, which has a length and no body',
      `${HEAD}content-length: 500\r\n\r\n`,
      { status: 200, text: 'OK', headers: ['content-length', '500'], body: '', reusable: true },
      { method: 'HEAD' },
    ],
    [
      'without content',
      'HTTP/1.1 204 No Content\r\n\r\n',
      { status: 204, text: 'No Content', headers: [], body: '', reusable: true },
    ],
    [
      'without a reason, on a connection that is to be closed',
      'HTTP/1.1 529\r\nConnection: Close\r\ncontent-length: 2\r\n\r\n{}',
      { status: 529, text: '', headers: ['Connection', 'Close', 'content-length', '2'], body: '{}', reusable: false },
    ],
    [
      'of the old protocol, which keeps no connection',
      'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      { status: 200, text: 'OK', headers: ['content-length', '2'], body: '{}', reusable: false },
    ],
  ])('%s', (_, bytes, expected, options) => {
    for (const pieces of everyCut(bytes)) expect(heard(pieces, options)).toEqual(expected)
  })
})

describe('what two readers could take for different things is refused', () => {
  it.each([
    ['no HTTP', 'hello there\r\n\r\n'],
    ['another protocol version', 'HTTP/2 200 OK\r\n\r\n'],
    ['a line broken by half a line break', `${HEAD}x-a: b\ncontent-length: 2\r\n\r\n{}`],
    ['a header on several lines', `${HEAD}x-a: b\r\n c\r\ncontent-length: 0\r\n\r\n`],
    ['a blank before the colon', `${HEAD}content-length : 2\r\n\r\n{}`],
    ['a header without a name', `${HEAD}: b\r\n\r\n`],
    ['a zero byte', `${HEAD}x-a: \0\r\n\r\n`],
    ['two lengths', `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a list of lengths', `${HEAD}content-length: 2, 2\r\n\r\n{}`],
    ['a negative length', `${HEAD}content-length: -2\r\n\r\n{}`],
    ['a length and chunks', `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a coding we do not undo', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks of the old protocol', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk without a size', `${HEAD}transfer-encoding: chunked\r\n\r\n\r\nhello\r\n`],
    ['a size that is no number', `${HEAD}transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n`],
    ['a size line that ends in half a line break', `${HEAD}transfer-encoding: chunked\r\n\r\n5\nhello\r\n`],
    ['an endless size line', `${HEAD}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(5000)}\r\nhello\r\n`],
    ['a chunk longer than its size', `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nhello\r\n`],
    ['a trailer that is none', `${HEAD}transfer-encoding: chunked\r\n\r\n0\r\nnonsense\r\n\r\n`],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['an endless head', `${HEAD}x-a: ${'b'.repeat(70_000)}`],
  ])('%s', (_, bytes) => {
    expect(() => heard([Buffer.from(bytes, 'latin1')])).toThrow(UnreadableAnswer)
    expect(() => heard([...Buffer.from(bytes, 'latin1')].map((byte) => Buffer.from([byte])))).toThrow(UnreadableAnswer)
  })

  it('bytes behind an answer cost its connection, and never become the next answer', () => {
    const told = heard([Buffer.from(`${HEAD}content-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n`)])
    expect(told).toMatchObject({ body: '{}', reusable: false })
  })

  it('bytes that nobody asked for are no answer', () => {
    const parser = new AnswerParser({ onHead: () => {}, onBody: () => {}, onEnd: () => {} })
    expect(() => parser.feed(Buffer.from(HEAD))).toThrow(UnreadableAnswer)
  })
})
