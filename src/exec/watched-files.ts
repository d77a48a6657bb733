import { plainText } from '#config/plain-file.ts'
import { behind, sha256 } from './file-hash.ts'

/** Digests of the files that decide whether the guard is asked at all. */
export interface WatchedFile {
  path: string
  /** Of the client's settings only this part: the rest changes whenever a person answers a prompt. */
  keys?: readonly string[]
}

/** By path what each says now; null when it is not there. */
export function watchedDigests(files: readonly WatchedFile[]): Record<string, string | null> {
  return Object.fromEntries(files.map((file) => [file.path, digestOf(file)]))
}

const known = new Map<string, { stamp: string; digest: string }>()
const MOST_KNOWN = 500
const LARGEST = 4 * 1024 * 1024
/** A file may change twice within one tick of the disk's clock. */
const TICK_MS = 50

function digestOf({ path, keys }: WatchedFile): string | null {
  const stat = behind(path)
  if (!stat?.isFile()) return null
  const stamp = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
  const before = known.get(path)
  if (before?.stamp === stamp) return before.digest
  const text = plainText(path, { most: LARGEST }) ?? ''
  const digest = sha256(keys ? partOf(text, keys) : text)
  if (known.size >= MOST_KNOWN) known.clear()
  if (Date.now() - Number(stat.ctimeMs) > TICK_MS) known.set(path, { stamp, digest })
  return digest
}

function partOf(text: string, keys: readonly string[]): string {
  try {
    const settings: unknown = JSON.parse(text)
    const entries = typeof settings === 'object' && settings !== null ? Object.entries(settings) : []
    return JSON.stringify(entries.filter(([key]) => keys.includes(key)))
  } catch {
    // Not JSON: the client then reads none of it, which is a change too.
    return text
  }
}
