import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerHeaders, answerTo, MODES, type Mode, numbered, PACES } from './payload.ts'

interface Streaming {
  mode: Mode
  answer: number
  next: number
  dueAt: number
}

const TICK_MS = 5

/** The API's stand-in: takes the whole request, then answers with prepared bytes in the way the path asks for. */
export function runUpstream(project: string): void {
  const pieces = Object.fromEntries([...MODES, 'hold' as const].map((mode) => [mode, answerTo(mode, project)]))
  const streaming = new Map<ServerResponse, Streaming>()
  let answers = 0

  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const mode = (/[?&]mode=(\w+)/.exec(request.url ?? '')?.[1] ?? 'burst') as Mode
    if (mode === 'echo') {
      echo(request, response)
      return
    }
    request.resume().on('end', () => {
      const answer = ++answers
      const all = pieces[mode]!
      response.writeHead(200, answerHeaders(mode, all[0]!.length))
      if (mode === 'hold') response.write(Buffer.concat(all.slice(0, 20).map((piece) => numbered(piece, answer))))
      else if (PACES[mode]) {
        response.flushHeaders()
        streaming.set(response, { mode, answer, next: 0, dueAt: performance.now() })
        response.on('close', () => streaming.delete(response))
      } else {
        for (const piece of all.slice(0, -1)) response.write(numbered(piece, answer))
        response.end(numbered(all.at(-1)!, answer))
      }
    })
  })

  setInterval(() => {
    const now = performance.now()
    for (const [response, stream] of streaming) {
      const [least, most] = PACES[stream.mode]!
      if (least !== most && now < stream.dueAt) continue
      const all = pieces[stream.mode]!
      response.write(numbered(all[stream.next]!, stream.answer))
      stream.next++
      stream.dueAt = now + least + Math.random() * (most - least)
      if (stream.next < all.length) continue
      streaming.delete(response)
      response.end()
    }
  }, TICK_MS)

  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

/** What arrived, as JSON. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('base64')
    const json = Buffer.from(JSON.stringify({ headers: request.rawHeaders, body }))
    response.writeHead(200, answerHeaders('echo', json.length)).end(json)
  })
}
