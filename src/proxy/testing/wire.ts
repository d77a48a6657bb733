import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Log } from '#core/ports/runtime.ts'

/** A request exactly as it came over the wire. */
export interface WireRequest {
  method: string
  path: string
  /** Name, value, name, value … in the order received. */
  headers: string[]
  body: Buffer
}

/** An upstream made of raw sockets: what it receives is not normalised, and what it sends is written byte by byte. */
export interface WireUpstream {
  url: string
  port: number
  requests: WireRequest[]
  sockets: Set<Socket>
  close(): Promise<void>
}

/** Starts an upstream that answers each request, once it is complete, as the handler writes. */
export async function wireUpstream(
  answer: (socket: Socket, request: WireRequest, nth: number) => void,
): Promise<WireUpstream> {
  const requests: WireRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    readMessages(socket, (message) => {
      const [method = '', path = ''] = message.firstLine.split(' ')
      const request = { method, path, headers: message.headers, body: message.body }
      requests.push(request)
      answer(socket, request, requests.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number
  statusText: string
  headers: string[]
  body: Buffer
  /** False when the connection ended before the answer did. */
  complete: boolean
}

/** One client connection made of a raw socket. */
export class WireClient {
  readonly #waiting: ((answer: WireAnswer) => void)[] = []

  private constructor(readonly socket: Socket) {
    socket.on('error', () => socket.destroy())
    const { broken } = readMessages(socket, (message) => this.#deliver(message, true))
    socket.on('close', () => {
      const message = broken()
      if (message || this.#waiting.length > 0) this.#deliver(message, false)
    })
  }

  static async connect(port: number): Promise<WireClient> {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    return new WireClient(socket)
  }

  /** Sends bytes as they are. */
  send(bytes: string | Buffer): void {
    this.socket.write(bytes)
  }

  /** The next answer, complete or broken off. */
  answer(): Promise<WireAnswer> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async ask(method: string, path: string, headers: string[] = [], body?: Buffer | string): Promise<WireAnswer> {
    const answer = this.answer()
    this.send(requestBytes(method, path, this.socket.remotePort ?? 0, headers, body))
    return answer
  }

  #deliver(message: Message | undefined, complete: boolean): void {
    const [, status = '0', ...text] = (message?.firstLine ?? '').split(' ')
    this.#waiting.shift()?.({
      status: Number(status),
      statusText: text.join(' '),
      headers: message?.headers ?? [],
      body: message?.body ?? Buffer.alloc(0),
      complete,
    })
  }
}

/** One request on a connection of its own. */
export async function ask(
  port: number,
  method: string,
  path: string,
  headers: string[] = [],
  body?: Buffer | string,
): Promise<WireAnswer> {
  const client = await WireClient.connect(port)
  const answer = await client.ask(method, path, headers, body)
  client.socket.destroy()
  return answer
}

/** A request's bytes, with Host and Content-Length where they are not given. */
export function requestBytes(
  method: string,
  path: string,
  port: number,
  headers: string[],
  body: Buffer | string = '',
): Buffer {
  const names = headers.map((line) => line.split(':')[0]!.toLowerCase())
  const lines = [`${method} ${path} HTTP/1.1`]
  if (!names.includes('host')) lines.push(`host: 127.0.0.1:${port}`)
  lines.push(...headers)
  const framed = names.includes('content-length') || names.includes('transfer-encoding')
  if (body.length > 0 && !framed) lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

/** An answer's bytes with a Content-Length. */
export function answerBytes(status: string, headers: string[], body: Buffer | string = ''): Buffer {
  const head = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}

/** One HTTP chunk. */
export function chunk(data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const LAST_CHUNK = '0\r\n\r\n'

/** The values of a header, in order. */
export function valuesOf(headers: string[], name: string): string[] {
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1]!.toLowerCase() === name)
}

/** A log that keeps what was said. */
export function recordingLog(): Log & { lines: { level: string; message: string; fields: object }[] } {
  const lines: { level: string; message: string; fields: object }[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, fields })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

interface Message {
  firstLine: string
  headers: string[]
  body: Buffer
}

/** Cuts what a socket receives into HTTP messages; `broken` gives what had arrived of an unfinished one. */
function readMessages(socket: Socket, done: (message: Message) => void): { broken: () => Message | undefined } {
  let bytes = Buffer.alloc(0)
  const take = () => {
    for (;;) {
      const message = readMessage(bytes)
      if (!message?.end) return
      bytes = bytes.subarray(message.end)
      // An interim answer is not the answer.
      if (!/^HTTP\/1\.1 1\d\d/.test(message.firstLine)) done(message)
    }
  }
  socket.on('data', (data) => {
    bytes = Buffer.concat([bytes, data as Buffer])
    take()
  })
  return { broken: () => (bytes.length > 0 ? readMessage(bytes) : undefined) }
}

/** The first message in these bytes; without `end` when more is needed. */
function readMessage(bytes: Buffer): (Message & { end?: number }) | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [firstLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const start = headEnd + 4
  if (valuesOf(headers, 'transfer-encoding').includes('chunked'))
    return { firstLine, headers, ...readChunks(bytes, start) }
  const declared = valuesOf(headers, 'content-length')[0]
  // Only a HEAD answer has a length and no body; the test that asks for one sends no other request.
  const length = headers.includes('x-test-head') ? 0 : Number(declared ?? 0)
  const end = start + length
  return { firstLine, headers, body: bytes.subarray(start, end), ...(bytes.length >= end ? { end } : {}) }
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end?: number } {
  const pieces: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return { body: Buffer.concat(pieces) }
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const dataEnd = lineEnd + 2 + size
    pieces.push(bytes.subarray(lineEnd + 2, dataEnd))
    if (bytes.length < dataEnd + 2) return { body: Buffer.concat(pieces) }
    at = dataEnd + 2
    if (size === 0) return { body: Buffer.concat(pieces), end: at }
  }
}

/** The error in an answer of the proxy's own, in the API's shape. */
export function errorOf(body: Buffer): { type: string; message: string } {
  const json = JSON.parse(body.toString()) as { type: string; error: { type: string; message: string } }
  if (json.type !== 'error') throw new Error(`no error: ${body}`)
  return json.error
}
