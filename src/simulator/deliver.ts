import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { createBrotliCompress, createDeflate, createGzip, constants as zlib } from 'node:zlib'
import type { Reply } from './schema.ts'

/** One answer exactly as it was written. */
export interface SentResponse {
  /** The index of the request it answers. */
  index: number
  status: number
  /** Name and value of each header, without those that only frame the message on its connection. */
  headers: [string, string][]
  /** The body as it was written: after compression, before chunked framing. */
  body: Buffer
  /** `aborted`: the other side went away first. */
  ended: 'open' | 'complete' | 'reset' | 'closed early' | 'aborted'
}

/** What is to be written, before it is decided how it travels. */
export interface Answer {
  status: number
  headers: [string, string][]
  stream: boolean
  /** The events of a stream, or the parts of any other body. */
  parts: Buffer[]
}

type Delivery = Pick<Reply, 'delay' | 'drip' | 'chunk' | 'reset_after' | 'close_after' | 'hang_after' | 'encoding'>

/** Writes the answer the way the reply asks for, noting in `sent` every byte that left and telling `changed` each time. */
export async function deliver(
  answer: Answer,
  how: Delivery,
  response: ServerResponse,
  sent: SentResponse,
  changed: () => void,
) {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    await write(answer, how, response, sent, gone.signal, changed)
  } catch (error) {
    // A reader who leaves is part of many scenarios; anything else is a fault of the simulator.
    if (!gone.signal.aborted) throw error
  }
  if (gone.signal.aborted && sent.ended === 'open') sent.ended = 'aborted'
  changed()
}

async function write(
  answer: Answer,
  how: Delivery,
  response: ServerResponse,
  sent: SentResponse,
  signal: AbortSignal,
  changed: () => void,
) {
  const cutOff = how.reset_after ?? how.close_after ?? how.hang_after
  const whole = await compress(answer.parts, how.encoding)
  const parts = whole.slice(0, cutOff)
  const bytes = Buffer.concat(parts)
  if (how.delay) await wait(how.delay, undefined, { signal })

  if (cutOff !== 0 || how.close_after === 0) {
    sent.status = answer.status
    sent.headers = [...answer.headers, ...encodingHeader(how), ...lengthHeader(answer, how, whole)]
    response.writeHead(sent.status, sent.headers.flat())
    response.flushHeaders()
  }
  for (const piece of how.chunk ? slices(bytes, how.chunk) : parts) {
    sent.body = bytes.subarray(0, sent.body.length + piece.length)
    changed()
    if (!response.write(piece)) await once(response, 'drain', { signal })
    // Without a pause two writes would leave in one packet and nothing would ever be split.
    if (how.drip) await wait(how.drip, undefined, { signal })
    else if (how.chunk) await nextTick(undefined, { signal })
  }
  await finish(how, response, sent, signal)
}

async function finish(how: Delivery, response: ServerResponse, sent: SentResponse, signal: AbortSignal) {
  if (how.reset_after !== undefined) {
    // What was written must leave the machine's buffers, or the reset would overtake it.
    await wait(20, undefined, { signal })
    sent.ended = 'reset'
    response.socket?.resetAndDestroy()
    return
  }
  if (how.hang_after !== undefined) {
    await once(response, 'close', { signal })
    return
  }
  signal.throwIfAborted()
  // Noted before the end is written, so that a test which has read the whole answer finds it noted.
  sent.ended = how.close_after === undefined ? 'complete' : 'closed early'
  response.end()
}

function encodingHeader({ encoding }: Delivery): [string, string][] {
  return encoding ? [['content-encoding', encoding]] : []
}

/** A stream has no length, and an early end with a length would leave the reader waiting. */
function lengthHeader({ stream }: Answer, { close_after }: Delivery, whole: Buffer[]): [string, string][] {
  if (stream || close_after !== undefined) return []
  return [['content-length', String(whole.reduce((sum, part) => sum + part.length, 0))]]
}

/** Compresses so that each part can be read as soon as it arrives, as a streaming server does. */
async function compress(parts: Buffer[], encoding: Reply['encoding']): Promise<Buffer[]> {
  if (!encoding) return parts
  const stream = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }[encoding]()
  const flush = encoding === 'br' ? zlib.BROTLI_OPERATION_FLUSH : zlib.Z_SYNC_FLUSH
  const pieces: Buffer[] = []
  let piece: Buffer[] = []
  stream.on('data', (data: Buffer) => piece.push(data))
  for (const part of parts) {
    stream.write(part)
    await new Promise<void>((flushed) => stream.flush(flush, flushed))
    pieces.push(Buffer.concat(piece))
    piece = []
  }
  stream.end()
  await once(stream, 'end')
  return [...pieces, Buffer.concat(piece)]
}

function slices(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}
