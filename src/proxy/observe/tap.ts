import zlib from 'node:zlib'
import type { Answer } from '#core/turn.ts'
import { answerOf } from './answer-builder.ts'
import { SseTap } from './sse-tap.ts'

/** Reads an answer along while it passes; it is given every byte after the client was, and can delay none. */
export interface Tap {
  /** The next bytes; they are not changed afterwards. */
  push(bytes: Buffer): void
  /** Call once, after the last chunk; undefined when there was no answer to read. */
  end(): Promise<Answer | undefined> | Answer | undefined
}

// What a reader may hold of one answer; beyond it the answer passes unread.
const MAX_HELD = 16 * 1024 * 1024

/** The tap for an answer of this type and encoding; undefined when it is nothing we can read. */
export function tapFor(contentType: string | undefined, contentEncoding: string | undefined): Tap | undefined {
  const tap = isEventStream(contentType) ? new SseTap() : isJson(contentType) ? new JsonTap() : undefined
  if (!tap || !contentEncoding || contentEncoding.toLowerCase() === 'identity') return tap
  const decoder = decoderFor(contentEncoding)
  return decoder && new DecodingTap(decoder, tap)
}

export function isEventStream(contentType: string | undefined): boolean {
  return contentType?.toLowerCase().startsWith('text/event-stream') ?? false
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.toLowerCase().startsWith('application/json') ?? false
}

class JsonTap implements Tap {
  readonly #pieces: Buffer[] = []
  #length = 0

  push(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#length <= MAX_HELD) this.#pieces.push(bytes)
    else this.#pieces.length = 0
  }

  end(): Answer | undefined {
    if (this.#length > MAX_HELD) return undefined
    const [first] = this.#pieces
    const bytes = this.#pieces.length === 1 ? first! : Buffer.concat(this.#pieces)
    return answerOf(JSON.parse(bytes.toString()))
  }
}

/** Decodes a copy of the answer on the side; the client gets the upstream's own bytes. */
class DecodingTap implements Tap {
  readonly #decoder: zlib.Gunzip
  readonly #done: Promise<void>
  #gaveUp = false

  constructor(
    decoder: zlib.Gunzip,
    private readonly inner: Tap,
  ) {
    this.#decoder = decoder
    this.#done = new Promise((resolve, reject) => decoder.once('end', resolve).once('error', reject))
    // The error is reported by end(); until then there may be no listener.
    this.#done.catch(() => undefined)
    decoder.on('data', (chunk: Buffer) => inner.push(chunk))
  }

  push(bytes: Buffer): void {
    if (this.#gaveUp || this.#decoder.destroyed) return
    if (this.#decoder.writableLength > MAX_HELD) {
      this.#gaveUp = true
      this.#decoder.destroy(new Error('The answer arrives faster than it can be decoded'))
      return
    }
    this.#decoder.write(bytes)
  }

  async end(): Promise<Answer | undefined> {
    if (!this.#decoder.destroyed) this.#decoder.end()
    await this.#done
    return this.inner.end()
  }
}

/** A decoder that also gives what it can of an answer that was cut off. */
function decoderFor(encoding: string): zlib.Gunzip | undefined {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
  switch (encoding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH })
    case 'deflate':
      return zlib.createInflate({ finishFlush: Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return newerZlib.createZstdDecompress?.()
    default:
      return undefined
  }
}

// Node 22.15 brought zstd; on older versions such an answer passes unread.
const newerZlib = zlib as { createZstdDecompress?: () => zlib.Gunzip }
