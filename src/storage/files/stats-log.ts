import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { addEvents, NO_STATS, type Stats, type StatsEvent, type StatsLog } from '#core/learning/stats.ts'
import type { Clock, StateStore } from '#core/ports.ts'
import { readStatsEvent } from '#protocol/stats-event.ts'
import { appendWhole } from './append.ts'
import { writeAtomic } from './atomic.ts'
import { withLock } from './lock.ts'
import { stampOf } from './stamp.ts'

interface Cached {
  version: 3
  /** How many bytes of the log are in the sums. */
  size: number
  /** The bytes before that place: other bytes there mean another log. */
  tail: string
  stats: Stats
  damaged: number
}

const KIND = 'stats'
const TAIL_BYTES = 256

interface Needs {
  states: StateStore
  clock: Clock
  /** Reads what it has written at once, so that whoever asks next need not wait for it. */
  readsAhead?: boolean
  /** Told when the log has just been begun. */
  begun?: () => Promise<void>
}

/** The stats log in a file, one JSON value per line. Sums are read on from where they were last read. */
export function statsLog(path: string, { states, clock, readsAhead = false, begun }: Needs): StatsLog {
  let kept: { stamp: string; cached: Cached } | undefined

  async function read() {
    const stamp = stampOf(path)
    if (stamp !== undefined && kept?.stamp === stamp) return sumOf(kept.cached)
    if (stamp === undefined && !existsSync(path)) return { stats: NO_STATS, damaged: 0 }
    const known = kept?.cached ?? readCached(await states.get(KIND, path).catch(() => undefined))
    const { text, from, size, bytes } = readFrom(path, known)
    const base = from > 0 && known ? known : undefined
    if (base && text === '') {
      if (stamp !== undefined) kept = { stamp, cached: base }
      return sumOf(base)
    }
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const { events, damaged } = parseLines(whole)
    const stats = addEvents(base?.stats ?? NO_STATS, events)
    const sum = { stats, damaged: (base?.damaged ?? 0) + damaged.length }
    // A line that is being written is left for the next time.
    const end = size - Buffer.byteLength(text.slice(whole.length))
    if (end <= 0) return sum
    const cached: Cached = {
      version: 3,
      size: end,
      tail: tailOf(bytes.subarray(0, bytes.length - (size - end))),
      ...sum,
    }
    // Without a whole last line there is more to come, and it is read when it is there.
    if (stamp !== undefined && whole.length === text.length) kept = { stamp, cached }
    await keep(path, states, clock, cached)
    return sum
  }

  return {
    read,
    async append(events) {
      if (events.length === 0) return
      const isNew = await appendWhole(path, events.map(lineOf).join(''))
      if (isNew) await begun?.()
      if (readsAhead) await read()
    },
    rebuild: () =>
      withLock(path, async () => {
        kept = undefined
        await states.remove(KIND, path)
        const text = await readFile(path, 'utf8').catch(ifMissing)
        const { events, damaged, sound } = parseLines(text.endsWith('\n') || text === '' ? text : `${text}\n`)
        if (damaged.length > 0) {
          await appendWhole(`${path}.damaged`, `${damaged.join('\n')}\n`)
          await writeAtomic(path, sound.map((line) => `${line}\n`).join(''))
        }
        await read()
        return { events: events.length, damaged: damaged.length }
      }),
  }
}

function sumOf({ stats, damaged }: Cached) {
  return { stats, damaged }
}

function lineOf({ at, ...event }: StatsEvent): string {
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...event })}\n`
}

function parseLines(text: string): { events: StatsEvent[]; sound: string[]; damaged: string[] } {
  const parsed = { events: [] as StatsEvent[], sound: [] as string[], damaged: [] as string[] }
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const event = readStatsEvent(line)
    if (event === undefined) parsed.damaged.push(line)
    else {
      parsed.events.push(event)
      parsed.sound.push(line)
    }
  }
  return parsed
}

/** Reads on from the known place when the log has only grown since, else from the beginning. */
function readFrom(
  path: string,
  known: Cached | undefined,
): { text: string; from: number; size: number; bytes: Buffer } {
  const before = known ? Math.max(0, known.size - TAIL_BYTES) : 0
  const piece = readBytes(path, before)
  const grew = known !== undefined && tailOf(piece.subarray(0, known.size - before)) === known.tail
  const bytes = grew || before === 0 ? piece : readBytes(path, 0)
  const start = grew || before === 0 ? before : 0
  const from = grew ? known.size : 0
  return { text: bytes.toString('utf8', from - start), from, size: start + bytes.length, bytes }
}

/** At once: it is little as a rule, and asking for it in the background would take longer. */
function readBytes(path: string, from: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from))
    return bytes.length === 0 ? bytes : bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
  } finally {
    closeSync(file)
  }
}

/** The last bytes before a place: other bytes there mean another log. */
function tailOf(bytes: Buffer): string {
  return bytes.subarray(-TAIL_BYTES).toString('base64')
}

/** The sums are only a shortcut: a store that cannot keep them costs time, and nothing else. */
async function keep(path: string, states: StateStore, clock: Clock, cached: Cached): Promise<void> {
  await states.put(KIND, path, cached, clock.now()).catch(() => undefined)
}

function readCached(value: unknown): Cached | undefined {
  const cached = value as Partial<Cached> | undefined
  const isSound =
    cached?.version === 3 &&
    typeof cached.size === 'number' &&
    typeof cached.tail === 'string' &&
    typeof cached.stats?.learnings === 'object' &&
    typeof cached.stats.counts === 'object' &&
    Array.isArray(cached.stats.accepted) &&
    Array.isArray(cached.stats.rejected)
  return isSound ? (cached as Cached) : undefined
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}
