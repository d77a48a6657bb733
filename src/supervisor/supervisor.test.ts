import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Judge } from '#core/judge.ts'
import type { Log, Store } from '#core/ports.ts'
import type { ToolUse } from '#core/turn.ts'
import { readFrom } from '#exec/read-file.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import { openSqliteStore } from '#storage/sql/sqlite.ts'
import { handleHook } from './handle-hook.ts'
import type { LiveEvent } from './live.ts'
import { Supervisor } from './supervisor.ts'
import { sweepIdleSessions } from './sweep.ts'
import type { Settings } from './world.ts'

// The engine by itself: what the proxy and the hooks would hand it, a real store, and no network.

const SESSION = '11111111-2222-3333-4444-555555555555'
const GOAL = 'Fix the token refresh in src/auth/token.ts. Do not touch src/styles.'
const settings: Settings = { driftCheckInterval: 2, warnShare: 0.8, clearShare: 0.9, clearEnabled: true }

let store: Store
let events: LiveEvent[]
let warnings: string[]
let now = 0
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' })
  events = []
  warnings = []
  now = 1_000_000
})
afterEach(() => store.close())

function engine(judge: Judge = heuristicJudge, more: Partial<Settings> = {}) {
  let ids = 0
  const clock = { now: () => ++now }
  const log: Log = {
    debug() {},
    info() {},
    warn: (fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    error() {},
  }
  return new Supervisor({
    store,
    clock,
    log,
    memory: {
      store,
      clock,
      log,
      find: async () => [],
      workPlace: async () => ({}),
      mergedAmong: async () => new Set(),
      settings: { perSession: 5, confidence: 0.5 },
    },
    newId: (prefix) => `${prefix}_${++ids}`,
    projectAt: async (cwd) => ({ id: 'example.com/team/app', name: 'app', root: cwd }),
    evidence: async () => ({}),
    readFile: readFrom,
    judgeFor: () => judge,
    settings: { ...settings, ...more },
    publish: (event) => void events.push(event),
  })
}

/** A conversation as the client would send it, grown turn by turn. */
class Talk {
  messages: object[] = []
  #answers = 0
  constructor(
    readonly supervisor: Supervisor,
    readonly sessionId = SESSION,
  ) {}

  prompt(text: string) {
    this.messages.push({ role: 'user', content: [{ type: 'text', text }] })
    return this
  }

  call(headers: Record<string, string> = {}) {
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: x' },
      { type: 'text', text: 'You help.\n - Primary working directory: /home/me/app' },
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
  async turn(answer: { text?: string; tools?: ToolUse[]; tokens?: number }) {
    const call = this.call()
    const prepared = await this.supervisor.prepare(call)
    prepared?.commit()
    const { text = '', tools = [], tokens = 100 } = answer
    await this.supervisor.observe({
      call,
      endedAt: now,
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
      const results = tools.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }))
      this.messages.push({ role: 'user', content: results })
    }
    await this.supervisor.idle()
    return String(prepared?.body ?? call.body)
  }
}

let uses = 0
function edit(file: string, text = 'x'): ToolUse {
  return {
    id: `toolu_${++uses}`,
    name: 'Edit',
    input: { file_path: `/home/me/app/${file}`, old_string: 'a', new_string: text },
  }
}

function hook(supervisor: Supervisor, payload: object) {
  const parts = [
    { name: 'supervisor', handle: (event: Parameters<typeof supervisor.hook>[0]) => supervisor.hook(event) },
  ]
  const event = readHookEvent({ session_id: SESSION, cwd: '/home/me/app', ...payload })
  return handleHook(parts, event, {
    debug() {},
    info() {},
    warn: (f, m) => void warnings.push(`${m} ${JSON.stringify(f)}`),
    error() {},
  })
}
const preTool = ({ id, name, input }: ToolUse) => ({
  hook_event_name: 'PreToolUse',
  tool_name: name,
  tool_input: input,
  tool_use_id: id,
})
const postTool = (use: ToolUse) => ({ ...preTool(use), hook_event_name: 'PostToolUse', tool_response: {} })

