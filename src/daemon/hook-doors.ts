import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Paths } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import type { Log } from '#core/ports.ts'
import { type AnswerHook, hookAnswerer } from '#hooks/answer-hook.ts'
import { hookRoute } from '#hooks/http-route.ts'
import { openHookSocket } from '#hooks/socket.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { acquireLock, type Lock } from './lock.ts'

/** The daemon's two doors for hooks: the socket that the command client uses, and the route for http hooks. */
export interface HookDoors {
  /** Adds the route to the web server, where there is one. */
  serveOn(app: FastifyInstance): void
  close(): Promise<void>
}

interface Needs {
  paths: Paths
  parts: readonly HookPart[]
  log: Log
}

/** Opens the socket. Where proxy and web page run apart, the first of them has it, and the other does without. */
export async function openHookDoors({ paths, parts, log }: Needs): Promise<HookDoors> {
  const answer = hookAnswerer(parts, log)
  const lock = takeLock(join(paths.run, 'hooks.json'), log)
  const socket = lock && (await openSocket(paths.socket, answer, lock, log))
  return {
    serveOn: (app) => void app.register(hookRoute, { answer, log }),
    async close() {
      await socket?.close()
      lock?.release()
    },
  }
}

function takeLock(file: string, log: Log): Lock | undefined {
  try {
    return acquireLock(file, { door: 'hooks', version })
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    log.info({}, 'another process of this home answers the hooks')
    return undefined
  }
}

/** Without the socket, command hooks answer by themselves: slower, and no reason not to start. */
async function openSocket(path: string, answer: AnswerHook, lock: Lock, log: Log) {
  try {
    const socket = await openHookSocket({ path, answer, log })
    lock.announce(path)
    return socket
  } catch (error) {
    log.warn({ err: error, path }, 'the hook socket could not be opened; command hooks will be slower')
    return undefined
  }
}
