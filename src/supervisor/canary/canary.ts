import { brokenBy, type Finding } from '#core/canary/finding.ts'
import {
  missesAnswers,
  newWatch,
  noticeStop,
  noticeToolRan,
  noticeToolStarts,
  noticeTranscript,
  noticeTurn,
  type Transcription,
  type Watch,
} from '#core/canary/watch.ts'
import { clientVersion, isToolRenamed, isTranscriptMoved, missingFields, oddInHook } from '#protocol/client-shape.ts'
import type { HookEvent, KnownHookEvent } from '#protocol/hook-event.ts'
import { isObject } from '#protocol/json.ts'
import type { ModelCall, ObservedTurn } from '../call.ts'
import { failOpen } from '../fail-open.ts'
import type { CallFacts } from '../inject/read-call.ts'
import { noteHeard, noteNotUnderstood, resetAttachments } from '../session/attachments.ts'
import type { SessionState } from '../session/session-state.ts'
import type { World } from '../world.ts'
import { Findings } from './findings.ts'
import { ComparedTurn, unknownInRequest } from './read-turn.ts'

/** What is known of a session's run, in memory only: what a restart forgets is not judged. */
interface SessionWatch {
  watch: Watch
  version?: string | undefined
  /** How many requests of the main conversation were looked at, and what the last one was like. */
  requests: number
  messages: number
  bytes: number
  results: string
}

const MOST_RUNS = 400
/** The tool list is long and hardly changes within a session. */
const REQUESTS_WITH_TOOLS = 3
/** Of a long conversation that is seen for the first time, its end is enough. */
const MOST_MESSAGES = 50
const VERSION_TAIL = 64 * 1024

/**
 * Notices when the client is no longer understood: it compares what proxy, hooks and transcript show of a session, and
 * looks for names that are not in `protocol/client-shape.ts`. It works off the request path, and trouble in it is logged
 * and nothing more.
 */
export class Canary {
  readonly #runs = new Map<string, SessionWatch>()
  readonly #findings: Findings

  constructor(private readonly world: World) {
    this.#findings = new Findings(world)
  }

