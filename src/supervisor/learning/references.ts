import type { GateSession } from '#core/gate/session.ts'
import {
  changesFiles,
  type Evidence,
  evidenceIn,
  howReferenced,
  joinEvidence,
  type Utterance,
} from '#core/learning/reference.ts'
import type { TranscriptLine } from '#protocol/transcript.ts'
import { failOpen } from '../fail-open.ts'
import { allLearnings } from './retrieve.ts'
import { changeSession } from './sessions.ts'
import type { LearningWorld, Library } from './world.ts'

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

/**
 * Notes which of the shown learnings the agent used: not those it was shown, but those whose files, commands or advice
 * appear in what it then did or said.
 */
export async function noteReferences(
  world: LearningWorld,
  library: Library,
  session: GateSession,
  { lines, to, lastWords }: Lately,
): Promise<GateSession> {
  const utterances = lines.flatMap(utterancesOf)
  const last = lastWords ? [{ said: lastWords }] : []
  const evidence = joinEvidence([...utterances, ...last].map((one) => evidenceIn(one, session.root)))
  const used = await usedOf(world, library, session, evidence)
  const wrote = session.wrote === true || utterances.some(changesFiles)
  const acted = session.acted === true || wrote || utterances.some((one) => 'tool' in one && one.tool === 'Bash')
  if (used.size === 0 && to === session.readTo) return session
  const after = await changeSession(world, session.sessionId, session.root, (before) => ({
    ...before,
    readTo: Math.max(before.readTo, to),
    ...(wrote && { wrote: true as const }),
    ...(acted && { acted: true as const }),
    injected: before.injected.map((one) => (used.has(one.id) ? { ...one, outcome: 'referenced' } : one)),
  }))
  const at = world.clock.now()
  for (const { id, personal, outcome } of session.injected) {
    const how = used.get(id)
    if (how === undefined || outcome !== 'pending') continue
    const log = personal ? library.personalStats : library.stats
    await log.append([{ type: 'referenced', at, learning: id, session: session.sessionId, how }])
  }
  return after
}

async function usedOf(
  world: LearningWorld,
  library: Library,
  { injected }: GateSession,
  evidence: Evidence,
): Promise<Map<string, string>> {
  const open = injected.filter(({ outcome }) => outcome === 'pending')
  if (open.length === 0) return new Map()
  const { learnings } = await allLearnings(world, library)
  return new Map(
    open.flatMap(({ id }): [string, string][] => {
      const learning = learnings.find((one) => one.id === id)
      const how = learning && howReferenced(learning, evidence)
      return how === undefined ? [] : [[id, how]]
    }),
  )
}

/** What the agent itself said and did; what it was told, and what tools answered, is not its doing. */
function utterancesOf(line: TranscriptLine): Utterance[] {
  if (line.type !== 'assistant' || !Array.isArray(line.message.content)) return []
  return line.message.content.flatMap((block: unknown): Utterance[] => {
    if (typeof block !== 'object' || block === null || !('type' in block)) return []
    if (block.type === 'text' && 'text' in block && typeof block.text === 'string') return [{ said: block.text }]
    const isToolUse = block.type === 'tool_use' && 'name' in block && typeof block.name === 'string' && 'input' in block
    if (!isToolUse || typeof block.input !== 'object' || block.input === null) return []
    return [{ tool: block.name as string, input: block.input as Record<string, unknown> }]
  })
}
