import type { IncomingMessage } from 'node:http'
import type { RequestHead } from '../headers.ts'

/** A request's body: null when it has none. */
export type Body = Buffer | null | 'too large'

/** Reads a request's body into one buffer and stops at the limit, whatever Content-Length said. */
export function readBody(
  request: IncomingMessage,
  { contentLength, transferEncoding }: RequestHead,
  limit: number,
  done: (body: Body) => void,
): void {
  const length = contentLength === undefined ? undefined : Number(contentLength)
  if (transferEncoding !== undefined) readChunks(request, limit, done)
  else if (length === undefined || length === 0) done(null)
  else if (length > limit) done('too large')
  else readLength(request, length, done)
}

function readLength(request: IncomingMessage, length: number, done: (body: Body) => void): void {
  const body = Buffer.allocUnsafeSlow(length)
  let filled = 0
  // Node's parser ends the body at its Content-Length, so there is always room. Its `end` comes only some work later.
  request.on('data', (chunk: Buffer) => {
    filled += chunk.copy(body, filled)
    if (filled === length) done(body)
  })
}

function readChunks(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit) {
      chunks.push(chunk)
      return
    }
    request.off('data', onData).off('end', onEnd)
    done('too large')
  }
  const onEnd = () => done(length === 0 ? null : Buffer.concat(chunks, length))
  request.on('data', onData).on('end', onEnd)
}
