import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs'
import { openToRead } from '#config/plain-file.ts'
import { addEvents, NO_STATS, type StatsEvent } from '#core/learning/stats.ts'
import type { StatsLog } from '#core/ports/learning.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { Slot, StateStore } from '#core/ports/state.ts'
import type { StatsCache } from '#core/state/values.ts'
import { readStatsEvent } from '#protocol/stats-event.ts'
import { appendWhole } from './append.ts'
import { writeAtomic } from './atomic.ts'
import { withLock } from './lock.ts'
import { NO_FILE, stampOf } from './stamp.ts'

const TAIL_BYTES = 256
const PIECE = 4 * 1024 * 1024
const NOTHING: StatsCache = { version: 4, size: 0, tail: '', stats: NO_STATS, damaged: 0 }

interface Needs {
  states: StateStore
  slot: Slot<StatsCache>
  clock: Clock
  /** Reads what it has written at once, so that the next reader need not wait for it. */
  readsAhead?: boolean
}

/** The stats log in a file, one JSON value per line. Sums are read on from where they were last read. */
export function statsLog(path: string, { states, slot, clock, readsAhead = false }: Needs): StatsLog {
  let kept: { stamp: string; cached: StatsCache } | undefined

  async function read() {
    const stamp = stampOf(path)
    if (stamp !== undefined && kept?.stamp === stamp) return sumOf(kept.cached)
    if (stamp === NO_FILE) return { stats: NO_STATS, damaged: 0 }
    const known = kept?.cached ?? (await states.get(slot, path).catch(() => undefined))
    const { sum, isWhole, isNews } = await readOn(path, known)
    // Without a whole last line there is more to come, and it is read when it is there.
    if (stamp !== undefined && isWhole) kept = { stamp, cached: sum }
    // Only a shortcut: a store that cannot keep the sums costs time, and nothing else.
    if (isNews) await states.put(slot, path, sum, clock.now()).catch(() => undefined)
    return sumOf(sum)
  }

  return {
    read,
    async append(events) {
      if (events.length === 0) return
      await appendWhole(path, events.map(lineOf).join(''))
      if (readsAhead) await read()
    },
    rebuild: () =>
      withLock(path, async () => {
        kept = undefined
        await states.remove(slot, path)
        const { events, damaged } = await repair(path)
        await read()
        return { events: events.length, damaged: damaged.length }
      }),
  }
}

/** Takes out what makes no sense, and keeps it beside the log. */
async function repair(path: string) {
  const file = openIfThere(path)
  if (file === undefined) return parseLines('')
  try {
    const parsed = parseLines(readFileSync(file, 'utf8'))
    if (parsed.damaged.length === 0) return parsed
    await appendWhole(`${path}.damaged`, `${parsed.damaged.join('\n')}\n`)
    await writeAtomic(path, parsed.sound.map((line) => `${line}\n`).join(''))
    // Others have gone on adding, to the file that was there.
    const late = readFileSync(file, 'utf8')
    if (late !== '') await appendWhole(path, late)
    return parsed
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openToRead(path)
  } catch (error) {
    return ifMissing(error as NodeJS.ErrnoException)
  }
}

function sumOf({ stats, damaged }: StatsCache) {
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

/**
 * Reads on from the known place when the log has only grown since, else from the beginning: at once, because it is little
 * as a rule, and in pieces where it is much. A line that is being written is left for the next time.
 */
async function readOn(path: string, known: StatsCache | undefined) {
  const file = openToRead(path)
  try {
    const base = known && tailBefore(file, known.size) === known.tail ? known : NOTHING
    let sum = base
    for (;;) {
      const bytes = readBytes(file, sum.size, PIECE)
      const end = bytes.lastIndexOf('\n') + 1
      if (end > 0) sum = added(sum, bytes.subarray(0, end))
      if (bytes.length < PIECE) return { sum, isWhole: end === bytes.length, isNews: sum !== base }
      // No event is that long; its end is counted as damage. Without a step forward it would be read again each time.
      if (end === 0) sum = { ...added(sum, bytes), damaged: sum.damaged }
      // Lets other work of this process run.
      await new Promise(setImmediate)
    }
  } finally {
    closeSync(file)
  }
}

function added({ size, stats, damaged, tail }: StatsCache, lines: Buffer): StatsCache {
  const parsed = parseLines(lines.toString('utf8'))
  return {
    version: 4,
    size: size + lines.length,
    tail: tailOf(Buffer.concat([Buffer.from(tail, 'base64'), lines])),
    stats: addEvents(stats, parsed.events),
    damaged: damaged + parsed.damaged.length,
  }
}

function readBytes(file: number, from: number, most: number): Buffer {
  const left = Math.max(0, fstatSync(file).size - from)
  const bytes = Buffer.alloc(Math.min(most, left))
  return bytes.subarray(0, bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, from))
}

/** The last bytes before a place: other bytes there mean another log. */
function tailBefore(file: number, place: number): string {
  const from = Math.max(0, place - TAIL_BYTES)
  return tailOf(readBytes(file, from, place - from))
}

function tailOf(bytes: Buffer): string {
  return bytes.subarray(-TAIL_BYTES).toString('base64')
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
