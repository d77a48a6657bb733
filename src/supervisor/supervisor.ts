import type { HookEvent } from '#protocol/hook-event.ts'
import type { ModelCall, ObservedTurn } from './call.ts'
import { type Consultation, consultationsFor } from './consult.ts'
import { failOpen } from './fail-open.ts'
import type { Contribution } from './handle-hook.ts'
import { endSession, superviseHook } from './hook-supervise.ts'
import { addMemories } from './memory/add-context.ts'
import type { Mind } from './mind.ts'
import { noteInstruction } from './note-instruction.ts'
import { observeTurn } from './observe-turn.ts'
import { type Prepared, prepareRequest, recordInjections } from './prepare-request.ts'
import { readCall } from './read-call.ts'
import { Serial } from './serial.ts'
import { MIND, recall } from './sessions.ts'
import type { World } from './world.ts'

const MINDS = 200

/**
 * One engine behind every door. Jobs of one agent session run one after the other, so that what the proxy and the hooks
 * see of it falls into one order; sessions do not wait for each other. No job ever waits for a judge.
 */
export class Supervisor {
  readonly #world: World
  readonly #serial = new Serial()
  readonly #minds = new Map<string, Mind>()
  readonly #asking = new Set<Promise<void>>()

  constructor(world: Omit<World, 'consult'>) {
    this.#world = { ...world, consult: (sessionId, consultation) => this.#consult(sessionId, consultation) }
  }

  /** Before a request goes up. Undefined leaves the client's bytes alone. */
  prepare(call: ModelCall): Promise<Prepared | undefined> | undefined {
    const { sessionId } = call
    if (!sessionId || call.agentId) return undefined
    const facts = readCall(call)
    if (!facts || (facts.kind !== 'main' && facts.kind !== 'compaction')) return undefined
    return this.#serial.run(sessionId, async () => {
      const mind = await this.#mind(sessionId)
      await addMemories(this.#world, mind, facts, (apply) => this.#later(mind, 'add late memories', apply))
      const prepared = await prepareRequest(this.#world, mind, facts)
      const { instruction } = facts
      if (instruction && facts.kind === 'main') {
        this.#later(mind, 'note an instruction', () =>
          noteInstruction(this.#world, mind, instruction.text, instruction.index),
        )
      }
      return {
        body: prepared.body,
        commit: () => {
          const committed = prepared.commit()
          this.#later(mind, 'record injections', () => recordInjections(this.#world, mind, committed))
          return committed
        },
      }
    })
  }

  /** After an answer came down. */
  observe(turn: ObservedTurn): Promise<void> {
    const { sessionId } = turn.call
    if (!sessionId || !turn.answer) return Promise.resolve()
    const facts = readCall(turn.call)
    if (!facts || facts.kind === 'own' || facts.kind === 'count-tokens' || facts.kind === 'warm-up') {
      return Promise.resolve()
    }
    return this.#serial.run(sessionId, () =>
      failOpen(this.#world.log, 'observe a turn', undefined, async () => {
        const mind = await this.#mind(sessionId)
        await observeTurn(this.#world, mind, turn, facts)
        await this.#askWhatIsDue(mind)
        await this.#keep(mind)
      }),
    )
  }

  /** A hook event of one session, as the supervising part answers it. */
  hook(event: HookEvent): Promise<Contribution | undefined> {
    const sessionId = event.hook_event_name === 'unknown' ? undefined : event.session_id
    if (!sessionId) return Promise.resolve(undefined)
    return this.#serial.run(sessionId, async () => {
      const mind = await this.#mind(sessionId)
      const said = await superviseHook(this.#world, mind, event)
      if (event.hook_event_name === 'Stop') await this.#askWhatIsDue(mind)
      if (event.hook_event_name === 'SessionEnd') await this.#forget(sessionId)
      else await this.#keep(mind)
      return said
    })
  }

  /** The session is gone without saying so. */
  abandon(sessionId: string): Promise<void> {
    return this.#serial.run(sessionId, () =>
      failOpen(this.#world.log, 'close an idle session', undefined, async () => {
        await endSession(this.#world, await this.#mind(sessionId))
        await this.#forget(sessionId)
      }),
    )
  }

  /** Resolves when everything noted so far is in the store. */
  async idle(): Promise<void> {
    await this.#serial.idle()
    while (this.#asking.size > 0) await Promise.all(this.#asking)
  }

  async #askWhatIsDue(mind: Mind) {
    for (const consultation of await consultationsFor(this.#world, mind)) this.#consult(mind.sessionId, consultation)
  }

  /** Outside the session's line while the judge thinks, back in it to apply what it said. */
  #consult(sessionId: string, { about, ask, apply }: Consultation) {
    const judge = this.#world.judgeFor(sessionId)
    // What rules can say has been said already.
    if (judge.name === 'heuristic') return
    const asking = failOpen(this.#world.log, `ask the judge about ${about}`, undefined, async () => {
      const verdict = await ask(judge)
      await this.#serial.run(sessionId, async () => {
        const mind = await this.#mind(sessionId)
        await apply(this.#world, mind, verdict)
        await this.#keep(mind)
      })
    })
    this.#asking.add(asking)
    void asking.then(() => this.#asking.delete(asking))
  }

  #later(mind: Mind, doing: string, work: () => Promise<unknown>) {
    void this.#serial.run(mind.sessionId, () =>
      failOpen(this.#world.log, doing, undefined, async () => {
        await work()
        await this.#keep(mind)
      }),
    )
  }

  async #mind(sessionId: string): Promise<Mind> {
    const mind = this.#minds.get(sessionId) ?? (await recall(this.#world, sessionId))
    this.#minds.delete(sessionId)
    this.#minds.set(sessionId, mind)
    // The least recently seen session goes first; it is in the store.
    if (this.#minds.size > MINDS) this.#minds.delete(this.#minds.keys().next().value!)
    return mind
  }

  async #forget(sessionId: string) {
    this.#minds.delete(sessionId)
    await this.#world.store.states.remove(MIND, sessionId)
  }

  #keep(mind: Mind): Promise<void> {
    return this.#world.store.states.put(MIND, mind.sessionId, mind, this.#world.clock.now())
  }
}
