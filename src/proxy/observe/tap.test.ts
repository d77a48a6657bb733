import * as zlib from 'node:zlib'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { tapFor } from './tap.ts'

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  model: 'm',
  content: [{ type: 'text', text: 'grüße' }],
  usage: { input_tokens: 1, output_tokens: 2 },
  stop_reason: 'end_turn',
}
const JSON_BODY = Buffer.from(JSON.stringify(MESSAGE))
const STREAM = Buffer.from(
  [
    { type: 'message_start', message: { ...MESSAGE, content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'grüße' } },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join(''),
)

/** Reads bytes in pieces of seven through the tap for this type and encoding. */
async function readAs(type: string, encoding: string | undefined, bytes: Buffer) {
  const tap = tapFor(type, encoding)
  for (let at = 0; at < bytes.length; at += 7) tap?.push(bytes.subarray(at, at + 7))
  return tap?.end()
}

const encodings: [string, (bytes: Buffer) => Buffer][] = [
  ['identity', (bytes) => bytes],
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
]

describe('the tap for an answer', () => {
  it.each(encodings)('reads %s', async (encoding, compress) => {
    const [json, stream] = [compress(JSON_BODY), compress(STREAM)]
    expect(await readAs('application/json', encoding, json)).toMatchObject({ text: 'grüße', complete: true })
    expect(await readAs('text/event-stream; charset=utf-8', encoding, stream)).toMatchObject({
      text: 'grüße',
      complete: true,
    })
  })

  it('reads zstd where Node can, and lets it pass where not', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer }
    const answer = await readAs('text/event-stream', 'zstd', zstdCompressSync?.(STREAM) ?? STREAM)
    expect(answer?.text).toBe(zstdCompressSync ? 'grüße' : undefined)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('keeps what it can of a %s stream that was cut off', async (encoding, compress) => {
    const large = Buffer.concat([STREAM, Buffer.from(': filler that compresses badly\n'), randomText(200_000)])
    const bytes = compress(large)
    const answer = await readAs('text/event-stream', encoding, bytes.subarray(0, bytes.length / 2))
    expect(answer).toMatchObject({ text: 'grüße' })
  })

  it('has nothing to say about other types and encodings', () => {
    expect(tapFor('text/html', undefined)).toBeUndefined()
    expect(tapFor(undefined, undefined)).toBeUndefined()
    expect(tapFor('application/json', 'gzip, br')).toBeUndefined()
  })

  it('an error body is no answer', async () => {
    expect(await readAs('application/json', undefined, Buffer.from('{"type":"error","error":{}}'))).toBeUndefined()
  })

  it('lets an answer pass that is too large to hold', async () => {
    const tap = tapFor('application/json', undefined)!
    for (let i = 0; i < 20; i++) tap.push(Buffer.from('x'.repeat(1024 * 1024)))
    expect(await tap.end()).toBeUndefined()
  })
})

/** Text without repetition, the same every time. */
function randomText(length: number): Buffer {
  let state = 1
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return 33 + (state % 90)
    }),
  )
}
