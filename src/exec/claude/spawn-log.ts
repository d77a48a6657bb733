import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { redact } from '#core/redact/redact.ts'

/** The log of one process, for debugging: what it printed and was sent. */
export interface SpawnLog {
  note(direction: '<' | '>' | '!', line: string): void
  close(): void
}

const LONGEST_LINE = 4_000
/** Read beyond the cut, so that a secret at the cut is recognised as a whole. */
const MARGIN = 500
const LARGEST_LOG = 8 * 1024 * 1024

/** Opens the log of a process. Lines are redacted and cut, the whole is capped; the client keeps the full text itself. */
export function openSpawnLog(file: string, largest = LARGEST_LOG): SpawnLog {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
  // A full disk costs the log, not the run.
  stream.on('error', () => {})
  let size = 0
  let waiting: (() => string)[] = []
  const flush = () => {
    const text = waiting.map((entry) => entry()).join('')
    waiting = []
    if (text !== '') stream.write(text)
  }
  const entryOf = (at: string, direction: string, line: string) => {
    if (size > largest) return ''
    const safe = redact(line.slice(0, LONGEST_LINE + MARGIN)).slice(0, LONGEST_LINE)
    const cut = line.length > safe.length && safe.length === LONGEST_LINE ? ` … (${line.length} characters)` : ''
    const entry = `${at} ${direction} ${safe}${cut}\n`
    size += entry.length
    return size > largest ? `${at} ! the log is full\n` : entry
  }
  return {
    // The client waits for the answer to some of these lines: they are redacted and written after it was sent.
    note(direction, line) {
      if (waiting.length === 0) setImmediate(flush)
      const at = new Date().toISOString()
      waiting.push(() => entryOf(at, direction, line))
    },
    close() {
      flush()
      stream.end()
    },
  }
}
