import { statSync } from 'node:fs'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { readFrom } from './read-file.ts'

/** Lines of a transcript from a place on, and where the next look goes on. Nothing when there is no such file yet. */
export async function readTranscript(
  path: string,
  from: number,
  most: number,
): Promise<{ lines: TranscriptLine[]; to: number }> {
  const { bytes, start } = await readFrom(path, from, most)
  if (bytes.length === 0) return { lines: [], to: from }
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
  return { lines: feed(newTranscriptReader, whole).lines, to: start + whole.length }
}

/** How long it is now; 0 before it is written. */
export async function transcriptEnd(path: string): Promise<number> {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
