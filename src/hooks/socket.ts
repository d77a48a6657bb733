import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Log } from '#core/ports.ts'
import { none } from '#protocol/hook-event.ts'
import { type AnswerHook, MAX_PAYLOAD } from './answer-hook.ts'

interface Needs {
  /** A Unix socket, or a named pipe on Windows. */
  path: string
  answer: AnswerHook
  log: Log
}

/** An answer may wait for a person. While it does, a space now and then tells the hook client that we are still there. */
const SIGN_OF_LIFE = 1000

/**
 * The door for command hooks: plain HTTP over a local socket that only its owner can open, so that `curl` can knock and
 * no token has to be read. The caller makes sure that nobody else serves this path.
 */
export async function openHookSocket({ path, answer, log }: Needs): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    serve(request, response, answer).catch((error: unknown) => {
      log.warn({ err: error }, 'a hook could not be answered')
      response.destroy()
    })
  })
  if (process.platform !== 'win32') rmSync(path, { force: true })
  // The socket gets its mode when it is bound, and that happens inside listen; a chmod afterwards would come too late.
  const before = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
  await once(server, 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: AnswerHook): Promise<void> {
  const event = /^\/hooks\/([\w-]*)$/.exec(request.url ?? '')?.[1]
  if (request.method !== 'POST' || event === undefined) {
    response.writeHead(404).end()
    return
  }
  const body = await read(request)
  const signs = setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' })
    response.write(' ')
  }, SIGN_OF_LIFE)
  try {
    const text = JSON.stringify(body === undefined ? none : await answer(event, body))
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    }
    response.end(text)
  } finally {
    clearInterval(signs)
  }
}

/** Undefined when it is too much; the rest is then read and dropped, because a client cut off would ask elsewhere. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= MAX_PAYLOAD) chunks.push(chunk as Buffer)
  }
  return size <= MAX_PAYLOAD ? Buffer.concat(chunks).toString('utf8') : undefined
}
