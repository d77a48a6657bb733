import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventLog } from '#core/ports/workflow.ts'
import { EventRecord } from '#protocol/workflow/events.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import { writeAtomic } from './atomic.ts'
import { redactedJson } from './redacted-json.ts'

/** An event, and the revision of the session that it belongs to. */
export type KeptEvent = EventRecord & { revision: number }

const TAIL = '\n]}\n'

/**
 * events.json: a JSON file with one event a line, so that adding one writes its line over the closing brackets and what a
 * crash has cut short is one line. It grows for as long as the session lives.
 */
export class EventFile implements EventLog<EventRecord> {
  readonly #path: string
  readonly #head: string
  #events: KeptEvent[] = []
  #end = 0

  private constructor(path: string, sessionId: string) {
    this.#path = path
    this.#head = `{"version":"${FILE_VERSION}","sessionId":${JSON.stringify(sessionId)},"events":[`
  }

  /** Reads the log. Events of a revision that was never acknowledged are dropped, as is a line that was cut short. */
  static async open(folder: string, sessionId: string, newest: number): Promise<{ log: EventFile; problem?: string }> {
    const log = new EventFile(join(folder, 'events.json'), sessionId)
    const text = await readFile(log.#path, 'utf8').catch(() => '')
    const { events, damaged } = eventsIn(text)
    log.#events = events.filter(({ revision }) => revision <= newest)
    const isWhole = !damaged && log.#events.length === events.length && text.endsWith(TAIL)
    if (isWhole) log.#end = Buffer.byteLength(text) - TAIL.length
    else await log.#rewrite()
    return { log, ...(damaged && { problem: 'events.json was damaged; its readable lines were kept' }) }
  }

  get last(): number {
    return this.#events.at(-1)?.number ?? 0
  }

  after(number: number, limit: number): EventRecord[] {
    // Numbers have no gaps: the place follows from the number.
    const first = this.#events[0]?.number ?? 1
    const start = Math.max(0, number - first + 1)
    return this.#events.slice(start, start + limit).map(({ revision: _, ...record }) => record)
  }

  async append(events: readonly KeptEvent[]): Promise<void> {
    if (events.length === 0) return
    const lines = events.map((event) => redactedJson(event)).join(',\n')
    const text = `${this.#events.length > 0 ? ',' : ''}\n${lines}`
    const file = await open(this.#path, 'r+')
    try {
      await writeAll(file, `${text}${TAIL}`, this.#end)
      await file.sync()
    } finally {
      await file.close()
    }
    this.#end += Buffer.byteLength(text)
    this.#events.push(...events)
  }

  async #rewrite(): Promise<void> {
    const lines = this.#events.map((event) => `\n${redactedJson(event)}`).join(',')
    await writeAtomic(this.#path, `${this.#head}${lines}${TAIL}`)
    this.#end = Buffer.byteLength(this.#head + lines)
  }
}

async function writeAll(file: FileHandle, text: string, position: number): Promise<void> {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
  await file.truncate(position + bytes.length)
}

function eventsIn(text: string): { events: KeptEvent[]; damaged: boolean } {
  const lines = text.split('\n').slice(1)
  const events: KeptEvent[] = []
  let damaged = false
  for (const line of lines) {
    if (line === ']}' || line === '') continue
    const event = eventIn(line.replace(/,$/, ''))
    // Replay relies on numbers without gaps.
    if (event && event.number === (events.at(-1)?.number ?? event.number - 1) + 1) events.push(event)
    else damaged = true
  }
  return { events, damaged }
}

/** Undefined for a line that was cut short or is damaged; the caller counts it as such. */
function eventIn(line: string): KeptEvent | undefined {
  try {
    const json = JSON.parse(line) as { revision?: unknown }
    const read = EventRecord.safeParse(json)
    return read.success ? { ...read.data, revision: Number(json.revision ?? 0) } : undefined
  } catch {
    return undefined
  }
}
