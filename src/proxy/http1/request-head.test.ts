import { describe, expect, it } from 'vitest'
import { readPlainHead } from './request-head.ts'

const plain = (first: string, ...lines: string[]) =>
  readPlainHead(Buffer.from([first, ...lines, '', 'rest'].join('\r\n'), 'latin1'))

describe('a plain head', () => {
  it('is read in order and spelling', () => {
    const head = plain('POST /v1/messages?beta=true HTTP/1.1', 'Host: localhost', 'X-A:  b\tc ', 'content-length: 4')
    expect(head).toEqual({
      url: '/v1/messages?beta=true',
      rawHeaders: ['Host', 'localhost', 'X-A', 'b\tc', 'content-length', '4'],
      contentLength: 4,
      end: 88,
    })
  })

  it.each([
    ['another method', 'GET / HTTP/1.1', 'host: a'],
    ['another version', 'POST / HTTP/1.0', 'host: a', 'content-length: 4'],
    ['a whole address', 'POST http://a/ HTTP/1.1', 'host: a', 'content-length: 4'],
    ['bytes in its path that no client sends', 'POST /\xe9 HTTP/1.1', 'host: a', 'content-length: 4'],
    ['no host', 'POST / HTTP/1.1', 'content-length: 4'],
    ['two hosts', 'POST / HTTP/1.1', 'host: a', 'host: b', 'content-length: 4'],
    ['no length', 'POST / HTTP/1.1', 'host: a'],
    ['no body', 'POST / HTTP/1.1', 'host: a', 'content-length: 0'],
    ['two lengths', 'POST / HTTP/1.1', 'host: a', 'content-length: 4', 'Content-Length: 4'],
    ['a signed length', 'POST / HTTP/1.1', 'host: a', 'content-length: +4'],
    ['a transfer coding', 'POST / HTTP/1.1', 'host: a', 'content-length: 4', 'Transfer-Encoding: chunked'],
    ['a client that waits for a go', 'POST / HTTP/1.1', 'host: a', 'content-length: 4', 'Expect: 100-continue'],
    ['a connection that is to end', 'POST / HTTP/1.1', 'host: a', 'content-length: 4', 'Connection: close'],
    ['a header for this hop', 'POST / HTTP/1.1', 'host: a', 'content-length: 4', 'Connection: keep-alive, x-a'],
    ['a blank before a colon', 'POST / HTTP/1.1', 'host : a', 'content-length: 4'],
    ['a folded header', 'POST / HTTP/1.1', 'host: a', 'x-a: b', ' c', 'content-length: 4'],
    ['half a line break', 'POST / HTTP/1.1', 'host: a', 'x-a: b\ncontent-length: 4'],
    ['a zero byte', 'POST / HTTP/1.1', 'host: a', 'x-a: \0', 'content-length: 4'],
    ['a line without a colon', 'POST / HTTP/1.1', 'host: a', 'nonsense', 'content-length: 4'],
  ])('is none with %s', (_, first, ...lines) => {
    expect(plain(first, ...lines)).toBeUndefined()
  })

  it('is none while it is not whole', () => {
    const bytes = Buffer.from('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n')
    for (let length = 0; length < bytes.length; length++)
      expect(readPlainHead(bytes.subarray(0, length))).toBeUndefined()
    expect(readPlainHead(bytes)).toBeDefined()
  })
})
