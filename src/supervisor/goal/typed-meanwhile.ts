import { realInstruction } from '#core/goal/instruction.ts'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { dropCorrections } from '../session/deliveries.ts'
import type { SessionState } from '../session/session-state.ts'
import { wasHeard } from '../session/work.ts'
import type { World } from '../world.ts'
import { noteInstruction } from './note-instruction.ts'

/** How the client's transcript names a message that was queued while a turn ran. */
const QUEUED = 'queued_command'
const MOST_BYTES = 1024 * 1024

/**
 * Messages typed while the agent works, from what the transcript has more than we read of it. Clients before 2.1.260 tell
 * no hook of them; they stand there when the agent has got them, which is before it acts on them.
 */
export async function hearTypedMeanwhile(world: World, session: SessionState, path: string | undefined): Promise<void> {
  const { file } = session.transcript
  if (!path || file?.path !== path) return
  const { bytes } = await world.readFile(path, file.offset, MOST_BYTES)
  if (bytes.includes(`"${QUEUED}"`)) await noteTypedMeanwhile(world, session, feed(newTranscriptReader, bytes).lines)
}

/** Notes them, in their order, unless the proxy or a hook has told of them. */
export async function noteTypedMeanwhile(world: World, session: SessionState, lines: TranscriptLine[]): Promise<void> {
  for (const text of typedMeanwhile(lines)) {
    if (wasHeard(session, text)) continue
    dropCorrections(session)
    await noteInstruction(world, session, text)
  }
}

/** What was typed before the newest prompt is past: a resumed session is read from its beginning. */
function typedMeanwhile(lines: TranscriptLine[]): string[] {
  if (!lines.some(isQueued)) return []
  const since = lines.slice(lines.findLastIndex(isPrompt) + 1)
  return since.filter(isQueued).flatMap(({ attachment }) => realInstruction(attachment.prompt) ?? [])
}

function isQueued(line: TranscriptLine): line is Extract<TranscriptLine, { type: 'attachment' }> {
  return line.type === 'attachment' && !line.isSidechain && line.attachment.type === QUEUED
}

function isPrompt(line: TranscriptLine): boolean {
  if (line.type !== 'user' || line.isMeta || line.isSidechain) return false
  return realInstruction(line.message.content) !== undefined
}
