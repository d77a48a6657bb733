import type { Transcripts } from '#core/ports/guard.ts'

const PAUSE_MS = 100
const PATIENCE_MS = 3_000

/**
 * Whether a person sits at the client's terminal. The client writes its transcript in the background: the line that tells comes up
 * to half a second after the first request has left, and the first call of a session may be asked about before it is there.
 */
export async function isAttended(
  transcripts: Transcripts,
  transcriptPath: string | undefined,
  gone?: AbortSignal,
): Promise<boolean> {
  if (transcriptPath === undefined) return false
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const { attended } = await transcripts.facts(transcriptPath, undefined)
    if (attended !== undefined || waitedMs >= PATIENCE_MS || gone?.aborted) return attended === true
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
}
