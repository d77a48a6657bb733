import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerHeaders, answerTo, numbered, requestBody, requestHeaders } from '../proxy/payload.ts'

/** One event of each stream in this time; an answer has sixty. */
const EVENT_MS = 500

/** The API's stand-in: every answer takes half a minute. */
export function runSlowUpstream(): void {
  const pieces = answerTo('slow')
  const streaming = new Map<ServerResponse, { answer: number; next: number }>()
  let answers = 0
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, answerHeaders('slow', 0)).flushHeaders()
      streaming.set(response, { answer: ++answers, next: 0 })
      response.on('close', () => streaming.delete(response))
    })
  })
  // A tenth of them at a time, so that they do not all speak at once.
  let turn = 0
  setInterval(() => {
    turn = (turn + 1) % 10
    for (const [response, stream] of streaming) {
      if (stream.answer % 10 !== turn) continue
      response.write(numbered(pieces[stream.next]!, stream.answer))
      if (++stream.next < pieces.length) continue
      streaming.delete(response)
      response.end()
    }
  }, EVENT_MS / 10)
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

/** What the streams tell, once a second. */
export interface Streams {
  open: number
  done: number
  broken: number
  /** How they broke, and how many in that way. */
  how: Record<string, number>
}

/** Requests of a session; then its connection is closed and another session takes its place. */
const REQUESTS = 3
/** What ends a chunked body. */
const END = Buffer.from('\r\n0\r\n\r\n')

/** How an answer has ended: `whole`, or what it was, whether it had begun, and in which tenth of a minute. */
function answered(socket: Socket, ask: () => void): Promise<string> {
  return new Promise((resolve) => {
    const begin = performance.now()
    let [bytes, status] = [0, 'no answer']
    let tail: Buffer = Buffer.alloc(0)
    const broken = (how: string) =>
      resolve(`${how}: ${status} after about ${Math.round((performance.now() - begin) / 6000) * 6} s`)
    socket.removeAllListeners()
    socket.on('data', (chunk: Buffer) => {
      if (bytes === 0) status = chunk.toString('latin1', 0, 15).trimEnd()
      bytes += chunk.length
      tail = Buffer.concat([tail, chunk]).subarray(-END.length)
      if (tail.equals(END)) resolve('whole')
    })
    socket.on('error', ({ message }) => broken(message)).on('close', () => broken('closed'))
    ask()
  })
}

/** The clients' stand-in: as many sessions at a time as it is told, each with one stream after the other. */
export function runStreams(count: number, port: number, project: string): void {
  const told: Streams = { open: 0, done: 0, broken: 0, how: {} }
  const body = requestBody(project)
  let sessions = 0
  const session = async () => {
    const head = `POST /v1/messages?beta=true HTTP/1.1\r\n${requestHeaders(`127.0.0.1:${port}`, ++sessions, body.length)}\r\n\r\n`
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    for (let request = 0; request < REQUESTS; request++) {
      told.open++
      const end = await answered(socket, () => {
        socket.write(head, 'latin1')
        socket.write(body)
      })
      told.open--
      if (end === 'whole') told.done++
      else {
        told.broken++
        told.how[end] = (told.how[end] ?? 0) + 1
        await sleep(1000)
        break
      }
    }
    socket.destroy()
    void session()
  }
  // They begin one after the other, as agents do.
  for (let n = 0; n < count; n++) setTimeout(() => void session(), (n / count) * EVENT_MS * 60)
  setInterval(() => process.send?.(told), 1000)
}
