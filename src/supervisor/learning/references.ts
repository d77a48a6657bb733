import type { ToolCall } from '#core/action/reading.ts'
import { toolNamed } from '#core/action/tools.ts'
import type { LinesByFile } from '#core/gate/own-work.ts'
import type { GateSession, Injected } from '#core/gate/session.ts'
import {
  type Evidence,
  evidenceInCall,
  evidenceInWords,
  howReferenced,
  joinEvidence,
} from '#core/learning/reference.ts'
import type { Library } from '#core/ports/learning.ts'
import { isObject } from '#protocol/json.ts'
import type { TranscriptLine } from '#protocol/transcript.ts'
import { failOpen } from '../fail-open.ts'
import { learningsNamed } from './retrieve.ts'
import { changeSession } from './sessions.ts'
import type { LearningWorld } from './world.ts'

/** More than this of a transcript is not looked at in one go; hooks have to answer soon. */
const MOST_BYTES = 8 * 1024 * 1024

/** What the agent did since the last look. */
export interface Lately {
  lines: TranscriptLine[]
  /** How far the transcript was read. */
  to: number
  /** Its closing words; the transcript may not have them yet. */
  lastWords?: string
}

interface Ending {
  transcript_path?: string | undefined
  last_assistant_message?: string | undefined
}

/** Reads on in the transcript. Without one, the closing words are all there is. */
export async function readOn(world: LearningWorld, { readTo }: GateSession, ending: Ending): Promise<Lately> {
  const { transcript_path: path, last_assistant_message: lastWords } = ending
  const read = path
    ? await failOpen(world.log, 'read the transcript', undefined, () => world.transcript(path, readTo, MOST_BYTES))
    : undefined
  return { lines: read?.lines ?? [], to: read?.to ?? readTo, ...(lastWords && { lastWords }) }
}

/** One thing the agent said, or one tool it used. */
type Utterance = { said: string } | { did: ToolCall }

/** What the agent did, as far as it can matter when it stops. */
export interface Deeds {
  utterances: Utterance[]
  /** Tools that can change files, by their `tool_use_id`. */
  acting: string[]
  /** Lines that its own tools wrote, by file. */
  written: LinesByFile
  /** Whether a person sits before it, as far as the client says. */
  attended?: boolean
}

export function deedsIn({ lines }: Lately): Deeds {
  const failed = new Set(lines.flatMap(failedTools))
  const utterances = lines.flatMap(utterancesOf).filter((one) => !('did' in one) || !failed.has(one.did.id ?? ''))
  const done = utterances.flatMap((one) => ('did' in one ? [one.did] : []))
  const attended = attendedIn(lines)
  return {
    utterances,
    acting: done.filter(({ tool }) => ACTS.has(toolNamed(tool).kind)).map(({ id = '' }) => id),
    written: writtenBy(done),
    ...(attended !== undefined && { attended }),
  }
}

/** How the client was started, as its newest line tells; other clients than these are driven by programs. */
const ATTENDED = /^(cli|claude-(vscode|desktop|jetbrains)|.*-ide)$/

export function attendedIn(lines: readonly TranscriptLine[]): boolean | undefined {
  const told = lines.findLast((line) => line.type !== 'unknown' && line.entrypoint !== undefined)
  return told && told.type !== 'unknown' ? ATTENDED.test(told.entrypoint!) : undefined
}

function writtenBy(done: readonly ToolCall[]): LinesByFile {
  const written: LinesByFile = {}
  for (const { tool, input } of done) {
    const { file_path: file, content, new_string: replacement } = input
    const text = typeof content === 'string' ? content : replacement
    if (!WRITES.has(toolNamed(tool).kind) || typeof file !== 'string' || typeof text !== 'string') continue
    written[file] = (written[file] ?? 0) + text.split('\n').length
  }
  return written
}

