import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '#config/make-folder.ts'
import type { Log } from '#core/ports/runtime.ts'
import { redact } from '#core/redact/redact.ts'

const MAX_BYTES = 5_000_000

/** The log of hook processes without a daemon: warnings only, one line each, to a file that many of them share. */
export function hookLog(file: string): Log {
  const write = (level: string) => (fields: object, message: string) => {
    const line = { time: new Date().toISOString(), level, pid: process.pid, message, ...plain(fields) }
    // By value, so that what is masked is a whole text and the line stays JSON.
    const masked = (_name: string, value: unknown) => (typeof value === 'string' ? redact(value) : value)
    append(file, `${JSON.stringify(line, masked)}\n`)
  }
  const nothing = () => {}
  return { debug: nothing, info: nothing, warn: write('warn'), error: write('error') }
}

function append(file: string, line: string) {
  try {
    makeFolder(dirname(file))
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`)
    appendFileSync(file, line, { mode: 0o600 })
  } catch {
    // Nowhere to write: a hook must not fail because of its log.
  }
}

function plain(fields: object): object {
  const entries = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.stack : value])
  return Object.fromEntries(entries)
}
