import type { IncomingMessage, ServerResponse } from 'node:http'
import { none } from '#protocol/hook-event.ts'
import { type AnswerHook, MAX_PAYLOAD } from './answer-hook.ts'

/** The name of the hook event in a request's path; undefined when the request is about something else. */
export function hookEventOf({ method, url = '' }: IncomingMessage): string | undefined {
  return method === 'POST' && url.startsWith('/hooks/') ? /^\/hooks\/([\w-]*)$/.exec(url)?.[1] : undefined
}

interface Serving {
  event: string
  answer: AnswerHook
  /** So often a space is sent while the answer is not there yet. */
  signOfLifeMs?: number
}

/**
 * Answers one hook over plain HTTP, with nothing in between: it happens with every tool call. The status is always 200,
 * because the client ignores an answer with any other, and shows an error for it.
 */
export async function serveHook(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { event, answer, signOfLifeMs } = serving
  const body = await read(request)
  const gone = new AbortController()
  // Not when it was answered: nothing listens to the signal by then, and firing it costs more than creating it.
  response.on('close', () => response.writableEnded || gone.abort())
  const sign = () => {
    if (!response.headersSent) response.writeHead(200, HEADERS)
    response.write(' ')
  }
  const signs = signOfLifeMs === undefined ? undefined : setInterval(sign, signOfLifeMs)
  try {
    const text = JSON.stringify(body === undefined ? none : await answer(event, body, gone.signal))
    if (!response.headersSent) response.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(text) })
    response.end(text)
  } finally {
    clearInterval(signs)
  }
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Undefined when it is too much; the rest is then read and dropped, because a client cut off would ask elsewhere. */
function read(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_PAYLOAD) chunks.push(chunk)
    })
    request.on('end', () => resolve(size <= MAX_PAYLOAD ? textOf(chunks) : undefined))
    request.on('error', reject)
  })
}

/** Mostly it came in one piece. */
function textOf(chunks: Buffer[]): string {
  const [only] = chunks
  return (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8')
}