/** What was refused, failed or interrupted did nothing. */
function failedTools(line: TranscriptLine): string[] {
  if (line.type !== 'user' || !Array.isArray(line.message.content)) return []
  return line.message.content.flatMap((block: unknown) =>
    isObject(block) && block.type === 'tool_result' && block.is_error === true && typeof block.tool_use_id === 'string'
      ? [block.tool_use_id]
      : [],
  )
}

const WRITES = new Set(['edit', 'write'])
const ACTS = new Set([...WRITES, 'bash'])

/** The session with what the agent did noted in it. */
export function withDeeds(session: GateSession, { acting, written, attended }: Deeds): GateSession {
  const sums = { ...session.written }
  for (const [file, lines] of Object.entries(written)) sums[file] = (sums[file] ?? 0) + lines
  return {
    ...session,
    ...(Object.keys(written).length > 0 && { written: Object.fromEntries(Object.entries(sums).slice(-MOST_FILES)) }),
    ...(acting.length > 0 && { acted: true as const }),
    ...(attended !== undefined && { attended }),
  }
}

const MOST_FILES = 500

/**
 * Notes which of the shown learnings the agent used: not those it was shown, but those whose files, commands or advice
 * appear in what it then did or said.
 */
export async function noteReferences(
  world: LearningWorld,
  library: Library,
  session: GateSession,
  lately: Lately,
): Promise<GateSession> {
  const { to, lastWords } = lately
  const deeds = deedsIn(lately)
  const utterances = [...deeds.utterances, ...(lastWords ? [{ said: lastWords }] : [])]
  const used = utterances.length > 0 ? await usedOf(world, library, session, utterances) : new Map<string, string>()
  if (used.size === 0 && to === session.readTo) return session
  let fresh: Injected[] = []
  const after = await changeSession(world, session.sessionId, session.root, (before) => {
    // A process that looks at the same moment sees the same; it counts once.
    fresh = before.injected.filter(({ id, outcome }) => outcome === 'pending' && used.has(id))
    return {
      ...withDeeds(before, deeds),
      readTo: Math.max(before.readTo, to),
      injected: before.injected.map((one) => (fresh.includes(one) ? { ...one, outcome: 'referenced' as const } : one)),
    }
  })
  const at = world.clock.now()
  for (const { id, personal } of fresh) {
    const log = personal ? library.personalStats : library.stats
    await log.append([{ type: 'referenced', at, learning: id, session: session.sessionId, how: used.get(id)! }])
  }
  return after
}

async function usedOf(
  world: LearningWorld,
  library: Library,
  { injected, root }: GateSession,
  utterances: readonly Utterance[],
): Promise<Map<string, string>> {
  const open = injected.filter(({ outcome }) => outcome === 'pending')
  if (open.length === 0) return new Map()
  const evidence = joinEvidence(await Promise.all(utterances.map((one) => evidenceOf(world, root, one))))
  const ids = open.map(({ id }) => id)
  const learnings = await learningsNamed(world, library, ids)
  return new Map(
    learnings.flatMap((learning): [string, string][] => {
      const how = howReferenced(learning, evidence)
      return how === undefined ? [] : [[learning.id, how]]
    }),
  )
}

async function evidenceOf({ tools }: LearningWorld, root: string, utterance: Utterance): Promise<Evidence> {
  if ('said' in utterance) return evidenceInWords(utterance.said)
  const { did } = utterance
  return evidenceInCall(await tools.read(did, { cwd: root, root }), did.input)
}

/** What the agent itself said and did; what it was told, and what tools answered, is not its doing. */
function utterancesOf(line: TranscriptLine): Utterance[] {
  if (line.type !== 'assistant' || !Array.isArray(line.message.content)) return []
  return line.message.content.flatMap((block: unknown): Utterance[] => {
    if (!isObject(block)) return []
    const { type, id, text, name, input } = block
    if (type === 'text' && typeof text === 'string') return [{ said: text }]
    if (type !== 'tool_use' || typeof name !== 'string' || !isObject(input)) return []
    return [{ did: { ...(typeof id === 'string' && { id }), tool: name, input, outcome: 'announced' } }]
  })
}
