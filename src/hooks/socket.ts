import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { isPrivate } from '#config/private-folder.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { AnswerHook } from './answer-hook.ts'
import { hookEventOf, serveHook } from './serve-hook.ts'

interface Needs {
  /** A Unix socket, or a named pipe on Windows. */
  path: string
  answer: AnswerHook
  log: Log
}

/** An answer may wait for a person. While it does, a space now and then tells the hook client that we are still there. */
const SIGN_OF_LIFE = 400

/**
 * The transport of command hooks: plain HTTP over a local socket that only its owner can open, so that `curl` can knock and
 * no token has to be read. The caller makes sure that no other process serves this path.
 */
export async function openHookSocket({ path, answer, log }: Needs): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const event = hookEventOf(request)
    if (event === undefined) {
      // The hook client asks whether the daemon is alive before it hands over an event, whose answer may take its time.
      response.writeHead(request.url === '/alive' ? 204 : 404).end()
      return
    }
    serveHook(request, response, { event, answer, signOfLifeMs: SIGN_OF_LIFE }).catch((error: unknown) => {
      log.warn({ err: error }, 'a hook could not be answered')
      response.destroy()
    })
  })
  if (process.platform !== 'win32') {
    if (!isPrivate(dirname(path))) throw new Error(`${dirname(path)} is open to other users, or belongs to one`)
    rmSync(path, { force: true })
  }
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
