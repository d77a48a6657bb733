import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { openToReadLater, readPlain } from '#config/plain-file.ts'
import { Trouble } from '#config/trouble.ts'
import type { FileContent } from '#core/ports/guard.ts'

/** Larger files are compared by size and time: hashing them before every write would cost more than it protects. */
const MOST_BYTES = 32 * 1024 * 1024

/** Digest of a text or of bytes. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** Reads a file; undefined when there is none, or it is a folder. A link counts as itself, not as what it points to. */
export async function readContent(path: string): Promise<FileContent | undefined> {
  try {
    // What is read is read at once, and asking in the background first would take longer than the reading.
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return { hash: sha256(`link:${readlinkSync(path)}`) }
    if (!stat.isFile()) return undefined
    if (stat.size > MOST_BYTES) return { hash: largeHash(stat) }
    return contentOf(readPlain(path, { most: MOST_BYTES, noLink: true }))
  } catch (error) {
    return absent(error)
  }
}

/** The digest, read synchronously: for many files in a row that is faster than awaiting each. */
export function hashOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return sha256(`link:${readlinkSync(path)}`)
    if (!stat.isFile()) return undefined
    return stat.size > MOST_BYTES ? largeHash(stat) : sha256(readPlain(path, { most: MOST_BYTES, noLink: true }))
  } catch (error) {
    return absent(error)
  }
}

/** What lies at a path, links not followed; undefined when nothing does. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    return absent(error)
  }
}

/** What a path leads to; undefined when nothing does, when a file stands on the way or the links run in a circle. */
export function behind(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true })
  } catch (error) {
    return absent(error)
  }
}

/** The last bytes of a file as text; the whole when it is shorter. */
export async function readTail(path: string, bytes: number): Promise<string | undefined> {
  try {
    const handle = await openToReadLater(path)
    try {
      const { size } = await handle.stat()
      const length = Math.min(size, bytes)
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.toString('utf8')
    } finally {
      await handle.close()
    }
  } catch (error) {
    return absent(error)
  }
}

function contentOf(bytes: Buffer): FileContent {
  const hash = sha256(bytes)
  if (bytes.subarray(0, 8192).includes(0)) return { hash }
  try {
    return { hash, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    // Not UTF-8: lines of it would mean nothing.
    return { hash }
  }
}

function largeHash({ size, mtimeMs }: Stats): string {
  return sha256(`large:${size}:${mtimeMs}`)
}

/** Missing, forbidden, or with a file where a folder should be: nothing to compare. Any other error is thrown. */
function absent(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof Trouble) return undefined
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'].includes(code ?? '')) return undefined
  throw error
}