describe('recording', () => {
  it('knows session, project, task and steps after one turn', async () => {
    const talk = new Talk(engine()).prompt(GOAL)
    await talk.turn({ text: 'Let me see.', tools: [edit('src/auth/token.ts')] })
    expect(await store.sessions.get(SESSION)).toMatchObject({
      cwd: '/home/me/app',
      projectId: 'example.com/team/app',
      model: 'claude-opus-4-8',
    })
    const [task] = await store.tasks.ofSession(SESSION)
    expect(task).toMatchObject({
      kind: 'main',
      constraints: ['Do not touch src/styles'],
      expectedScope: ['src/auth/token.ts'],
      status: 'active',
    })
    expect(await store.steps.ofTask(task!.id)).toMatchObject([
      { kind: 'edit', files: ['src/auth/token.ts'], tool: 'Edit' },
    ])
    expect(warnings).toEqual([])
  })

  it('notes an action once, however many doors saw it', async () => {
    const supervisor = engine()
    await hook(supervisor, { hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    const talk = new Talk(supervisor).prompt(GOAL)
    const use = edit('src/auth/token.ts')
    await hook(supervisor, postTool(use))
    await talk.turn({ tools: [use] })
    await hook(supervisor, postTool(use))
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(1)
    expect((await store.sessions.get(SESSION))?.attachments.toSorted()).toEqual(['hooks', 'proxy'])
  })

  it('does not turn a subagent, a count or a warm-up into a task', async () => {
    const supervisor = engine()
    const talk = new Talk(supervisor).prompt('Explore the code')
    const call = talk.call()
    const answer = {
      messageId: 'm',
      model: 'm',
      text: 'hi',
      thinkingLength: 0,
      toolUses: [edit('a.ts')],
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      complete: true,
    }
    const rest = { endedAt: 0, answer }
    await supervisor.observe({ call: { ...call, agentId: 'a1', headers: { 'x-claude-code-agent-id': 'a1' } }, ...rest })
    await supervisor.observe({ call: { ...call, path: '/v1/messages/count_tokens' }, ...rest })
    await supervisor.observe({ call: { ...call, headers: { 'x-grove-judge': '1' } }, ...rest })
    expect(await store.tasks.ofSession(SESSION)).toEqual([])
    expect(supervisor.prepare({ ...call, agentId: 'a1' })).toBeUndefined()
  })

  it('survives a restart in the middle of a task', async () => {
    const talk = new Talk(engine()).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    const later = new Talk(engine())
    later.messages = talk.messages
    await later.turn({ tools: [edit('src/auth/token.ts', 'y')] })
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(2)
  })
})

describe('hooks alone', () => {
  it('read tokens and words from the transcript, line by line as it grows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-transcript-'))
    const transcript_path = join(folder, 't.jsonl')
    const use = edit('src/auth/token.ts')
    const line = (id: string, content: object[], input: number) =>
      JSON.stringify({
        type: 'assistant',
        message: { id, model: 'claude-opus-4-8', content, usage: { input_tokens: input, output_tokens: 5 } },
      })
    try {
      const supervisor = engine()
      await hook(supervisor, { hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
      const first = line('msg_a', [{ type: 'text', text: 'I chose milliseconds because Date.now() gives them.' }], 10)
      const second = line('msg_a', [{ type: 'tool_use', id: use.id, name: use.name, input: use.input }], 10)
      const third = line('msg_b', [{ type: 'text', text: 'Task complete.' }], 4000)
      writeFileSync(transcript_path, `${first}\n${second}\nnot json\n${third.slice(0, 30)}`)
      await hook(supervisor, { ...postTool(use), transcript_path })
      expect(await store.steps.recent(SESSION, 9)).toMatchObject([
        { reasoning: 'I chose milliseconds because Date.now() gives them.', keyDecision: true },
      ])
      expect(await store.turns.totals(SESSION)).toMatchObject({ turns: 1, input: 10 })
      appendFileSync(transcript_path, `${third.slice(30)}\n`)
      await hook(supervisor, { hook_event_name: 'Stop', last_assistant_message: 'Task complete.', transcript_path })
      expect(await store.turns.totals(SESSION)).toMatchObject({ turns: 2, input: 4010 })
      const [memory] = await store.memories.list('example.com/team/app', { limit: 1 })
      expect(memory).toMatchObject({
        status: 'complete',
        decisions: [{ choice: 'I chose milliseconds', reason: 'Date.now() gives them' }],
      })
      expect(warnings).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('drift', () => {
  const stray = () => edit('src/styles/theme.css', `color-${++uses}`)

  it('is corrected in the next request, and the correction stays where it was said', async () => {
    const talk = new Talk(engine()).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    expect(await talk.turn({ tools: [stray()] })).not.toContain('You have left the goal')
    const next = await talk.turn({ tools: [edit('src/auth/token.ts', 'z')] })
    expect(next).toContain('You have left the goal: src/styles/theme.css: the task says: Do not touch src/styles')
    const after = await talk.turn({ text: 'Going on.', tools: [edit('src/auth/token.ts', 'w')] })
    expect(after.match(/You have left the goal/g)).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'recovered')).toHaveLength(1)
    expect(await store.injections.ofSession(SESSION, 9)).toMatchObject([{ kind: 'correction', place: 'message' }])
    // The rejected action is no step.
    expect((await store.steps.recent(SESSION, 9)).map(({ files }) => files[0])).not.toContain('src/styles/theme.css')
    expect(await store.driftEvents.ofSession(SESSION, 9)).toMatchObject([{ recovered: true, level: 'intervene' }])
  })

  it('is told once when hooks deliver it before the proxy can', async () => {
    const supervisor = engine()
    const talk = new Talk(supervisor).prompt(GOAL)
    const use = stray()
    await talk.turn({ tools: [use] })
    const answer = await hook(supervisor, postTool(use))
    expect(answer.hookSpecificOutput?.additionalContext).toContain('You have left the goal')
    expect(await talk.turn({ tools: [edit('src/auth/token.ts')] })).not.toContain('You have left the goal')
  })

  it('is stopped for real after three ignored corrections, and lets go on recovery', async () => {
    const supervisor = engine()
    const talk = new Talk(supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (let i = 0; i < 4; i++) await talk.turn({ tools: [stray()] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    const denied = await hook(supervisor, preTool(stray()))
    expect(denied.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
    expect(JSON.parse(denied.hookSpecificOutput!.permissionDecisionReason!)).toMatchObject({
      status: 'error',
      code: 'recovery_required',
      suggestion: expect.stringContaining('src/auth/token.ts'),
    })
    const back = edit('src/auth/token.ts', 'back')
    expect(await hook(supervisor, preTool(back))).toEqual({})
    await talk.turn({ tools: [back] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'normal' })
    expect(await hook(supervisor, preTool(edit('docs/notes.md')))).toEqual({})
  })

  it('is forgotten the moment the user asks for something else', async () => {
    const supervisor = engine()
    const talk = new Talk(supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (let i = 0; i < 4; i++) await talk.turn({ tools: [stray()] })
    await hook(supervisor, { hook_event_name: 'UserPromptSubmit', prompt: 'Now restyle the buttons in src/styles' })
    expect(await hook(supervisor, preTool(stray()))).toEqual({})
    const before = await store.injections.ofSession(SESSION, 99)
    talk.prompt('Now restyle the buttons in src/styles')
    await talk.turn({ tools: [stray()] })
    // What was said stays in the history; nothing new is said.
    expect(await store.injections.ofSession(SESSION, 99)).toHaveLength(before.length)
  })
})

describe('tasks', () => {
  it('follow the user: subtask, its end, and back to the parent', async () => {
    const talk = new Talk(engine()).prompt('Add dark mode to src/settings.ts')
    await talk.turn({ tools: [edit('src/settings.ts')] })
    talk.prompt('First I need the colours extracted into src/colours.ts')
    await talk.turn({ tools: [edit('src/colours.ts')] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ kind: 'subtask' })
    await talk.turn({ text: "I've extracted the colours." })
    expect(await store.tasks.current(SESSION)).toMatchObject({
      kind: 'main',
      goal: expect.stringContaining('dark mode'),
    })
    await talk.turn({ text: 'Task complete.' })
    expect(await store.tasks.current(SESSION)).toBeUndefined()
    const memories = await store.memories.list('example.com/team/app', { limit: 9 })
    expect(memories.map(({ files }) => files)).toEqual([['src/settings.ts'], ['src/colours.ts']])
    expect(await store.steps.recent(SESSION, 9)).toEqual([])
  })

  it('end as abandoned with the session, and with a day of silence', async () => {
    const supervisor = engine()
    await new Talk(supervisor).prompt('Add dark mode to src/settings.ts').turn({ tools: [edit('src/settings.ts')] })
    await new Talk(supervisor, 'other').prompt('Fix src/login.ts').turn({ tools: [edit('src/login.ts')] })
    await hook(supervisor, { hook_event_name: 'SessionEnd', reason: 'other' })
    now += 25 * 3_600_000
    expect(await sweepIdleSessions({ store, clock: { now: () => now } }, supervisor)).toBe(1)
    const memories = await store.memories.list('example.com/team/app', { limit: 9 })
    expect(memories.map(({ status }) => status)).toEqual(['abandoned', 'abandoned'])
    expect((await store.sessions.get(SESSION))?.endedAt).toBeDefined()
  })

  it('keep eight agents on one project apart', async () => {
    const supervisor = engine()
    const talks = Array.from({ length: 8 }, (_, i) =>
      new Talk(supervisor, `session-${i}`).prompt(`Fix src/part${i}.ts`),
    )
    await Promise.all(talks.flatMap((talk, i) => talk.turn({ tools: [edit(`src/part${i}.ts`)] })))
    for (const i of talks.keys()) {
      expect((await store.steps.recent(`session-${i}`, 9)).map(({ files }) => files)).toEqual([[`src/part${i}.ts`]])
    }
  })

  it('keep secrets out of memory', async () => {
    const talk = new Talk(engine()).prompt(
      `Use the key ${'sk-ant-api03-'}${'Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz'} in src/client.ts`,
    )
    await talk.turn({ tools: [edit('src/client.ts')] })
    await talk.turn({ text: 'Task complete.' })
    const stored = JSON.stringify(await store.memories.list('example.com/team/app', { limit: 9 }))
    expect(stored).not.toContain('Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz')
  })
})

describe('the judge', () => {
  it('is asked only after the answer is through, and nobody waits for it', async () => {
    const order: string[] = []
    let answerLater = () => {}
    const slow: Judge = {
      ...heuristicJudge,
      name: 'anthropic',
      extractIntent: async () => {
        order.push('judge asked')
        await new Promise<void>((resolve) => (answerLater = resolve))
        order.push('judge answered')
        return { goal: 'A better goal', expectedScope: [], constraints: [], keywords: [] }
      },
    }
    const supervisor = engine(slow)
    const talk = new Talk(supervisor).prompt(GOAL)
    const call = talk.call()
    const prepared = await supervisor.prepare(call)
    prepared?.commit()
    order.push('forwarded')
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
    const answer = {
      messageId: 'm1',
      model: 'm',
      text: 'hm',
      thinkingLength: 0,
      toolUses: [edit('src/auth/token.ts')],
      usage,
      complete: true,
    }
    order.push('answer through')
    await supervisor.observe({ call, endedAt: 0, answer })
    expect(await supervisor.prepare(talk.call())).toBeDefined()
    order.push('next request forwarded')
    answerLater()
    await supervisor.idle()
    expect(order).toEqual(['forwarded', 'answer through', 'judge asked', 'next request forwarded', 'judge answered'])
    expect(await store.tasks.current(SESSION)).toMatchObject({ goal: 'A better goal' })
  })

  it('may break without anybody noticing', async () => {
    const broken = new Proxy(heuristicJudge, {
      get: (target, key) =>
        key === 'name' ? 'anthropic' : key in target ? () => Promise.reject(new Error('down')) : undefined,
    })
    const talk = new Talk(engine(broken)).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    expect(await store.steps.recent(SESSION, 9)).toHaveLength(1)
    expect(warnings.join()).toContain('failing open')
  })
})
