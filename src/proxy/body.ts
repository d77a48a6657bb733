import type { IncomingMessage } from 'node:http'
import type { RequestHead } from './headers.ts'

/** Reads a request's body into one buffer, null when it has none; stops at the limit, whatever Content-Length said. */
export function readBody(
  request: IncomingMessage,
  head: RequestHead,
  limit: number,
  done: (body: Buffer | null | 'too large') => void,
): void {
  const declared = head.contentLength === undefined ? undefined : Number(head.contentLength)
  if (declared === 0 || (declared === undefined && !head.transferEncoding)) return done(null)
  if (declared !== undefined && declared > limit) return done('too large')

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
  const onEnd = () => done(length === 0 ? null : chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
  request.on('data', onData).on('end', onEnd)
}
