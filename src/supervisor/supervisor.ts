import type { HookEvent } from '#protocol/hook-event.ts'
import type { ModelCall, ObservedTurn } from './call.ts'
import { failOpen } from './fail-open.ts'
import { freshMind, type Mind } from './goal/mind.ts'
import { noteInstruction } from './goal/note-instruction.ts'
import { observeTurn } from './goal/observe-turn.ts'
import { endSession, HEARD, superviseHook } from './goal/on-hook.ts'
import { forget, recall } from './goal/sessions.ts'
import type { Contribution } from './handle-hook.ts'
import { type Prepared, prepareRequest, recordInjections } from './inject/prepare-request.ts'
import { readCall } from './inject/read-call.ts'
import { type Consultation, consultationsFor, leaveToRules } from './judge/consult.ts'
import { addMemories } from './memory/add-context.ts'
import { Pauses } from './queue/pauses.ts'
import { Serial } from './queue/serial.ts'
import { SLOTS } from './state-slots.ts'
import type { World } from './world.ts'

const MINDS = 200

/**
 * One engine behind every door. Jobs of one agent session run one after the other, so that what the proxy and the hooks
 * see of it falls into one order; sessions do not wait for each other. No job ever waits for a judge.
 */
export class Supervisor {
  readonly #world: World
  readonly #serial = new Serial()
  readonly #pauses: Pauses | undefined
  readonly #minds = new Map<string, Mind>()
  readonly #asking = new Set<Promise<void>>()
  /** Sessions that are over; what is still told of them came too late, until they are taken up again. */
  readonly #ended = new Set<string>()
  /** Questions that came up in the middle of something, by session; asked when an answer is through. */
  readonly #unasked = new Map<string, Consultation[]>()
  /** Questions whose time has come, by session; there is an entry while they are being asked. */
  readonly #line = new Map<string, Consultation[]>()

  constructor(world: Omit<World, 'consult'>) {
    this.#world = { ...world, consult: (sessionId, consultation) => this.#note(sessionId, consultation) }
    this.#pauses = world.later && new Pauses(world.later)
  }

  /** Before a request goes up. Undefined leaves the client's bytes alone. */
  prepare(call: ModelCall): Promise<Prepared | undefined> | undefined {
    const { sessionId } = call
    if (!sessionId || call.agentId) return undefined
    const facts = readCall(call)
    if (!facts || (facts.kind !== 'main' && facts.kind !== 'compaction')) return undefined
    return this.#inTurn(sessionId, async () => {
      this.#ended.delete(sessionId)
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
    return this.#inTurn(sessionId, () =>
      failOpen(this.#world.log, 'observe a turn', undefined, async () => {
        if (this.#ended.has(sessionId)) return
        const mind = await this.#mind(sessionId)
        await observeTurn(this.#world, mind, turn, facts)
        await this.#askWhatIsDue(mind)
        await this.#keep(mind)
      }),
    )
  }

