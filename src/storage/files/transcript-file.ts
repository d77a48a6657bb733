import { open, stat } from 'node:fs/promises'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'

/** Lines of a transcript from a place on, and where the next look goes on. Nothing when there is no such file yet. */
export async function readTranscript(
  path: string,
  from: number,
  most: number,
): Promise<{ lines: TranscriptLine[]; to: number }> {
  const file = await open(path, 'r').catch(ifMissing)
  if (!file) return { lines: [], to: from }
  try {
    const { size } = await file.stat()
    // A file that shrank is another file.
    const start = Math.max(from <= size ? from : 0, size - most)
    const buffer = Buffer.alloc(size - start)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1)
    return { lines: feed(newTranscriptReader, whole).lines, to: start + whole.length }
  } finally {
    await file.close()
  }
}

/** How long it is now. */
export async function transcriptEnd(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing))?.size ?? 0
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