  /** A request and its answer; `facts` are missing when the body could not be read. */
  noteTurn(session: SessionState, turn: ObservedTurn, facts: CallFacts | undefined): Promise<void> {
    return this.#try('compare a turn', async () => {
      const run = this.#run(session)
      run.version = clientVersion(turn.call.headers) ?? run.version
      noteHeard(session, 'proxy')
      if (!facts) return this.#raise(session, [{ kind: 'unreadable-request' }], run.version)
      const repeats = run.bytes === turn.call.body.length && run.results === facts.results.join()
      const { watch, findings } = noticeTurn(run.watch, new ComparedTurn(turn, facts, run.version, repeats))
      run.watch = watch
      const all = [...findings, ...this.#unknownIn(run, turn, facts, repeats)]
      if (all.length > 0) await this.#raise(session, all, run.version)
    })
  }

  #unknownIn(run: SessionWatch, turn: ObservedTurn, facts: CallFacts, repeats: boolean): Finding[] {
    const count = facts.layout.messages.length
    // A side request has a conversation of its own, and after a compaction everything is new.
    const known = facts.kind === 'main' && count >= run.messages ? run.messages : 0
    const from = Math.max(known, count - MOST_MESSAGES)
    const unknown = unknownInRequest(turn, facts, { from, repeats, withTools: run.requests < REQUESTS_WITH_TOOLS })
    if (facts.kind === 'main') {
      run.requests++
      run.messages = count
      run.bytes = turn.call.body.length
      run.results = facts.results.join()
    }
    return unknown
  }

  /** A request of the main conversation that names no session, or one to the model by a path that is not known. */
  noteStray(call: Pick<ModelCall, 'headers'>, finding: Finding): Promise<void> {
    return this.#try('note a stray request', async () => {
      const version = clientVersion(call.headers)
      if (version !== undefined) await this.#raise(undefined, [finding], version)
    })
  }

  /** Requests whose cache marker spoke against it were the main conversation's. */
  noteDoubtfulMain(session: SessionState): Promise<void> {
    return this.#try('note a doubtful request', () =>
      this.#raise(session, [{ kind: 'doubtful-main' }], this.#run(session).version),
    )
  }

  /** A hook event that could be read. */
  noteHook(session: SessionState, event: KnownHookEvent): Promise<void> {
    return this.#try('compare a hook', async () => {
      const { hook_event_name: name, transcript_path: path } = event
      if (event.hook_event_name === 'SessionStart' && event.source !== 'compact') {
        this.#runs.delete(session.sessionId)
        resetAttachments(session)
      }
      noteHeard(session, 'hooks')
      const missing = missingFields(name, event)
      if (event.hook_event_name === 'SessionStart' && path === undefined && isTranscriptMoved(event))
        await this.#raise(session, [{ kind: 'unreadable-transcript' }])
      if (missing.length > 0) await this.#raise(session, missing.map(fieldMissing(name)), undefined, path)
      if (event.hook_event_name === 'PreToolUse' && isToolRenamed(event.tool_name, event.tool_input))
        await this.#raise(session, [{ kind: 'unknown-tool', subject: event.tool_name }], undefined, path)
      if (event.hook_event_name === 'PreToolUse' && !event.agent_id && event.tool_use_id) {
        const run = this.#run(session)
        run.watch = noticeToolStarts(run.watch, event.tool_use_id)
      }
      if (event.hook_event_name === 'PostToolUse' && !event.agent_id && event.tool_use_id) {
        const run = this.#run(session)
        run.watch = noticeToolRan(run.watch, event.tool_use_id)
      }
      if (event.hook_event_name === 'Stop') {
        const run = this.#run(session)
        const { watch, findings } = noticeStop(run.watch)
        run.watch = watch
        await this.#raise(session, findings, run.version, path)
      }
    })
  }

  /** The transcript is to be read before the end of this turn is noted: the answers so far may have been written since. */
  missesAnswers(session: SessionState): boolean {
    return missesAnswers(this.#run(session).watch)
  }

  /** A hook payload that could not be read: an event that is not described, or one without what is needed. */
  noteUnreadHook(session: SessionState | undefined, raw: unknown): Promise<void> {
    return this.#try('note an unknown hook', async () => {
      const { event, missing } = oddInHook(raw)
      const name = isObject(raw) && typeof raw.hook_event_name === 'string' ? raw.hook_event_name : undefined
      const findings = event === undefined ? missing.map(fieldMissing(name)) : [unknownEvent(event)]
      const path = isObject(raw) && typeof raw.transcript_path === 'string' ? raw.transcript_path : undefined
      await this.#raise(session, findings, undefined, path)
    })
  }

  /** Answers of the main conversation as the transcript lists them. */
  noteTranscript(session: SessionState, told: Transcription): Promise<void> {
    return this.#try('compare the transcript', async () => {
      const run = this.#run(session)
      const { watch, findings } = noticeTranscript(run.watch, told)
      run.watch = watch
      await this.#raise(session, findings, run.version)
    })
  }

  /** One line for the user about what was not told yet. */
  line({ hook_event_name: name }: HookEvent): Promise<string | undefined> {
    const look = name === 'SessionStart' || name === 'UserPromptSubmit'
    return failOpen(this.world.log, 'report on the client', undefined, () => this.#findings.takeLine(look))
  }

  forget(sessionId: string): void {
    this.#runs.delete(sessionId)
  }

  #try(doing: string, work: () => Promise<void>): Promise<void> {
    return failOpen(this.world.log, doing, undefined, work)
  }

  #run(session: SessionState): SessionWatch {
    const { sessionId, transcript } = session
    const known = this.#runs.get(sessionId)
    if (known) return known
    const run = {
      watch: newWatch({ mainBefore: transcript.answers.length > 0 }),
      requests: 0,
      messages: 0,
      bytes: 0,
      results: '',
    }
    this.#runs.set(sessionId, run)
    if (this.#runs.size > MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value!)
    return run
  }

  async #raise(session: SessionState | undefined, findings: readonly Finding[], known?: string, transcript?: string) {
    if (findings.length === 0) return
    const run = session && this.#runs.get(session.sessionId)
    const version = known ?? run?.version ?? (await this.#versionIn(transcript)) ?? 'unknown'
    for (const finding of findings) {
      const broken = brokenBy(finding)
      if (session && broken) noteNotUnderstood(session, broken)
      await this.#findings.raise(finding, version, session?.sessionId)
    }
  }

  /** Hooks do not tell the version, but the lines of their transcript do. */
  async #versionIn(transcript: string | undefined): Promise<string | undefined> {
    if (transcript === undefined) return undefined
    return failOpen(this.world.log, 'read the version', undefined, async () => {
      const { bytes } = await this.world.readFile(transcript, 0, VERSION_TAIL)
      return /"version":"(\d[\w.-]{0,30})"/.exec(bytes.toString('utf8'))?.[1]
    })
  }
}

function fieldMissing(event: string | undefined): (field: string) => Finding {
  return (field) => ({ kind: 'missing-field', subject: event === undefined ? field : `${event}.${field}` })
}

function unknownEvent(subject: string): Finding {
  return { kind: 'unknown-event', subject }
}
