import { open } from 'node:fs/promises'

/** The bytes of a growing file from an offset on, at most the last `most`; empty when it is not there. */
export async function readFrom(
  path: string,
  offset: number,
  most: number,
): Promise<{ bytes: Buffer<ArrayBuffer>; start: number }> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      // A file that has shrunk is another file.
      const start = Math.max(offset > size ? 0 : offset, size - most)
      const bytes = Buffer.alloc(size - start)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      return { bytes: bytes.subarray(0, bytesRead), start }
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { bytes: Buffer.alloc(0), start: 0 }
  }
}
