import { createHash } from 'node:crypto'
import { closeSync, fstatSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openToAppend, openToReadLater } from '#config/plain-file.ts'
import { Trouble } from '#config/trouble.ts'
import { chained } from '#core/trace/chain.ts'
import type { TraceRecord } from '#core/trace/record.ts'
import { readRecord } from '#core/trace/view.ts'

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** `.orchestration/agent_trace.jsonl`: one record per line, only ever added to. */

/** Where a project's ledger lies. */
export function ledgerFile(orchestration: string): string {
  return join(orchestration, 'agent_trace.jsonl')
}

const NEWLINE = 10

/**
 * Adds one line, in one write at the end of the file: writers in other processes cannot get between its bytes. A writer
 * that was killed in the middle may have left half a line; ours then begins a new one, so that only that half is lost.
 */
export function appendRecord(file: string, record: TraceRecord): TraceRecord {
  const handle = openToAppend(file, { inside: dirname(dirname(file)) })
  try {
    const written = chained(record, lastLine(handle), sha256)
    const line = `${JSON.stringify(written)}\n`
    const bytes = Buffer.from(endsMidLine(handle) ? `\n${line}` : line)
    const added = writeSync(handle, bytes)
    if (added < bytes.length) throw new Error(`only ${added} of ${bytes.length} bytes could be added to ${file}`)
    return written
  } finally {
    closeSync(handle)
  }
}

/** A record of a change to very many lines may be long; of a longer one the chain begins again. */
const LONGEST_LINE = 16 * 1024 * 1024

function lastLine(handle: number): string | undefined {
  const { size } = fstatSync(handle)
  for (let length = 64 * 1024; size > 0; length *= 4) {
    const start = Math.max(0, size - length)
    const tail = Buffer.alloc(size - start)
    readSync(handle, tail, 0, tail.length, start)
    const end = tail[tail.length - 1] === NEWLINE ? tail.length - 1 : tail.length
    const from = end > 0 ? tail.lastIndexOf(NEWLINE, end - 1) : -1
    if (from >= 0 || start === 0) return tail.toString('utf8', from + 1, end)
    if (length > LONGEST_LINE) return undefined
  }
  return undefined
}

function endsMidLine(handle: number): boolean {
  const { size } = fstatSync(handle)
  if (size === 0) return false
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] !== NEWLINE
}

/** A line of the ledger with its place. */
export interface LedgerLine {
  offset: number
  bytes: number
  text: string
}

const CHUNK = 1024 * 1024

/** The lines from newest to oldest; a caller that has enough stops reading. */
export async function* newestLines(file: string, mostBytes = Number.POSITIVE_INFINITY): AsyncGenerator<LedgerLine> {
  const handle = await openIfThere(file)
  if (!handle) return
  try {
    const { size } = await handle.stat()
    const stop = Math.max(0, size - mostBytes)
    let rest = Buffer.alloc(0)
    for (let end = size; end > stop; ) {
      const start = Math.max(stop, end - CHUNK)
      const { buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
      const part = rest.length > 0 ? Buffer.concat([buffer, rest]) : buffer
      let lineEnd = part.length
      for (let at = part.lastIndexOf(NEWLINE); at >= 0; at = at > 0 ? part.lastIndexOf(NEWLINE, at - 1) : -1) {
        const line = lineAt(part, at + 1, lineEnd, start)
        if (line) yield line
        lineEnd = at
      }
      rest = part.subarray(0, lineEnd)
      end = start
    }
    const first = stop === 0 ? lineAt(rest, 0, rest.length, 0) : undefined
    if (first) yield first
  } finally {
    await handle.close()
  }
}

function lineAt(part: Buffer, from: number, to: number, start: number): LedgerLine | undefined {
  if (to <= from) return undefined
  return { offset: start + from, bytes: to - from, text: part.toString('utf8', from, to) }
}

/** The lines from a place on to the end, oldest first; the place must be the beginning of a line. */
export async function* linesFrom(file: string, from: number): AsyncGenerator<LedgerLine & { ended: boolean }> {
  const handle = await openIfThere(file)
  if (!handle) return
  try {
    let rest = Buffer.alloc(0)
    let at = from
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at + rest.length)
      if (bytesRead === 0) break
      const part =
        rest.length > 0 ? Buffer.concat([rest, buffer.subarray(0, bytesRead)]) : buffer.subarray(0, bytesRead)
      let lineStart = 0
      for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, end + 1)) {
        const line = lineAt(part, lineStart, end, at)
        if (line) yield { ...line, ended: true }
        lineStart = end + 1
      }
      rest = part.subarray(lineStart)
      at += lineStart
    }
    const last = lineAt(rest, 0, rest.length, at)
    if (last) yield { ...last, ended: false }
  } finally {
    await handle.close()
  }
}

/** Reads records at known places, in the order asked; undefined where there is none any more. */
export async function recordsAt(
  file: string,
  places: readonly { offset: number; bytes: number }[],
): Promise<(TraceRecord | undefined)[]> {
  const handle = await openIfThere(file)
  if (!handle) return places.map(() => undefined)
  try {
    const records: (TraceRecord | undefined)[] = []
    for (const { offset, bytes } of places) {
      const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset)
      records.push(readRecord(buffer.toString('utf8')))
    }
    return records
  } finally {
    await handle.close()
  }
}

async function openIfThere(file: string) {
  try {
    return await openToReadLater(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof Trouble) return undefined
    throw error
  }
}
