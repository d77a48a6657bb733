import type { HookEvent } from '#protocol/hook-event.ts'
import { isObject } from '#protocol/json.ts'
import { isOwnCall, type RequestKind } from '#protocol/request-kind.ts'
import type { ModelCall, ObservedTurn } from './call.ts'
import { Canary } from './canary/canary.ts'
import { failOpen } from './fail-open.ts'
import { BackgroundHelpers } from './goal/background-helpers.ts'
import { endSession, HEARD, superviseHook, tryCatchUp } from './goal/on-hook.ts'
import { askForPlan } from './goal/tasks/declared-plan.ts'
import { keepsWork } from './goal/tasks/finish-task.ts'
import { beginsWork, isNoted, noteInstruction } from './goal/tasks/note-instruction.ts'
import { skipTranscript } from './goal/turns/catch-up.ts'
import { DoubtfulTurns } from './goal/turns/doubtful-turns.ts'
import { noteResults, tellsOfNew } from './goal/turns/note-results.ts'
import { observeTurn } from './goal/turns/observe-turn.ts'
import type { Contribution } from './handle-hook.ts'
import { hasInjections, type Prepared, prepareRequest, recordInjections } from './inject/prepare-request.ts'
import { type CallFacts, readCall, workingDirectory } from './inject/read-call.ts'
import { QuestionQueue } from './judge/question-queue.ts'
import { addMemories } from './memory/add-context.ts'
import { DeferredStart } from './queue/deferred-start.ts'
import { KeyedQueue } from './queue/keyed-queue.ts'
import { isLeftAside } from './session/attachments.ts'
import { freshSessionState, type SessionState } from './session/session-state.ts'
import { dropSession, loadSession, saveSession } from './session/session-store.ts'
import type { World } from './world.ts'

const CACHED_SESSIONS = 400

/**
 * The engine behind proxy and hooks. A queue per agent session brings what both tell of it into one order; sessions do
 * not wait for each other, and no job waits for a judge.
 */
export class Supervisor {
  readonly #world: World
  readonly #queue = new KeyedQueue()
  readonly #deferred: DeferredStart | undefined
  readonly #sessions = new Map<string, SessionState>()
  /** Sessions that are over; what is still told of them came too late, until they are taken up again. */
  readonly #ended = new Set<string>()
  readonly #questions: QuestionQueue
  readonly #helpers = new BackgroundHelpers()
  readonly #doubtful = new DoubtfulTurns()
  /** Requests that went up during a pause: their answers are not noted, even if the pause is over by then. */
  readonly #pausedCalls = new WeakSet<ModelCall>()

  readonly #canary: Canary

