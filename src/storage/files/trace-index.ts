import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openToRead } from '#config/plain-file.ts'
import type { IndexEntry, IndexRange, TraceIndex } from '#core/ports/trace.ts'
import { lineHash } from '#core/trace/lines.ts'
import type { TraceRecord } from '#core/trace/record.ts'
import { belonging, readLine } from '#core/trace/view.ts'
import { linesFrom } from './trace-jsonl.ts'

/**
 * What can be asked of a ledger without reading it: per record its place, time, intent, files and line hashes, as plain
 * numbers in one file under the home folder. It is made on first use and then only extended, so that a ledger of
 * hundreds of megabytes is read once. The ledger is the truth; an index that does not fit it is made again.
 */

/** A name as the index knows it. */
export const nameHash = lineHash

const MAGIC = 0x47545833
const HEAD = 8
/** So much of the new end is read in memory without writing the index again. */
const WRITE_AGAIN_BYTES = 512 * 1024
const SAMPLE = { count: 16, bytes: 4096 }

/** Opens the index of a ledger, brought up to date. */
export async function openTraceIndex(ledger: string, cacheFolder: string): Promise<TraceIndex> {
  const file = indexFile(ledger, cacheFolder)
  const size = statSync(ledger, { throwIfNoEntry: false })?.size ?? 0
  const kept = load(file, ledger, size)
  const words = new Words(kept?.words ?? new Uint32Array(0))
  let covered = kept?.covered ?? 0
  let lines = kept?.lines ?? 0
  for await (const { offset, bytes, text, ended } of linesFrom(ledger, covered)) {
    const { record, sound } = readLine(text)
    if (!ended && !sound) {
      // Perhaps it is being written just now: it is told, but not kept.
      addDamage(words, offset, lines + 1)
      return decode(words.taken(), lines + 1)
    }
    lines++
    if (!sound) addDamage(words, offset, lines)
    if (record) addRecord(words, offset, bytes, record)
    if (ended) covered = offset + bytes + 1
  }
  if (covered - (kept?.covered ?? 0) > WRITE_AGAIN_BYTES) save(file, ledger, words.taken(), covered, lines)
  return decode(words.taken(), lines)
}

function indexFile(ledger: string, folder: string): string {
  const name = createHash('sha256').update(ledger).digest('hex').slice(0, 16)
  return join(folder, `trace-${name}.idx`)
}

/** Numbers that grow. */
class Words {
  private words: Uint32Array
  private length: number

  constructor(start: Uint32Array) {
    this.words = start
    this.length = start.length
  }

  push(...more: number[]) {
    this.reserve(more.length)
    for (const word of more) this.words[this.length++] = word
  }

  /** Numbers of four bytes, the smallest first. */
  pushBytes(bytes: Buffer) {
    this.reserve(bytes.length >> 2)
    for (let at = 0; at + 4 <= bytes.length; at += 4) this.words[this.length++] = bytes.readUInt32LE(at)
  }

  taken(): Uint32Array {
    return this.words.subarray(0, this.length)
  }

  private reserve(count: number) {
    if (this.length + count <= this.words.length) return
    const larger = new Uint32Array(Math.max(1024, (this.length + count) * 2))
    larger.set(this.words.subarray(0, this.length))
    this.words = larger
  }
}

const RECORD = 1
const DAMAGE = 2

/** Offsets have more than 32 bits: a quotient and a rest. */
const WORD = 2 ** 32

function addDamage(words: Words, offset: number, line: number) {
  words.push(DAMAGE, Math.floor(offset / WORD), offset % WORD, line)
}

