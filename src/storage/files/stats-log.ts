import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { addEvents, NO_STATS, type Stats, type StatsEvent, type StatsLog } from '#core/learning/stats.ts'
import type { Clock, StateStore } from '#core/ports.ts'
import { readStatsEvent } from '#protocol/stats-event.ts'
import { appendWhole } from './append.ts'
import { writeAtomic } from './atomic.ts'
import { withLock } from './lock.ts'

interface Cached {
  version: 1
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
}

/** The stats log in a file, one JSON value per line. Sums are read on from where they were last read. */
export function statsLog(path: string, { states, clock }: Needs): StatsLog {
  async function read() {
    const known = readCached(await states.get(KIND, path).catch(() => undefined))
    const { text, from, size } = await readFrom(path, known)
    const base = from > 0 && known ? known : undefined
    if (base && text === '') return { stats: base.stats, damaged: base.damaged }
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const { events, damaged } = parseLines(whole)
    const stats = addEvents(base?.stats ?? NO_STATS, events)
    const sum = { stats, damaged: (base?.damaged ?? 0) + damaged.length }
    // A line that is being written is left for the next time.
    const end = size - Buffer.byteLength(text.slice(whole.length))
    if (end > 0) await keep(path, states, clock, { version: 1, size: end, tail: await tailOf(path, end), ...sum })
    return sum
  }

  return {
    read,
    async append(events) {
      if (events.length > 0) await appendWhole(path, events.map(lineOf).join(''))
    },
    rebuild: () =>
      withLock(path, async () => {
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
async function readFrom(
  path: string,
  known: Cached | undefined,
): Promise<{ text: string; from: number; size: number }> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return { text: '', from: 0, size: 0 }
  try {
    const { size } = await file.stat()
    const grew = known !== undefined && known.size <= size && (await tailOf(path, known.size)) === known.tail
    const from = grew ? known.size : 0
    const buffer = Buffer.alloc(size - from)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
    return { text: buffer.toString('utf8', 0, bytesRead), from, size: from + bytesRead }
  } finally {
    await file.close()
  }
}

async function tailOf(path: string, end: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const start = Math.max(0, end - TAIL_BYTES)
    const buffer = Buffer.alloc(end - start)
    await file.read(buffer, 0, buffer.length, start)
    return createHash('sha256').update(buffer).digest('hex')
  } finally {
    await file.close()
  }
}

/** The sums are only a shortcut: a store that cannot keep them costs time, and nothing else. */
async function keep(path: string, states: StateStore, clock: Clock, cached: Cached): Promise<void> {
  await states.put(KIND, path, cached, clock.now()).catch(() => undefined)
}

function readCached(value: unknown): Cached | undefined {
  const cached = value as Partial<Cached> | undefined
  const isSound =
    cached?.version === 1 &&
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
