import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const TAIL = 256 * 1024
const PATIENCE_MS = 3_000

/**
 * Waits until the client has written a parked call into its record of the conversation. It does so a moment after it says
 * that the turn has ended; a question that is shown to a person must not be lost by a kill in between.
 */
export async function parkedOnDisk(transcript: string, toolUseId: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const tail = await readTail(transcript)
    if (tail.split('\n').some((line) => line.includes('hook_deferred_tool') && line.includes(toolUseId))) return
    await sleep(20)
  }
}

/** The client may not have written its transcript yet. */
async function readTail(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (!file) return ''
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, TAIL))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
