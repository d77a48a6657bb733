import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from './recording.ts'

const kept = join(import.meta.dirname, 'recordings')

/** Every recorded version, oldest first, with its requests in the order in which they were sent. */
export function readRecordings(folder = kept): { version: string; recordings: Recording[] }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      version: name.slice(0, -'.jsonl'.length),
      recordings: readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recording),
    }))
    .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }))
}