function addRecord(words: Words, offset: number, bytes: number, record: TraceRecord) {
  const at = Date.parse(record.timestamp)
  words.push(RECORD, Math.floor(offset / WORD), offset % WORD, bytes, Math.floor(at / WORD), at % WORD)
  const { intent, session } = belonging(record)
  words.push(intent === undefined ? 0 : nameHash(intent), session === undefined ? 0 : nameHash(session))
  words.push(record.files.length)
  for (const [index, { path, conversations }] of record.files.entries()) {
    const ranges = conversations.flatMap((conversation) => conversation.ranges)
    const packed = record.metadata?.['dev.grove']?.files?.[index]?.lines ?? []
    words.push(nameHash(path), ranges.length)
    for (const [n, { start_line }] of ranges.entries()) {
      const lines = Buffer.from(packed[n] ?? '', 'base64')
      words.push(start_line, lines.length >> 2)
      words.pushBytes(lines)
    }
  }
}

function decode(words: Uint32Array, lines: number): TraceIndex {
  const entries: IndexEntry[] = []
  const damaged: TraceIndex['damaged'] = []
  let at = 0
  const next = () => words[at++]!
  const big = () => next() * WORD + next()
  while (at < words.length) {
    if (next() === DAMAGE) {
      damaged.push({ offset: big(), line: next() })
      continue
    }
    const entry: IndexEntry = {
      offset: big(),
      bytes: next(),
      at: big(),
      intent: next(),
      session: next(),
      files: Array(next()),
    }
    for (let file = 0; file < entry.files.length; file++) {
      const path = next()
      const ranges = Array(next())
      for (let range = 0; range < ranges.length; range++) {
        ranges[range] = new Range(words, at + 2, next(), next())
        at += ranges[range].count
      }
      entry.files[file] = { path, ranges }
    }
    entries.push(entry)
  }
  return { entries, damaged, lines }
}

class Range implements IndexRange {
  readonly start: number
  readonly count: number
  private readonly words: Uint32Array
  private readonly from: number

  constructor(words: Uint32Array, from: number, start: number, count: number) {
    this.words = words
    this.from = from
    this.start = start
    this.count = count
  }

  hash(line: number): number {
    return this.words[this.from + line]!
  }
}

interface Kept {
  words: Uint32Array
  covered: number
  lines: number
}

/** The kept index, if it is whole and the ledger still begins with what it was made from. */
function load(file: string, ledger: string, size: number): Kept | undefined {
  try {
    const bytes = readFileSync(file)
    // A small file may share a buffer with others, at any place in it.
    const own = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes))
    const words = new Uint32Array(own.buffer, own.byteOffset, own.length >> 2)
    const [magic, high, low, lines, check, length] = words
    const covered = high! * WORD + low!
    if (magic !== MAGIC || length !== words.length - HEAD || covered > size) return undefined
    return checkWord(ledger, covered) === check ? { words: words.subarray(HEAD), covered, lines: lines! } : undefined
  } catch {
    // Not made yet, cut off, or not readable: all the same.
    return undefined
  }
}

/** Samples of what is covered, its end among them, in one number: another branch's ledger has other bytes there. */
function checkWord(ledger: string, covered: number): number {
  const handle = openToRead(ledger)
  try {
    const hash = createHash('sha256')
    const last = Math.max(0, covered - SAMPLE.bytes)
    for (let n = 0; n <= SAMPLE.count; n++) {
      const from = Math.floor((last * n) / SAMPLE.count)
      const part = Buffer.alloc(Math.min(SAMPLE.bytes, covered - from))
      readSync(handle, part, 0, part.length, from)
      hash.update(part)
    }
    return hash.digest().readUInt32LE(0)
  } finally {
    closeSync(handle)
  }
}

function save(file: string, ledger: string, words: Uint32Array, covered: number, lines: number) {
  const head = new Uint32Array(HEAD)
  head.set([MAGIC, Math.floor(covered / WORD), covered % WORD, lines, checkWord(ledger, covered), words.length])
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const bytes = (part: Uint32Array) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    writeFileSync(draft, Buffer.concat([bytes(head), bytes(words)]), { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // A full or read-only disk: the ledger is read again the next time.
  }
}
