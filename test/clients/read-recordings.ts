import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from './recording.ts'

const folder = join(import.meta.dirname, 'recordings')

/** Every recorded version with its requests, in the order in which they were sent. */
export function readRecordings(): { version: string; recordings: Recording[] }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      version: name.slice(0, -'.jsonl'.length),
      recordings: readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recording),
    }))
}
