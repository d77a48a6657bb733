import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { loadConfig } from '#config/load.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import { openWorld } from '#daemon/compose/world.ts'
import { type AnswerHook, hookAnswerer } from '#hooks/answer-hook.ts'
import type { HookAnswer } from '#protocol/hook-event.ts'
import type { LiveEvent } from '#protocol/live.ts'

/** Grove as a hook process composes it, on a home of its own with an empty store in memory. */
export interface Product {
  store: Store
  /** Everything that was published since the last look. */
  published(): LiveEvent[]
  /** A checkout with these files. */
  project(files: readonly string[]): string
  session(cwd: string): Conversation
  close(): Promise<void>
}

export async function openProduct(): Promise<Product> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grove-stories-')))
  const env = { ...process.env, GROVE_HOME: join(folder, 'home') }
  const log: Log = { debug() {}, info() {}, warn: complain, error: complain }
  let events: LiveEvent[] = []
  const world = openWorld({
    config: loadConfig({ env, cwd: folder }),
    log,
    database: ':memory:',
    publish: (event) => void events.push(event),
  })
  const [store, parts, pauses] = await Promise.all([world.writeBehind(), world.hookParts(), world.pauses()])
  const answer = hookAnswerer(parts, log, pauses)
  let count = 0
  return {
    store,
    published() {
      const seen = events
      events = []
      return seen
    },
    project(files) {
      const root = join(folder, `project-${++count}`)
      mkdirSync(root)
      // Deepest first: a list of files may name folders as well.
      const depth = (file: string) => file.split('/').length
      for (const file of files.filter(isWithin).toSorted((a, b) => depth(b) - depth(a))) place(root, file)
      return root
    },
    session(cwd) {
      const id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
      return new Conversation(answer, id, cwd, join(folder, `${id}.jsonl`))
    },
    async close() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function complain(fields: object, message: string) {
  console.error(`! ${message} ${JSON.stringify(fields).slice(0, 300)}`)
}

function isWithin(file: string): boolean {
  return !isAbsolute(file) && !file.split('/').includes('..') && !file.endsWith('/')
}

function place(root: string, file: string) {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) writeFileSync(path, '')
}

/** What the client tells its hooks of one session, and what it writes into its transcript. */
export class Conversation {
  #uses = 0
  readonly #answer: AnswerHook
  readonly id: string
  readonly #cwd: string
  readonly #transcript: string

  constructor(answer: AnswerHook, id: string, cwd: string, transcript: string) {
    this.#answer = answer
    this.id = id
    this.#cwd = cwd
    this.#transcript = transcript
  }

  start(): Promise<HookAnswer> {
    this.#write({ type: 'system', subtype: 'init' })
    return this.#hook('session-start', { source: 'startup' })
  }

  prompt(text: string): Promise<HookAnswer> {
    this.#write({ type: 'user', message: { role: 'user', content: text } })
    return this.#hook('user-prompt-submit', { prompt: text })
  }

  /** Typed while the agent works: the client tells no hook of it, and writes it down when the agent gets it. */
  typeMeanwhile(text: string) {
    this.#write({ type: 'attachment', attachment: { type: 'queued_command', prompt: text } })
  }

  /** The agent wants to use a tool, and does where neither Grove nor the user refuses. */
  async use(tool: string, input: Record<string, unknown>, result: 'ok' | 'error' | 'denied') {
    const id = `toolu_${this.id}_${++this.#uses}`
    const event = { tool_name: tool, tool_input: this.#absolute(input), tool_use_id: id }
    this.#say([{ type: 'tool_use', id, name: tool, input: event.tool_input }])
    const before = await this.#hook('pre-tool-use', event)
    const refusal = denialIn(before)
    if (refusal !== undefined || result === 'denied') {
      const content = refusal ?? "The user doesn't want to proceed with this tool use."
      this.#result(id, content, true)
      return { id, answers: [before], refusal }
    }
    const after =
      result === 'ok'
        ? await this.#hook('post-tool-use', { ...event, tool_response: {} })
        : await this.#hook('post-tool-use-failure', { ...event, error: 'Exit code 1', is_interrupt: false })
    this.#result(id, result === 'ok' ? 'ok' : 'Exit code 1', result === 'error')
    return { id, answers: [before, after], refusal }
  }

  stop(words?: string): Promise<HookAnswer> {
    if (words !== undefined) this.#say([{ type: 'text', text: words }])
    return this.#hook('stop', {
      stop_hook_active: false,
      ...(words !== undefined && { last_assistant_message: words }),
    })
  }

  end(): Promise<HookAnswer> {
    return this.#hook('session-end', { reason: 'other' })
  }

  #hook(event: string, payload: object): Promise<HookAnswer> {
    const common = { session_id: this.id, transcript_path: this.#transcript, cwd: this.#cwd }
    return this.#answer(event, JSON.stringify({ ...common, ...payload }))
  }

  #absolute(input: Record<string, unknown>): Record<string, unknown> {
    const named = Object.entries(input).map(([key, value]) =>
      /^(file_|notebook_)path$|^path$/.test(key) && typeof value === 'string' && !isAbsolute(value)
        ? [key, join(this.#cwd, value)]
        : [key, value],
    )
    return Object.fromEntries(named)
  }

  #say(content: object[]) {
    const id = `msg_${this.id}_${this.#uses}_${content.length}`
    this.#write({ type: 'assistant', message: { id, role: 'assistant', model: 'claude-opus-4-8', content } })
  }

  #result(id: string, content: string, isError: boolean) {
    const block = { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) }
    this.#write({ type: 'user', message: { role: 'user', content: [block] } })
  }

  #write(line: object) {
    appendFileSync(this.#transcript, `${JSON.stringify({ ...line, sessionId: this.id, isSidechain: false })}\n`)
  }
}

function denialIn({ hookSpecificOutput: said }: HookAnswer): string | undefined {
  return said?.permissionDecision === 'deny' ? (said.permissionDecisionReason ?? '') : undefined
}
