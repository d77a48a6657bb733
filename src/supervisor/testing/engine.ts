import type { Judge } from '#core/ports/judge.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import type { ToolUse } from '#core/turn.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import { LiveEvent } from '#protocol/live.ts'
import { toolReader } from '../action/tool-reader.ts'
import { handleHook } from '../handle-hook.ts'
import { type Pauses, pausesIn } from '../pause/pauses.ts'
import { Supervisor } from '../supervisor.ts'
import type { Settings, World } from '../world.ts'

export const SESSION = '11111111-2222-3333-4444-555555555555'
export const PROJECT = 'example.com/team/app'
const SETTINGS: Settings = {
  driftCheckInterval: 2,
  warnShare: 0.8,
  clearShare: 0.9,
  clearEnabled: true,
  tellsUser: true,
  asksForPlan: false,
}

/** The engine by itself: a real store, no network, and a clock that moves by one with every look. */
export class Engine {
  readonly events: LiveEvent[] = []
  readonly warnings: string[] = []
  readonly supervisor: Supervisor
  readonly pauses: Pauses
  readonly log: Log
  now = 1_000_000
  #ids = 0

  constructor(
    readonly store: Store,
    judge: Judge,
    more: Partial<Omit<World, 'settings' | 'memory'>> & {
      settings?: Partial<Settings>
      memory?: Partial<World['memory']>
    } = {},
  ) {
    const clock = { now: () => ++this.now }
    const warn = (fields: object, message: string) => void this.warnings.push(`${message} ${JSON.stringify(fields)}`)
    this.log = { debug() {}, info() {}, warn, error: warn }
    const projectAt = more.projectAt ?? (async (cwd: string) => ({ id: PROJECT, name: 'app', root: cwd }))
    this.pauses = pausesIn({ states: store.states, clock, projectAt })
    this.supervisor = new Supervisor({
      store,
      clock,
      log: this.log,
      newId: (prefix) => `${prefix}_${++this.#ids}`,
      projectAt,
      isFolder: () => true,
      evidence: async () => ({}),
      filesIn: () => [],
      tools: toolReader(() => Promise.reject(new Error('a test with shell commands hands in what reads them'))),
      transcriptOf: async () => undefined,
      readFile: async () => ({ bytes: Buffer.alloc(0), start: 0 }),
      judgeFor: () => judge,
      pauses: this.pauses,
      publish: (event) => void this.events.push(LiveEvent.parse(event)),
      ...more,
      settings: { ...SETTINGS, ...more.settings },
      memory: {
        store,
        clock,
        log: this.log,
        find: async () => [],
        workPlace: async () => ({}),
        mergedAmong: async () => new Set(),
        settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.5 }),
        ...more.memory,
      },
    })
  }

  hook(payload: object) {
    const parts = [{ name: 'supervisor', handle: this.supervisor.hook.bind(this.supervisor) }]
    return handleHook(
      parts,
      readHookEvent({ session_id: SESSION, cwd: '/repo/app', ...payload }),
      this.log,
      this.pauses,
    )
  }
}

let uses = 0
function use(name: string, input: Record<string, unknown>): ToolUse {
  return { id: `toolu_${++uses}`, name, input }
}

export function edit(file: string, text = 'x'): ToolUse {
  return use('Edit', { file_path: `/repo/app/${file}`, old_string: 'a', new_string: text })
}

export function bash(command: string): ToolUse {
  return use('Bash', { command })
}

export const preTool = ({ id, name, input }: ToolUse) => ({
  hook_event_name: 'PreToolUse',
  tool_name: name,
  tool_input: input,
  tool_use_id: id,
})
export const postTool = (use: ToolUse) => ({ ...preTool(use), hook_event_name: 'PostToolUse', tool_response: {} })

/** A conversation as the client would send it, grown turn by turn. */
export class Talk {
  messages: object[] = []
  #answers = 0
  constructor(
    readonly supervisor: Supervisor,
    readonly sessionId = SESSION,
  ) {}

  prompt(text: string): this {
    this.messages.push({ role: 'user', content: [{ type: 'text', text }] })
    return this
  }

  call(headers: Record<string, string> = {}) {
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: x' },
      { type: 'text', text: 'You help.\n - Primary working directory: /repo/app' },
    ]
    const body = {
      model: 'claude-opus-4-8',
      messages: this.messages,
      system,
      tools: [{ name: 'Agent' }],
      thinking: { type: 'adaptive' },
    }
    return {
      path: '/v1/messages?beta=true',
      headers,
      body: Buffer.from(JSON.stringify(body)),
      sessionId: this.sessionId,
    }
  }

  /** One request and its answer; the tools then answer in the next user message. Returns what was forwarded. */
  async turn(answer: {
    text?: string
    tools?: ToolUse[]
    /** What the tools answered with, where they were kept from running or failed. */
    results?: string[]
    tokens?: number
  }): Promise<string> {
    const call = this.call()
    const prepared = await this.supervisor.prepare(call)
    prepared?.commit()
    const { text = '', tools = [], results: errors, tokens = 100 } = answer
    await this.supervisor.observe({
      call,
      status: 200,
      aborted: false,
      endedAt: 0,
      answer: {
        messageId: `msg_${this.sessionId}_${++this.#answers}`,
        model: 'claude-opus-4-8',
        text,
        thinkingLength: 0,
        toolUses: tools,
        usage: { input: tokens, output: 1, cacheRead: 0, cacheWrite: 0 },
        stopReason: tools.length > 0 ? 'tool_use' : 'end_turn',
        complete: true,
      },
    })
    const uses = tools.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    this.messages.push({ role: 'assistant', content: [...(text ? [{ type: 'text', text }] : []), ...uses] })
    if (tools.length > 0) {
      const results = tools.map(({ id }, at) => {
        const error = errors?.[at]
        const said = error === undefined ? { content: 'ok' } : { content: error, is_error: true }
        return { type: 'tool_result', tool_use_id: id, ...said }
      })
      this.messages.push({ role: 'user', content: results })
      // The client sends the results at once; what comes of that request is for the next turn.
      await this.supervisor.prepare(this.call())
    }
    await this.supervisor.idle()
    return String(prepared ? Buffer.concat(prepared.body) : call.body)
  }
}
