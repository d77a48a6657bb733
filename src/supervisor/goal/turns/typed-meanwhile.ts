import { realInstruction } from '#core/goal/instruction.ts'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { dropCorrections } from '../../session/deliveries.ts'
import type { SessionState } from '../../session/session-state.ts'
import { wasHeard } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { noteInstruction } from '../tasks/note-instruction.ts'

/** How the client's transcript names a message that was queued while a turn ran, when the agent gets it. */
const QUEUED = 'queued_command'
/** And what is done to the queue, at once. */
const QUEUE = 'queue-operation'
const MOST_BYTES = 1024 * 1024
/** A queue is emptied within the turn; what was said longer ago is past. */
const LOOK_BACK = 256 * 1024

/**
 * Messages typed while the agent works, from what the transcript has more than we read of it. Clients before 2.1.260 tell
 * no hook of them. Answers whether there was something new.
 */
export function hearTypedMeanwhile(world: World, session: SessionState, path: string | undefined): Promise<boolean> {
  return hear(world, session, path, { back: 0, typed: typedMeanwhile })
}

async function hear(
  world: World,
  session: SessionState,
  path: string | undefined,
  { back, typed }: { back: number; typed: (lines: TranscriptLine[]) => string[] },
): Promise<boolean> {
  const { file } = session.transcript
  if (!path || file?.path !== path) return false
  const { bytes } = await world.readFile(path, Math.max(0, file.offset - back), MOST_BYTES)
  if (!bytes.includes(`"${QUEUED}"`) && !bytes.includes(`"${QUEUE}"`)) return false
  return noteWords(world, session, typed(feed(newTranscriptReader, bytes).lines))
}

/**
 * The same before a correction, with what only waits in the queue: the client writes late that the agent has got it, and
 * what the user has just asked for is corrected in no case. It may have been put there before the place we have read to.
 */
export function hearBeforeCorrecting(world: World, session: SessionState, path: string | undefined): Promise<boolean> {
  return hear(world, session, path, {
    back: LOOK_BACK,
    typed: (lines) => [...waiting(lines), ...typedMeanwhile(lines)],
  })
}

/** Notes them, in their order, unless the proxy or a hook has reported them. */
export async function noteTypedMeanwhile(world: World, session: SessionState, lines: TranscriptLine[]): Promise<void> {
  await noteWords(world, session, typedMeanwhile(lines))
}

async function noteWords(world: World, session: SessionState, texts: string[]): Promise<boolean> {
  const fresh = texts.filter((text) => !wasHeard(session, text))
  for (const text of fresh) {
    if (wasHeard(session, text)) continue
    dropCorrections(session)
    await noteInstruction(world, session, text)
  }
  return fresh.length > 0
}

/** What was typed before the newest prompt is past: a resumed session is read from its beginning. */
function typedMeanwhile(lines: TranscriptLine[]): string[] {
  if (!lines.some(isQueued)) return []
  return sincePrompt(lines)
    .filter(isQueued)
    .flatMap(({ attachment }) => realInstruction(attachment.prompt) ?? [])
}

/** What was put into the queue and not taken back by the user. */
function waiting(lines: TranscriptLine[]): string[] {
  const operations = sincePrompt(lines).filter((line) => line.type === QUEUE)
  const takenBack = new Set(operations.flatMap(({ operation, content }) => (operation === 'popAll' ? content : [])))
  return operations.flatMap(({ operation, content }) =>
    operation === 'enqueue' && content !== undefined && !takenBack.has(content) ? (realInstruction(content) ?? []) : [],
  )
}

function sincePrompt(lines: TranscriptLine[]): TranscriptLine[] {
  return lines.slice(lines.findLastIndex(isPrompt) + 1)
}

function isQueued(line: TranscriptLine): line is Extract<TranscriptLine, { type: 'attachment' }> {
  return line.type === 'attachment' && !line.isSidechain && line.attachment.type === QUEUED
}

function isPrompt(line: TranscriptLine): boolean {
  if (line.type !== 'user' || line.isMeta || line.isSidechain) return false
  return realInstruction(line.message.content) !== undefined
}
