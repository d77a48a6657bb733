import { toolNamed } from '#core/action/tools.ts'
import type { LinesByFile } from '#core/gate/own-work.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import { noteReferences, readOn } from './references.ts'
import { isWorkCounted, loadSession } from './sessions.ts'
import type { LearningWorld } from './world.ts'

/** Tools often come in a row; one look after the last of them is enough, and one every few seconds at most. */
const QUIET_MS = 200
const BETWEEN_MS = 3000
/** What was counted longer ago is counted again. */
const HOLDS_MS = 5 * 60_000
/** Where a look takes longer than this, the machine is better left alone for a while, until answers are really wanted. */
const TOO_LONG_MS = 1000
const LEFT_ALONE_MS = 5 * 60_000
const MOST_SESSIONS = 200

type Tool = HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

interface Seen {
  /** Those of its tools that may have changed files. */
  toolUses: Set<string>
  transcript: string | undefined
  lookedAt: number
  timer?: NodeJS.Timeout
  /** What was found after the last of them. */
  look?: Promise<{ own?: LinesByFile; at: number } | undefined>
}

/**
 * Looks ahead while the agent is busy: when it wants to stop, the question is how much it has changed, and asking git
 * takes longer than everything else. So the tree is looked at, and the transcript read, when a tool has run.
 */
export class Prefetch {
  readonly #sessions = new Map<string, Seen>()
  #leftAloneUntil = 0

  /** A tool has run. */
  note(world: LearningWorld, event: Tool): void {
    const { session_id: sessionId, tool_name: tool, tool_use_id: id = '' } = event
    // After all others it is worth a look.
    if (world.clock.now() < this.#leftAloneUntil || toolNamed(tool).changes === 'nothing') return
    const seen = this.#sessions.get(sessionId) ?? { toolUses: new Set(), transcript: undefined, lookedAt: 0 }
    this.forget(sessionId)
    this.#sessions.set(sessionId, seen)
    if (this.#sessions.size > MOST_SESSIONS) this.forget(this.#sessions.keys().next().value!)
    seen.toolUses.add(id)
    seen.transcript = event.transcript_path
    delete seen.look
    const wait = Math.max(QUIET_MS, seen.lookedAt + BETWEEN_MS - world.clock.now())
    seen.timer = setTimeout(() => {
      delete seen.timer
      seen.lookedAt = world.clock.now()
      seen.look = this.#look(world, sessionId, seen)
    }, wait)
    seen.timer.unref()
  }

  /** What was changed, if that was counted after the last of these tools; undefined when it is not known. */
  async own(sessionId: string, tools: readonly string[], now: number): Promise<LinesByFile | undefined> {
    const seen = this.#sessions.get(sessionId)
    if (!seen?.look || tools.some((id) => !seen.toolUses.has(id))) return undefined
    const found = await seen.look
    return found && now - found.at < HOLDS_MS ? found.own : undefined
  }

  forget(sessionId: string): void {
    clearTimeout(this.#sessions.get(sessionId)?.timer)
    this.#sessions.delete(sessionId)
  }

  /** Begins nothing more, and waits for what was begun. */
  async close(): Promise<void> {
    const looks = [...this.#sessions.values()].map(({ look }) => look)
    for (const sessionId of [...this.#sessions.keys()]) this.forget(sessionId)
    await Promise.all(looks)
  }

  #look(world: LearningWorld, sessionId: string, { transcript }: Seen) {
    return failOpen(world.log, 'look ahead', undefined, async () => {
      const session = await loadSession(world, sessionId)
      // What is being closed has its answer in the transcript, and that is read when it is settled.
      if (!session || Object.keys(session.closing).length > 0) return undefined
      const settings = world.settingsAt(session.root)
      if (!settings.gate.enabled) return undefined
      const library = world.libraryAt(session.root, settings)
      const lately = await readOn(world, session, { transcript_path: transcript })
      const noted = await noteReferences(world, library, session, lately)
      if (!isWorkCounted(settings, noted)) return undefined
      const at = world.clock.now()
      const own = await world.changes.ownLines(noted.root, noted.baseline)
      if (world.clock.now() - at > TOO_LONG_MS) this.#leftAloneUntil = world.clock.now() + LEFT_ALONE_MS
      return { at, ...(own && { own }) }
    })
  }
}
