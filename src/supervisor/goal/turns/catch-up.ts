import type { TranscribedAnswer } from '#core/canary/watch.ts'
import { redact } from '#core/redact/redact.ts'
import { windowTokens } from '#core/session.ts'
import { isObject } from '#protocol/json.ts'
import { contextWindow, namedModel, windowHolding } from '#protocol/model-window.ts'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { textsOf, tokenUsage } from '#protocol/turn-facts.ts'
import type { SessionState } from '../../session/session-state.ts'
import { noteAttended, noteFileRead, noteWords } from '../../session/transcript.ts'
import { noteLongModel, noteUsage } from '../../session/window.ts'
import type { World } from '../../world.ts'
import { noteTokens } from './note-tokens.ts'
import { noteTypedMeanwhile } from './typed-meanwhile.ts'

/** What the client wrote into its transcript since we looked last. */
export interface Transcribed {
  /** What the agent said before each of its tool calls, by `tool_use_id`. */
  said: Map<string, string>
}

// Of a transcript that was not read for long only the end is read: old turns are not worth a pause.
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Hooks carry no tokens and no words of the agent; the transcript file does. It is read on from where we stopped, up to
 * its last whole line. Turns are keyed by message id, so a turn that the proxy saw as well is counted once.
 */
export async function catchUp(world: World, session: SessionState, path: string | undefined): Promise<Transcribed> {
  const said = new Map<string, string>()
  if (!path) return { said }
  const { file } = session.transcript
  const from = file?.path === path ? file.offset : 0
  const { bytes, start } = await world.readFile(path, from, MOST_BYTES)
  const lastLine = bytes.lastIndexOf(0x0a)
  if (lastLine === -1) return { said }
  noteFileRead(session, path, start + lastLine + 1)
  const { lines } = feed(newTranscriptReader, bytes.subarray(0, lastLine + 1))
  const isUnderstood = lines.some(({ type }) => type === 'assistant')
  await world.transcribed(session, { answers: lines.flatMap(answerIn), isUnderstood })
  const entrypoint = lines.findLast((line) => line.type !== 'unknown' && line.entrypoint !== undefined)
  if (entrypoint && entrypoint.type !== 'unknown') noteAttended(session, entrypoint.entrypoint === 'cli')
  for (const line of lines) await noteLine(world, session, line, said)
  await noteTypedMeanwhile(world, session, lines)
  return { said }
}

/** Leaves unread what the client has written so far: the session was paused meanwhile. */
export async function skipTranscript(world: World, session: SessionState, path: string | undefined) {
  if (!path) return
  const { bytes, start } = await world.readFile(path, 0, 1)
  noteFileRead(session, path, start + bytes.length)
}

/** An answer that the API gave to the main conversation; what the client writes in its place has a model of its own. */
function answerIn(line: TranscriptLine): TranscribedAnswer[] {
  if (line.type !== 'assistant' || line.isSidechain || line.isApiErrorMessage) return []
  const { id, model } = line.message
  const at = Date.parse(line.timestamp ?? '')
  return id === undefined || model === '<synthetic>' || Number.isNaN(at) ? [] : [{ id, at }]
}

async function noteLine(world: World, session: SessionState, line: TranscriptLine, said: Map<string, string>) {
  if (line.type !== 'assistant' || line.isSidechain || line.isApiErrorMessage || !line.message.id) return
  const { id, model = '', content, usage: counted, stop_reason: stopReason } = line.message
  const usage = tokenUsage(counted)
  const calls = toolUseIds(content)
  const text = redact(textsOf(content).join('\n'))
  noteWords(session, text)
  for (const call of calls) said.set(call, session.transcript.lastWords)
  // After CLEAR an old count would clear again.
  const tokens = windowTokens(usage)
  if (tokens === 0 || session.transcript.answers.includes(id)) return
  noteUsage(session, tokens, windowOf(session, model, tokens))
  noteTokens(world, session)
  await world.store.turns.append({
    id,
    sessionId: session.sessionId,
    model,
    usage,
    ...(stopReason && { stopReason }),
    toolUses: calls.length,
    at: world.clock.now(),
  })
}

/** The client told which model it uses, by its own name: only that says when the long window was chosen. */
export function noteModel(session: SessionState, name: string | undefined): void {
  if (name === undefined) return
  const { model, isLong } = namedModel(name)
  noteLongModel(session, isLong ? model : undefined)
}

/** Answers carry the bare name, so a long window that was chosen shows late: when it is named, or used. */
function windowOf(session: SessionState, model: string, tokens: number): number {
  if (windowHolding(tokens) > contextWindow(model)) noteLongModel(session, model)
  return contextWindow(session.window.longModel === model ? `${model}[1m]` : model)
}

function toolUseIds(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block) =>
    isObject(block) && block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [],
  )
}
