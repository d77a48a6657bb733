import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#core/ports/runtime.ts'
import { none } from '#protocol/hook-event.ts'
import { type AnswerHook, MAX_PAYLOAD } from './answer-hook.ts'
import { hookEventOf, serveHook } from './serve-hook.ts'

interface Needs {
  answer: AnswerHook
  log: Log
}

/**
 * The client's own http hooks, told apart before the web server looks at them: its lifecycle costs as much as the answer.
 * A request that is not admitted goes on to the web server, whose refusal says what is missing.
 */
export function quickHooks(
  server: Server,
  isAdmitted: (request: IncomingMessage) => boolean,
  { answer, log }: Needs,
): void {
  const others = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const event = hookEventOf(request)
    if (event === undefined || !isAdmitted(request)) {
      for (const other of others) other.call(server, request, response)
      return
    }
    serveHook(request, response, { event, answer }).catch((error: unknown) => {
      log.warn({ err: error }, 'a hook could not be answered')
      response.destroy()
    })
  })
}

/**
 * `POST /hooks/:event` for the client's own http hooks. A request that gets here has passed the server's guard; from then on
 * the status is always 200, because the client ignores an answer with any other, and shows an error for it.
 */
export async function hookRoute(app: FastifyInstance, { answer, log }: Needs): Promise<void> {
  app.removeAllContentTypeParsers()
  // As text: what is no JSON must reach the one place that decides what to do about it.
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_PAYLOAD }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler((error: Error, _request, reply) => {
    log.warn({ err: error }, 'a hook could not be read')
    return reply.status(200).send(none)
  })
  app.post<{ Params: { event: string }; Body: string | undefined }>('/hooks/:event', ({ params, body }) =>
    answer(params.event, body ?? ''),
  )
}
