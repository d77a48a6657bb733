import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTo, Conversation, type Mode, openingBody, requestBody, requestHeaders, unnumbered } from './payload.ts'

export interface Batch {
  port: number
  mode: Mode
  connections: number
  requests: number
}

export interface BatchResult {
  seconds: number
  /** Milliseconds from sending a request to the first byte of its answer's body, and to the last. */
  firstByteMs: number[]
  totalMs: number[]
}

/** The client's stand-in: raw sockets that send prepared bytes and look only for where an answer ends. */
export function runLoad(project: string): void {
  const bodies = { project, large: requestBody(project), opening: openingBody(project) }
  process.on('message', (batch: Batch | 'close') => {
    if (batch === 'close') {
      closeAll()
      return
    }
    run(batch, bodies).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
  process.send?.('ready')
}

interface Bodies {
  project: string
  large: Buffer
  opening: Buffer
}

/** How long a tool takes where there is only one conversation; with many, others fill the time. */
const TOOL_MS = 30

async function run({ port, mode, connections, requests }: Batch, bodies: Bodies): Promise<BatchResult> {
  const expected = mode === 'hold' ? undefined : unnumbered(Buffer.concat(answerTo(mode, bodies.project)))
  const body = mode === 'small' ? bodies.opening : bodies.large
  const result: BatchResult = { seconds: 0, firstByteMs: [], totalMs: [] }
  let left = requests
  const clients = await connected(port, connections, bodies.opening)
  const begin = performance.now()
  await Promise.all(
    clients.map(async (client, connection) => {
      const conversation = mode === 'results' ? conversationOf(port, connection, body) : undefined
      let head = headOf(port, mode, connection, body.length)
      for (let check = true; left > 0; check = conversation !== undefined) {
        left--
        const sent = conversation?.body ?? body
        if (conversation) head = headOf(port, mode, connection, sent.length)
        const answer = await client.ask(head, sent, mode === 'hold', check && expected !== undefined)
        if (answer.body) conversation?.take(answer.body)
        if (conversation && connections === 1) await sleep(TOOL_MS)
        result.firstByteMs.push(answer.firstByteMs)
        result.totalMs.push(answer.totalMs)
        if (answer.body && unnumbered(answer.body) !== expected) {
          throw new Error(`the answer's bytes changed on the way (${answer.body.length} of ${expected?.length})`)
        }
      }
    }),
  )
  result.seconds = (performance.now() - begin) / 1000
  return result
}

function headOf(port: number, mode: Mode, connection: number, length: number): string {
  const headers = requestHeaders(`127.0.0.1:${port}`, connection, length)
  return `POST /v1/messages?beta=true&mode=${mode} HTTP/1.1\r\n${headers}\r\n\r\n`
}

const conversations = new Map<string, Conversation>()

/** A conversation goes on from batch to batch. */
function conversationOf(port: number, connection: number, body: Buffer): Conversation {
  const key = `${port} ${connection}`
  const conversation = conversations.get(key) ?? new Conversation(body)
  conversations.set(key, conversation)
  return conversation
}

/** Connections stay open from batch to batch, as a client's do. */
const kept = new Map<number, Client[]>()

/** Each connection begins with its session's first request, which is not measured. */
async function connected(port: number, count: number, opening: Buffer): Promise<Client[]> {
  const clients = (kept.get(port) ?? []).filter(({ usable }) => usable)
  const begin = async (connection: number) => {
    const client = new Client(await open(port))
    await client.ask(headOf(port, 'small', connection, opening.length), opening, false, false)
    return client
  }
  // What is loaded at the very first request makes that one slow, and a slow one goes up as it came.
  if (!kept.has(port)) (await begin(EXTRA)).close()
  for (let connection = clients.length; connection < count; connection++) clients.push(await begin(connection))
  kept.set(port, clients)
  return clients.slice(0, count)
}

/** A session that takes no part in what is measured. */
const EXTRA = 999_999

function closeAll(): void {
  for (const client of [...kept.values()].flat()) client.close()
  kept.clear()
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

interface Asked {
  firstByteMs: number
  totalMs: number
  body?: Buffer
}

class Client {
  #settle: { resolve: (answer: Asked) => void; reject: (error: Error) => void } | undefined
  #sentAt = 0
  #firstByteMs = 0
  #headEnd = -1
  #length = -1
  #received = 0
  #kept: Buffer[] = []
  #keep = false
  #untilFirstByte = false
  #tail: Buffer = Buffer.alloc(0)

  constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.#onData(chunk as Buffer))
    socket.on('error', (error) => this.#settle?.reject(error))
    socket.on('close', () => this.#settle?.reject(new Error('the connection was closed in the middle of an answer')))
  }

  get usable(): boolean {
    return !this.socket.destroyed && this.socket.readable
  }

  close(): void {
    this.socket.destroy()
  }

  ask(head: string, body: Buffer, untilFirstByte: boolean, keep: boolean): Promise<Asked> {
    this.#headEnd = -1
    this.#length = -1
    this.#received = 0
    this.#kept = []
    this.#keep = keep
    this.#untilFirstByte = untilFirstByte
    this.#firstByteMs = 0
    this.#tail = Buffer.alloc(0)
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#sentAt = performance.now()
      this.socket.cork()
      this.socket.write(head, 'latin1')
      this.socket.write(body)
      this.socket.uncork()
    })
  }

  #onData(chunk: Buffer): void {
    if (!this.#settle) return
    if (this.#headEnd < 0 || this.#keep) this.#kept.push(chunk)
    this.#received += chunk.length
    if (this.#headEnd < 0) this.#readHead()
    if (this.#headEnd < 0) return
    if (this.#firstByteMs === 0 && this.#received > this.#headEnd) {
      this.#firstByteMs = performance.now() - this.#sentAt
    }
    if ((this.#untilFirstByte && this.#firstByteMs > 0) || this.#isComplete(chunk)) this.#done()
  }

  #readHead(): void {
    const bytes = this.#kept.length === 1 ? this.#kept[0]! : Buffer.concat(this.#kept)
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = bytes.toString('latin1', 0, end)
    if (!head.startsWith('HTTP/1.1 200')) {
      this.#settle?.reject(new Error(`not answered with 200: ${bytes.toString('utf8', 0, 300)}`))
      return
    }
    this.#headEnd = end + 4
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) this.#length = Number(length)
  }

  /** A chunked answer of ours never holds the end mark inside, so its last bytes tell. */
  #isComplete(chunk: Buffer): boolean {
    if (this.#length >= 0) return this.#received >= this.#headEnd + this.#length
    const tail = chunk.length >= 7 ? chunk : Buffer.concat([this.#tail, chunk])
    this.#tail = tail.subarray(-7)
    return this.#tail.toString('latin1') === '\r\n0\r\n\r\n'
  }

  #done(): void {
    const resolve = this.#settle?.resolve
    this.#settle = undefined
    const totalMs = performance.now() - this.#sentAt
    const bytes = this.#keep ? Buffer.concat(this.#kept).subarray(this.#headEnd) : undefined
    const body = bytes && (this.#length >= 0 ? bytes : dechunked(bytes))
    resolve?.({ firstByteMs: this.#firstByteMs, totalMs, ...(body ? { body } : {}) })
  }
}

function dechunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!size) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
