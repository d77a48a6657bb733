import { closeSync, fstatSync, readSync } from 'node:fs'
import { openToRead, openToReadLater } from '#config/plain-file.ts'
import { Trouble } from '#config/trouble.ts'

/** What was read, and where it begins. */
interface Piece {
  bytes: Buffer<ArrayBuffer>
  start: number
}

/** Smaller pieces are read faster synchronously than in the background. */
const AT_ONCE = 256 * 1024

/** The bytes of a growing file from an offset on, at most the last `most`; empty when it is not there. */
export async function readFrom(path: string, offset: number, most: number): Promise<Piece> {
  try {
    return readNow(path, offset, most) ?? (await readSlowly(path, offset, most))
  } catch (error) {
    // What is no file has no bytes to read.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof Trouble)) throw error
    return { bytes: Buffer.alloc(0), start: 0 }
  }
}

function readNow(path: string, offset: number, most: number): Piece | undefined {
  const file = openToRead(path)
  try {
    const { size } = fstatSync(file)
    const start = startOf(size, offset, most)
    if (size - start > AT_ONCE) return undefined
    const bytes = Buffer.alloc(size - start)
    const bytesRead = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, start)
    return { bytes: bytes.subarray(0, bytesRead), start }
  } finally {
    closeSync(file)
  }
}

async function readSlowly(path: string, offset: number, most: number): Promise<Piece> {
  const file = await openToReadLater(path)
  try {
    const { size } = await file.stat()
    const start = startOf(size, offset, most)
    const bytes = Buffer.alloc(size - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return { bytes: bytes.subarray(0, bytesRead), start }
  } finally {
    await file.close()
  }
}

/** A file that has shrunk is another file. */
function startOf(size: number, offset: number, most: number): number {
  return Math.max(offset > size ? 0 : offset, size - most)
}
