import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Paths } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import type { Log } from '#core/ports/runtime.ts'
import { type AnswerHook, hookAnswerer, OpenAnswers } from '#hooks/answer-hook.ts'
import { askAt } from '#hooks/ask-daemon.ts'
import { hookRoute, quickHooks } from '#hooks/http-route.ts'
import { openHookSocket } from '#hooks/socket.ts'
import type { HookAnswer } from '#protocol/hook-event.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { Listeners } from '../process/listeners.ts'
import { acquireLock, type Lock } from '../process/lock.ts'
import { restoreRemoved } from '../process/restore-removed.ts'

/** How hooks reach the daemon: the socket that the command client uses, and the route for http hooks. */
export interface HookTransports {
  /** Adds the route to the web server, where there is one; requests that it would admit are answered ahead of it. */
  serveOn(app: FastifyInstance, isAdmitted: (request: IncomingMessage) => boolean): void
  /** As of a queue: lets go of the answers that are still being worked on. */
  passRunning(): () => void
  close(): Promise<void>
}

const MOMENT_MS = 250

interface Needs {
  paths: Paths
  parts: readonly HookPart[]
  pauses: Pauses
  log: Log
  /** What else this process listens for. */
  listeners: Listeners
  /** Called when another process has answered a hook: what this one has cached of the session is out of date. */
  outdated(): void
}

/**
 * Opens the socket. Where proxy and web page run apart, the first of them has it. What is known about a session lies in
 * the proxy's memory then, so the web page's process hands hooks on to it: two writers would forget each other's half.
 */
export async function openHookTransports(needs: Needs): Promise<HookTransports> {
  const { paths, parts, pauses, log, listeners, outdated } = needs
  const [open, heard] = [new OpenAnswers(), new OpenAnswers()]
  const own = open.of(
    hookAnswerer(
      parts.map((part) => heard.ofPart(part)),
      log,
      pauses,
    ),
  )
  const answer = listeners.proxy ? own : handingOn(paths.proxySocket, own, outdated)
  const lock = takeLock(join(paths.run, 'hooks.json'), log)
  const socket = lock && (await openSocket(paths.socket, answer, log))
  if (socket) lock.announce(paths.socket)
  const apart = listeners.proxy && !listeners.web ? await openSocket(paths.proxySocket, own, log) : undefined
  return {
    serveOn(app, isAdmitted) {
      app.register(hookRoute, { answer, log })
      quickHooks(app.server, isAdmitted, { answer, log })
    },
    passRunning() {
      const [passParts, passAnswers] = [heard.passRunning(), open.passRunning()]
      return () => {
        passParts()
        // An answer that waited for a part alone is made of what the parts say now.
        setTimeout(passAnswers, MOMENT_MS)
      }
    },
    async close() {
      await Promise.all([socket?.close(), apart?.close()])
      lock?.release()
    },
  }
}

function handingOn(proxySocket: string, own: AnswerHook, outdated: () => void): AnswerHook {
  return async (event, body, gone) => {
    const answer = await askAt(proxySocket, event, body, gone)
    if (answer === undefined) return own(event, body, gone)
    outdated()
    return JSON.parse(answer) as HookAnswer
  }
}

function takeLock(file: string, log: Log): Lock | undefined {
  try {
    return acquireLock(file, { serves: 'hooks', version })
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    log.info({}, 'another process of this home answers the hooks')
    return undefined
  }
}

/** Without the socket, command hooks answer by themselves: slower, and no reason not to start. It is opened again when it is gone. */
async function openSocket(path: string, answer: AnswerHook, log: Log) {
  try {
    let open: Awaited<ReturnType<typeof openHookSocket>> | undefined = await openHookSocket({ path, answer, log })
    // A named pipe has no file that could go.
    const end =
      process.platform === 'win32'
        ? () => {}
        : restoreRemoved({ file: path, log }, async () => {
            // First, because closing removes whatever is at the path. Not awaited: a client that is still connected gets its answer,
            // which may wait for a person.
            void open?.close()
            open = undefined
            open = await openHookSocket({ path, answer, log })
          })
    return {
      async close() {
        end()
        await open?.close()
      },
    }
  } catch (error) {
    log.warn({ err: error, path }, 'the hook socket could not be opened; command hooks will be slower')
    return undefined
  }
}
