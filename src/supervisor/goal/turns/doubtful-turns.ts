import { isObject } from '#protocol/json.ts'
import type { ObservedTurn } from '../../call.ts'
import { failOpen } from '../../fail-open.ts'
import type { CallFacts } from '../../inject/read-call.ts'
import type { World } from '../../world.ts'

export interface DoubtfulTurn {
  turn: ObservedTurn
  facts: CallFacts
}

const MOST_TURNS = 10
const TAIL_BYTES = 1024 * 1024

/**
 * Turns whose marks disagree (`Classified.doubtful`) wait here. The main thread's answers stand in the client's transcript
 * and their tool calls in its next request; what neither tells of was a side request, and is dropped.
 */
export class DoubtfulTurns {
  readonly #waiting = new Map<string, DoubtfulTurn[]>()

  add(sessionId: string, turn: DoubtfulTurn): void {
    this.#waiting.set(sessionId, [...(this.#waiting.get(sessionId) ?? []), turn].slice(-MOST_TURNS))
  }

  has(sessionId: string): boolean {
    return this.#waiting.has(sessionId)
  }

  /** Whether these are results of a tool call in an answer that waits here. */
  isFollowed(sessionId: string, results: readonly string[]): boolean {
    const waiting = this.#waiting.get(sessionId) ?? []
    return waiting.some(({ turn: { answer } }) => answer?.toolUses.some(({ id }) => results.includes(id)))
  }

  /** Takes out what has been decided: the turns that were the main thread's after all. `next` is its newest request. */
  async takeConfirmed(world: World, sessionId: string, path?: string, next?: Buffer): Promise<DoubtfulTurn[]> {
    const waiting = this.#waiting.get(sessionId)
    if (!waiting) return []
    const answers = await failOpen(world.log, 'read the transcript', new Set<string>(), () =>
      mainAnswers(world, sessionId, path),
    )
    const isMain = ({ turn: { answer } }: DoubtfulTurn) =>
      answer !== undefined && (answers.has(answer.messageId) || answer.toolUses.some(({ id }) => next?.includes(id)))
    this.#waiting.delete(sessionId)
    return waiting.filter(isMain)
  }
}

/** The ids of the main thread's newest answers, as the client wrote them down. */
async function mainAnswers(world: World, sessionId: string, known?: string): Promise<Set<string>> {
  const path = known ?? (await world.transcriptOf(sessionId))
  if (path === undefined) return new Set()
  const { bytes } = await world.readFile(path, 0, TAIL_BYTES)
  const ids = bytes.toString('utf8').split('\n').flatMap(answerIn)
  return new Set(ids)
}

function answerIn(line: string): string[] {
  if (!line.includes('"assistant"')) return []
  try {
    const { type, isSidechain, message } = JSON.parse(line) as Record<string, unknown>
    const id = isObject(message) ? message.id : undefined
    return type === 'assistant' && isSidechain !== true && typeof id === 'string' ? [id] : []
  } catch {
    // The first line may be cut, and the last one half written.
    return []
  }
}
