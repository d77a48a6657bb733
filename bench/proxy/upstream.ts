import { createServer, type ServerResponse } from 'node:http'
import { answerHeaders, events, jsonAnswer, type Mode, PACE_MS } from './payload.ts'

/** The API's stand-in: takes the whole request, then answers with prepared bytes in the way the path asks for. */
export function runUpstream(): void {
  const all = events()
  const json = jsonAnswer()
  /** Paced answers, and the event each sends next. */
  const paced = new Map<ServerResponse, number>()

  const answer: Record<Mode, (response: ServerResponse) => void> = {
    burst(response) {
      for (const event of all) response.write(event)
      response.end()
    },
    paced(response) {
      response.flushHeaders()
      paced.set(response, 0)
      response.on('close', () => paced.delete(response))
    },
    json: (response) => response.end(json),
    hold: (response) => response.write(Buffer.concat(all.slice(0, 20))),
  }

  setInterval(() => {
    for (const [response, next] of paced) {
      response.write(all[next])
      paced.set(response, next + 1)
      if (next + 1 < all.length) continue
      paced.delete(response)
      response.end()
    }
  }, PACE_MS)

  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    request.resume().on('end', () => {
      const mode = (/[?&]mode=(\w+)/.exec(request.url ?? '')?.[1] ?? 'burst') as Mode
      response.writeHead(200, answerHeaders(mode))
      answer[mode](response)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}
