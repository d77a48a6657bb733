import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiErrorBody } from '#protocol/anthropic.ts'
import type { OwnError } from './errors.ts'

// How much of a request that was already refused we still take in, and for how long.
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
const MAX_DISCARD_MS = 5000

/** Answers with an error of our own. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: OwnError): void {
  sendJson(request, response, error.status, apiErrorBody(error.type, error.message))
}

/** Answers with JSON of our own. */
export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, json: string): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const unread = !request.complete && (encoding !== undefined || (length !== undefined && length !== '0'))
  response.writeHead(status, [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(json))],
    ...(unread ? [['connection', 'close']] : []),
  ] as never)
  if (!unread) {
    response.end(json)
    return
  }
  // Closing while the client still sends would reset the connection and lose the answer on its way.
  response.write(json)
  const end = () => response.end()
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED_BYTES) end()
  })
  request.once('end', end).once('close', end)
  setTimeout(end, MAX_DISCARD_MS).unref()
}