  /**
   * A hook event of one session, as the supervising part answers it. What is left to do then is done when the answer has
   * left, and whatever comes next about the session waits for it.
   */
  hook(event: HookEvent): Promise<Contribution | undefined> {
    if (event.hook_event_name === 'unknown' || !HEARD.has(event.hook_event_name)) return Promise.resolve(undefined)
    const { session_id: sessionId, hook_event_name: name } = event
    if (!sessionId) return Promise.resolve(undefined)
    return new Promise((answer, fail) => {
      const job = async () => {
        this.#ended.delete(sessionId)
        const mind = await this.#mind(sessionId, isFirstEver(event))
        const { said, rest } = await superviseHook(this.#world, mind, event)
        const finish = async () => {
          await failOpen(this.#world.log, `note what ${name} told`, undefined, async () => rest?.())
          // A tool may run while its answer still streams; only these two come when it is surely through.
          if (name === 'Stop' || name === 'SessionEnd') await this.#askWhatIsDue(mind)
          if (name === 'SessionEnd') await this.#forget(mind)
          else await this.#keep(mind)
        }
        if (this.#pauses) {
          answer(said)
          if (!this.#serial.isAwaited(sessionId)) await this.#pauses.of(sessionId)
        }
        await failOpen(this.#world.log, `keep what ${name} told`, undefined, finish)
        answer(said)
      }
      this.#inTurn(sessionId, job).catch(fail)
    })
  }

  /** The session is gone without saying so. */
  abandon(sessionId: string): Promise<void> {
    return this.#inTurn(sessionId, () =>
      failOpen(this.#world.log, 'close an idle session', undefined, async () => {
        const mind = await this.#mind(sessionId)
        await endSession(this.#world, mind)
        await this.#askWhatIsDue(mind)
        await this.#forget(mind)
      }),
    )
  }

  /** Another process goes on with the sessions: what is known here is out of date, and read anew when it is asked for. */
  letGo(): void {
    this.#minds.clear()
  }

  /** Resolves when everything noted so far is in the store. */
  async idle(): Promise<void> {
    await this.#serial.idle()
    while (this.#asking.size > 0) await Promise.all(this.#asking)
  }

  /** Whoever is next in line need not wait for more than the work itself. */
  #inTurn<T>(sessionId: string, job: () => Promise<T>): Promise<T> {
    this.#pauses?.end(sessionId)
    return this.#serial.run(sessionId, job)
  }

  #note(sessionId: string, consultation: Consultation) {
    if (this.#hasOnlyRules(sessionId)) return
    this.#unasked.set(sessionId, withNewest(this.#unasked.get(sessionId) ?? [], consultation))
  }

  #hasOnlyRules(sessionId: string): boolean {
    return this.#world.judgeFor(sessionId).name === 'heuristic'
  }

  async #askWhatIsDue(mind: Mind) {
    const { sessionId } = mind
    if (this.#hasOnlyRules(sessionId)) return leaveToRules(mind)
    for (const consultation of await consultationsFor(this.#world, mind)) this.#note(sessionId, consultation)
    const due = this.#unasked.get(sessionId) ?? []
    this.#unasked.delete(sessionId)
    const waiting = this.#line.get(sessionId)
    if (due.length > 0) this.#line.set(sessionId, due.reduce(withNewest, waiting ?? []))
    if (waiting || due.length === 0) return
    const asking = this.#askInTurn(sessionId)
    this.#asking.add(asking)
    void asking.then(() => this.#asking.delete(asking))
  }

  /** One question of a session after the other: a judge that is slow or down must not be asked ever more at once. */
  async #askInTurn(sessionId: string) {
    for (;;) {
      const [next, ...rest] = this.#line.get(sessionId) ?? []
      if (!next) break
      this.#line.set(sessionId, rest)
      await this.#ask(sessionId, next)
    }
    this.#line.delete(sessionId)
  }

  /** Outside the session's line of jobs while the judge thinks, back in it to apply what it said. */
  #ask(sessionId: string, { about, ask, apply }: Consultation) {
    return failOpen(this.#world.log, `ask the judge about ${about}`, undefined, async () => {
      const verdict = await ask(this.#world.judgeFor(sessionId))
      await this.#serial.run(sessionId, async () => {
        // A memory may still be put into better words when its session is over, but nothing is kept of that session.
        const over = this.#ended.has(sessionId)
        const mind = over ? freshMind(sessionId) : await this.#mind(sessionId)
        await apply(this.#world, mind, verdict)
        if (!over) await this.#keep(mind)
      })
    })
  }

  #later(mind: Mind, doing: string, work: () => Promise<unknown>) {
    void this.#serial.run(mind.sessionId, () =>
      failOpen(this.#world.log, doing, undefined, async () => {
        await work()
        await this.#keep(mind)
      }),
    )
  }

  async #mind(sessionId: string, isNew = false): Promise<Mind> {
    const known = this.#minds.get(sessionId) ?? (isNew ? freshMind(sessionId) : undefined)
    const mind = known ?? (await recall(this.#world, sessionId))
    this.#minds.delete(sessionId)
    this.#minds.set(sessionId, mind)
    // The least recently seen session goes first; it is in the store.
    if (this.#minds.size > MINDS) this.#minds.delete(this.#minds.keys().next().value!)
    return mind
  }

  async #forget(mind: Mind) {
    this.#minds.delete(mind.sessionId)
    this.#ended.add(mind.sessionId)
    if (this.#ended.size > MINDS) this.#ended.delete(this.#ended.keys().next().value!)
    await forget(this.#world, mind)
  }

  #keep(mind: Mind): Promise<void> {
    return this.#world.store.states.put(SLOTS.mind, mind.sessionId, mind, this.#world.clock.now())
  }
}

/** The client has just made up the session's id, so nothing can be known under it. */
function isFirstEver(event: HookEvent): boolean {
  return event.hook_event_name === 'SessionStart' && (event.source === 'startup' || event.source === 'clear')
}

/** The newest question about a thing is the one that still matters. */
function withNewest(questions: Consultation[], newest: Consultation): Consultation[] {
  return [...questions.filter(({ about }) => about !== newest.about), newest]
}