  constructor(world: Omit<World, 'consult' | 'transcribed'>) {
    this.#world = {
      ...world,
      consult: (sessionId, consultation) => this.#questions.note(sessionId, consultation),
      transcribed: (session, told) => this.#canary.noteTranscript(session, told),
    }
    this.#canary = new Canary(this.#world)
    this.#questions = new QuestionQueue(this.#world, (sessionId, apply) => this.#applyVerdict(sessionId, apply))
    this.#deferred = world.defer && new DeferredStart(world.defer)
  }

  /** Before a request goes up. Undefined leaves the client's bytes alone. */
  prepare(call: ModelCall): Promise<Prepared | undefined> | undefined {
    const { sessionId } = call
    this.#helpers.noteRequest(call, this.#world.clock.now())
    if (!sessionId || call.agentId) return undefined
    const facts = readCall(call)
    if (!facts || (facts.kind !== 'main' && facts.kind !== 'compaction')) return undefined
    return this.#run(sessionId, async () => {
      const session = await this.#session(sessionId)
      if (!this.#world.pauses.isNothingPaused() && (await this.#isPaused(session, facts))) {
        this.#pausedCalls.add(call)
        return undefined
      }
      this.#ended.delete(sessionId)
      if (isLeftAside(session, 'proxy')) return undefined
      if (!facts.doubtful && this.#doubtful.has(sessionId)) await this.#decideDoubtful(session, call.body)
      const isMain = facts.kind === 'main' && !facts.doubtful
      const instruction = isMain ? facts.instruction : undefined
      if (instruction && !isNoted(session, instruction)) {
        if (this.#world.settings.asksForPlan && beginsWork(session, instruction.text)) {
          askForPlan(session, instruction.text)
        }
        await addMemories(this.#world, session, facts, instruction.text, (apply) =>
          this.#enqueue(session, 'add late memories', apply),
        )
      }
      if (isMain && tellsOfNew(session, facts)) await this.#noteResults(session, facts)
      const prepared = await prepareRequest(this.#world, session, facts)
      if (instruction && !isNoted(session, instruction)) {
        this.#enqueue(session, 'note an instruction', () =>
          noteInstruction(this.#world, session, instruction.text, instruction.index),
        )
      }
      return {
        body: prepared.body,
        commit: () => {
          const committed = prepared.commit()
          if (hasInjections(committed)) {
            this.#enqueue(session, 'record injections', () => recordInjections(this.#world, session, committed))
          }
          return committed
        },
      }
    })
  }

  /** What the agent has done since its last answer; a correction for it goes with this very request. */
  async #noteResults(session: SessionState, facts: CallFacts) {
    const rest = await failOpen(this.#world.log, 'note results', undefined, () =>
      noteResults(this.#world, session, facts),
    )
    if (!rest) return
    this.#enqueue(session, 'keep steps', async () => {
      await rest()
      if (session.judging.doubt) await this.#questions.askWhatIsDue(session)
    })
  }

  /** After an answer came down. */
  observe(turn: ObservedTurn): Promise<void> {
    const { sessionId } = turn.call
    if (!turn.answer) {
      turn.call.done?.()
      return Promise.resolve()
    }
    const facts = readCall(turn.call)
    if (!sessionId) {
      if (facts?.kind !== 'main') return Promise.resolve()
      return this.#canary.noteStray(turn.call, { kind: 'no-session' })
    }
    if (facts ? NOT_OBSERVED.has(facts.kind) : isOwnCall(turn.call)) return Promise.resolve()
    return this.#run(sessionId, () =>
      failOpen(this.#world.log, 'observe a turn', undefined, async () => {
        if (this.#ended.has(sessionId) || this.#pausedCalls.has(turn.call)) return
        const session = await this.#session(sessionId)
        if (!this.#world.pauses.isNothingPaused() && (await this.#isPaused(session, facts))) return
        await this.#canary.noteTurn(session, turn, facts)
        if (facts && !isLeftAside(session, 'proxy')) await this.#observeOrWait(session, turn, facts)
        await this.#save(session)
        // What is doubtful is read again when it is decided.
        if (!facts?.doubtful) turn.call.done?.()
      }),
    )
  }

  /** A request to the model by a path that is not known. */
  stray(call: Pick<ModelCall, 'headers' | 'path'>): Promise<void> {
    return this.#canary.noteStray(call, { kind: 'unknown-path', subject: call.path.split('?')[0]! })
  }

  /**
   * A hook event of one session, as the supervising part answers it. What is left to do then is done when the answer has
   * left, and whatever comes next about the session waits for it.
   */
  hook(event: HookEvent): Promise<Contribution | undefined> {
    if (event.hook_event_name === 'unknown') return this.#unreadHook(event)
    if (!HEARD.has(event.hook_event_name)) return Promise.resolve(undefined)
    const { session_id: sessionId, hook_event_name: name } = event
    if (!sessionId) return Promise.resolve(undefined)
    return new Promise((answer, fail) => {
      const job = async () => {
        this.#ended.delete(sessionId)
        const session = await this.#session(sessionId, isFirstEver(event))
        if (await this.#world.pauses.takeUnread(sessionId)) {
          this.#canary.forget(sessionId)
          await skipTranscript(this.#world, session, event.transcript_path)
        }
        if (name === 'Stop' && this.#canary.missesAnswers(session)) await tryCatchUp(this.#world, session, event)
        await this.#canary.noteHook(session, event)
        if (name === 'Stop' || name === 'SessionEnd') await this.#decideDoubtful(session)
        const isIgnored = isLeftAside(session, 'hooks') && !HEARD_ASIDE.has(name)
        const { said: contribution, rest } = isIgnored ? {} : await superviseHook(this.#world, session, event)
        const said = await this.#withLine(event, contribution)
        const finish = async () => {
          await failOpen(this.#world.log, `note what ${name} told`, undefined, async () => rest?.())
          // A tool may run while its answer still streams; only these two come when it is surely through.
          // What the user has just asked for, and what looks doubtful, is worth a question at once: later it is of no use.
          const isUrgent = session.judging.doubt || (name === 'UserPromptSubmit' && session.judging.instruction)
          if (name === 'Stop' || name === 'SessionEnd' || isUrgent) await this.#questions.askWhatIsDue(session)
          if (name === 'SessionEnd') await this.#drop(session)
          else await this.#save(session)
        }
        if (this.#deferred) {
          answer(said)
          if (!this.#queue.hasWaiting(sessionId)) await this.#deferred.wait(sessionId)
        }
        await failOpen(this.#world.log, `keep what ${name} told`, undefined, finish)
        answer(said)
      }
      this.#run(sessionId, job).catch(fail)
    })
  }

  /** What happens during a pause is not compared either: afterwards the canary begins anew, as after a restart. */
  async #isPaused({ sessionId, place }: SessionState, facts: CallFacts | undefined): Promise<boolean> {
    const cwd = () => place?.cwd ?? (facts && workingDirectory(facts.layout))
    const isPaused = await failOpen(this.#world.log, 'look for a pause', false, () =>
      this.#world.pauses.isPaused({ sessionId, cwd }),
    )
    if (isPaused) this.#canary.forget(sessionId)
    return isPaused
  }

  /** What cannot be read gets no say, but is reported. */
  #unreadHook(event: Extract<HookEvent, { hook_event_name: 'unknown' }>): Promise<Contribution | undefined> {
    const sessionId = isObject(event.raw) ? event.raw.session_id : undefined
    if (typeof sessionId !== 'string') {
      return this.#canary.noteUnreadHook(undefined, event.raw).then(() => this.#withLine(event, undefined))
    }
    return this.#run(sessionId, async () => {
      const session = await this.#session(sessionId)
      const { attachments } = session
      await this.#canary.noteUnreadHook(session, event.raw)
      // An event that told nothing is no reason to keep a session.
      if (session.attachments !== attachments) await this.#save(session)
      return this.#withLine(event, undefined)
    })
  }

  /** An event has one line for the user at most; what is to be said about the client waits for one that has none. */
  async #withLine(event: HookEvent, said: Contribution | undefined): Promise<Contribution | undefined> {
    const line = said?.notice === undefined ? await this.#canary.line(event) : undefined
    return line === undefined ? said : { ...said, notice: line }
  }

  /** Doubtful turns that one follows with the results of their tool calls are decided before it waits itself. */
  async #observeOrWait(session: SessionState, turn: ObservedTurn, facts: CallFacts) {
    if (facts.doubtful) {
      await this.#decideFollowed(session, turn, facts)
      return this.#doubtful.add(session.sessionId, { turn, facts })
    }
    await this.#observe(session, turn, facts)
    await this.#questions.askWhatIsDue(session)
  }

  async #observe(session: SessionState, turn: ObservedTurn, facts: CallFacts) {
    const { sessionId } = session
    const { agentId } = turn.call
    if (agentId && turn.answer?.complete && turn.answer.toolUses.length === 0) this.#helpers.noteEnd(sessionId, agentId)
    const helpersAtWork = this.#helpers.areAtWork(sessionId, this.#world.clock.now())
    await observeTurn(this.#world, session, turn, facts, helpersAtWork)
  }

  /** Observes the turns that turned out to be the main thread's. */
  async #decideDoubtful(session: SessionState, next?: Buffer) {
    const { sessionId, transcript } = session
    const confirmed = await this.#doubtful.takeConfirmed(this.#world, sessionId, transcript.file?.path, next)
    if (confirmed.length > 0) await this.#canary.noteDoubtfulMain(session)
    for (const { turn, facts } of confirmed) await this.#observe(session, turn, facts)
  }

  /** A side request may go on by itself too, so the results speak only where there is no transcript to ask. */
  async #decideFollowed(session: SessionState, { call }: ObservedTurn, { results }: CallFacts) {
    const { sessionId, transcript } = session
    if (!this.#doubtful.isFollowed(sessionId, results)) return
    const path = transcript.file?.path ?? (await this.#world.transcriptOf(sessionId))
    await this.#decideDoubtful(session, path === undefined ? call.body : undefined)
  }

  /** The session is gone without saying so. */
  abandon(sessionId: string): Promise<void> {
    return this.#run(sessionId, () =>
      failOpen(this.#world.log, 'close an idle session', undefined, async () => {
        const session = await this.#session(sessionId)
        await endSession(this.#world, session)
        await this.#questions.askWhatIsDue(session)
        await this.#drop(session)
      }),
    )
  }

  /** Another process goes on with the sessions: what is known here is out of date, and read anew when it is asked for. */
  letGo(): void {
    this.#sessions.clear()
  }

  /** The jobs that run now; calling it later lets what waits behind those that still run go on without them. */
  passRunning(): () => void {
    return this.#queue.passRunning()
  }

  /** Resolves when everything noted so far is in the store. */
  async idle(): Promise<void> {
    await this.#queue.idle()
    await this.#questions.idle()
  }

  /** Queues a job of the session; background work before it, delayed until an answer has left, starts at once. */
  #run<T>(sessionId: string, job: () => Promise<T>): Promise<T> {
    this.#deferred?.startNow(sessionId)
    return this.#queue.run(sessionId, job)
  }

  #applyVerdict(sessionId: string, apply: (session: SessionState) => Promise<void>): Promise<void> {
    return this.#queue.run(sessionId, async () => {
      // A memory may still be put into better words when its session is over, but nothing is kept of that session.
      const over = this.#ended.has(sessionId)
      const session = over ? freshSessionState(sessionId) : await this.#session(sessionId)
      await apply(session)
      if (!over) await this.#save(session)
    })
  }

  /** Queues background work of the session, and writes the state after it. */
  #enqueue(session: SessionState, doing: string, work: () => Promise<unknown>) {
    void this.#queue.run(session.sessionId, () =>
      failOpen(this.#world.log, doing, undefined, async () => {
        await work()
        await this.#save(session)
      }),
    )
  }

  #session(sessionId: string, isNew = false): SessionState | Promise<SessionState> {
    const known = this.#sessions.get(sessionId) ?? (isNew ? freshSessionState(sessionId) : undefined)
    if (known) return this.#cached(sessionId, known)
    return loadSession(this.#world, sessionId).then((session) => this.#cached(sessionId, session))
  }

  #cached(sessionId: string, session: SessionState): SessionState {
    // The least recently seen session goes first; it is in the store. While there is room, their order makes no difference.
    if (this.#sessions.size > CACHED_SESSIONS / 2) this.#sessions.delete(sessionId)
    this.#sessions.set(sessionId, session)
    if (this.#sessions.size > CACHED_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value!)
    return session
  }

  async #drop(session: SessionState) {
    this.#sessions.delete(session.sessionId)
    this.#helpers.forget(session.sessionId)
    this.#canary.forget(session.sessionId)
    this.#ended.add(session.sessionId)
    if (this.#ended.size > CACHED_SESSIONS) this.#ended.delete(this.#ended.keys().next().value!)
    const isKept = keepsWork(this.#world, session)
    await dropSession(this.#world, session, isKept)
    // What was taken out of the database still lies in its log.
    if (!isKept) await this.#world.store.checkpointLog()
  }

  #save(session: SessionState): Promise<void> {
    return saveSession(this.#world, session)
  }
}

/** Heard even where hooks are not understood: a halt must hold as far as it can, and the end of a session is its end. */
const HEARD_ASIDE: ReadonlySet<string> = new Set(['PreToolUse', 'SessionEnd'])

const NOT_OBSERVED: ReadonlySet<RequestKind> = new Set(['own', 'count-tokens', 'warm-up'])

/** The client has just made up the session's id, so nothing can be known under it. */
function isFirstEver(event: HookEvent): boolean {
  return event.hook_event_name === 'SessionStart' && (event.source === 'startup' || event.source === 'clear')
}
