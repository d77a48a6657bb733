import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface WireMessage {
  /** `POST /v1/messages?beta=true HTTP/1.1` or `HTTP/1.1 200 OK`. */
  startLine: string
  headers: [string, string][]
  /** Without chunked framing, still compressed. */
  body: Buffer
  /** False when the connection ended first. */
  complete: boolean
}

export interface Exchange {
  request: WireMessage
  response: WireMessage | undefined
}

export interface WireTap {
  url: string
  /** What was said so far, connection by connection. */
  exchanges(): Exchange[]
  close(): Promise<void>
}

/** Passes bytes between a client and a server and keeps a copy; being raw TCP it can change nothing. */
export async function startWireTap(target: string): Promise<WireTap> {
  const { hostname, port } = new URL(target)
  const connections: { up: Buffer[]; down: Buffer[]; sockets: Socket[] }[] = []

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const connection = { up: [] as Buffer[], down: [] as Buffer[], sockets: [client, upstream] }
    connections.push(connection)
    relay(client, upstream, connection.up)
    relay(upstream, client, connection.down)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges: () => connections.flatMap(({ up, down }) => pairUp(Buffer.concat(up), Buffer.concat(down))),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections.flatMap(({ sockets }) => sockets)) socket.destroy()
      await closed
    },
  }
}

function relay(from: Socket, to: Socket, copy: Buffer[]) {
  from.setNoDelay()
  from.on('data', (chunk: Buffer) => {
    copy.push(chunk)
    to.write(chunk)
  })
  from.on('end', () => to.end())
  // Whatever ended one side ends the other in the same way: a reset stays a reset.
  from.on('error', () => to.resetAndDestroy())
  from.on('close', () => to.destroySoon())
}

function pairUp(up: Buffer, down: Buffer): Exchange[] {
  const requests = parseMessages(up, () => false)
  const responses = parseMessages(down, (i) => requests[i]?.startLine.startsWith('HEAD ') ?? false)
  return requests.map((request, i) => ({ request, response: responses[i] }))
}

function parseMessages(bytes: Buffer, hasNoBody: (index: number) => boolean): WireMessage[] {
  const messages: WireMessage[] = []
  let at = 0
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd === -1) return messages
    const [startLine, ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const headers = lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string]
    })
    const { body, complete, end } = readBody(bytes, headEnd + 4, headers, hasNoBody(messages.length))
    messages.push({ startLine: startLine!, headers, body, complete })
    at = end
  }
}

function readBody(bytes: Buffer, start: number, headers: [string, string][], none: boolean) {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  if (none) return { body: Buffer.alloc(0), complete: true, end: start }
  if (header('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes, start)
  const end = start + Number(header('content-length') ?? 0)
  return { body: bytes.subarray(start, end), complete: end <= bytes.length, end: Math.min(end, bytes.length) }
}

function readChunks(bytes: Buffer, start: number) {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) return { body: Buffer.concat(chunks), complete: false, end: bytes.length }
    if (size === 0) return { body: Buffer.concat(chunks), complete: true, end: lineEnd + 4 }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
