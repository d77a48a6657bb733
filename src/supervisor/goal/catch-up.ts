import { redact } from '#core/redact/redact.ts'
import { windowTokens } from '#core/session.ts'
import { isObject } from '#protocol/json.ts'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { contextWindow, namedModel, textsOf, tokenUsage, windowHolding } from '#protocol/turn-facts.ts'
import type { World } from '../world.ts'
import type { Mind } from './mind.ts'
import { noteTokens } from './note-tokens.ts'

/** What the client wrote into its transcript since we looked last. */
export interface Transcribed {
  /** What the agent said before each of its tool calls, by `tool_use_id`. */
  said: Map<string, string>
}

// A transcript that nobody read for long is read from near its end: old turns are not worth a pause.
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Hooks carry no tokens and no words of the agent; the transcript file does. It is read on from where we stopped, up to
 * its last whole line. Turns are keyed by message id, so a turn that the proxy saw as well is counted once.
 */
export async function catchUp(world: World, mind: Mind, path: string | undefined): Promise<Transcribed> {
  const said = new Map<string, string>()
  if (!path) return { said }
  const from = mind.transcript?.path === path ? mind.transcript.offset : 0
  const { bytes, start } = await world.readFile(path, from, MOST_BYTES)
  const lastLine = bytes.lastIndexOf(0x0a)
  if (lastLine === -1) return { said }
  mind.transcript = { path, offset: start + lastLine + 1 }
  const { lines } = feed(newTranscriptReader, bytes.subarray(0, lastLine + 1))
  for (const line of lines) await noteLine(world, mind, line, said)
  return { said }
}

async function noteLine(world: World, mind: Mind, line: TranscriptLine, said: Map<string, string>) {
  if (line.type !== 'assistant' || line.isSidechain || line.isApiErrorMessage || !line.message.id) return
  const { id, model = '', content, usage: counted, stop_reason: stopReason } = line.message
  const usage = tokenUsage(counted)
  const calls = toolUseIds(content)
  const text = redact(textsOf(content).join('\n'))
  if (text !== '') mind.closingWords = text.slice(-4000)
  for (const call of calls) said.set(call, mind.closingWords)
  // After CLEAR an old count would clear again.
  if (windowTokens(usage) === 0 || mind.answers.includes(id)) return
  mind.contextTokens = windowTokens(usage)
  mind.window = windowOf(mind, model)
  noteTokens(world, mind)
  await world.store.turns.append({
    id,
    sessionId: mind.sessionId,
    model,
    usage,
    ...(stopReason && { stopReason }),
    toolUses: calls.length,
    at: world.clock.now(),
  })
}

/** The client told which model it uses, by its own name: only that says when the long window was chosen. */
export function noteModel(mind: Mind, name: string | undefined): void {
  if (name === undefined) return
  const { model, isLong } = namedModel(name)
  if (isLong) mind.longWindow = model
  else delete mind.longWindow
}

/** Answers carry the bare name, so a long window that was chosen shows late: when it is named, or used. */
function windowOf(mind: Mind, model: string): number {
  if (windowHolding(mind.contextTokens) > contextWindow(model)) mind.longWindow = model
  return contextWindow(mind.longWindow === model ? `${model}[1m]` : model)
}

function toolUseIds(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block) =>
    isObject(block) && block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [],
  )
}
