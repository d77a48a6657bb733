import { beforeEach, describe, expect, it } from 'vitest'
import { heuristicJudge } from '#llm/heuristic.ts'
import { shell } from '../../../test/support/shell.ts'
import { GOAL, store, storeForEach } from '../../../test/support/start-engine.ts'
import { toolReader } from '../action/tool-reader.ts'
import { SLOTS } from '../state-slots.ts'
import { Engine, edit, postTool, preTool, SESSION, Talk } from '../testing/engine.ts'
import { explainedFindings } from './findings.ts'

const AGENT = { 'user-agent': 'claude-cli/2.9.0 (external, cli)' }

let transcript: string
let engine: Engine
storeForEach()
beforeEach(() => {
  transcript = ''
  engine = started()
})

function started() {
  return new Engine(store, heuristicJudge, {
    tools: toolReader(async () => shell),
    readFile: async (_, offset) => ({ bytes: Buffer.from(transcript).subarray(offset), start: offset }),
  })
}

/** A client that says no more which folder it works in, and may have other habits too. */
class FutureTalk extends Talk {
  habits: object = {}

  override call() {
    const call = super.call(AGENT)
    const body = { ...JSON.parse(String(call.body)), ...this.habits }
    return { ...call, body: Buffer.from(JSON.stringify(body)) }
  }
}

const withoutFolder = { system: [{ type: 'text', text: 'You help. <system-reminder>' }] }

function talking(habits: object = {}): FutureTalk {
  const talk = new FutureTalk(engine.supervisor).prompt(GOAL)
  talk.habits = habits
  return talk
}

const prompted = () => engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
const sessionStart = { hook_event_name: 'SessionStart', source: 'startup' }
const findings = async () => (await explainedFindings(store.states)).map(({ kind, subject }) => subject ?? kind)

describe('where the proxy is not understood', () => {
  it('hooks are used alone: requests pass unchanged, and corrections go with hooks', async () => {
    await engine.hook(sessionStart)
    await prompted()
    const talk = talking(withoutFolder)
    await talk.turn({ text: 'Hello.' })
    expect(await findings()).toEqual(['no-folder'])

    const use = edit('src/styles/theme.css')
    talk.prompt('Go on')
    const sent = JSON.parse(await talk.turn({ tools: [use] }))
    expect(sent.messages).toEqual(talk.messages.slice(0, 3))
    expect(await engine.supervisor.prepare(talk.call())).toBeUndefined()
    // The proxy has seen the call, but only what hooks tell counts.
    expect(engine.events.filter(({ type }) => type === 'drift')).toEqual([])
    const answered = await engine.hook(postTool(use))
    expect(answered.hookSpecificOutput?.additionalContext).toContain('src/styles')
    expect(engine.warnings.filter((line) => line.startsWith('failing open'))).toEqual([])
  })

  it('and no hook is attached, it goes on with what it understands', async () => {
    const talk = talking(withoutFolder)
    await talk.turn({ text: 'Hello.' })
    expect(await findings()).toEqual(['no-folder'])
    expect(await engine.supervisor.prepare(talk.prompt('Go on').call())).toBeDefined()
  })

  it('a new run of the client is given a new chance', async () => {
    await engine.hook(sessionStart)
    await talking(withoutFolder).turn({ text: 'Hello.' })
    await engine.hook({ hook_event_name: 'SessionStart', source: 'resume' })
    const talk = talking()
    await talk.turn({ text: 'Hello.' })
    expect(await engine.supervisor.prepare(talk.prompt('Go on').call())).toBeDefined()
  })
})

describe('where hooks are not understood', () => {
  const nameless = () => {
    const { tool_use_id: _, ...payload } = preTool(edit('src/auth/token.ts'))
    return engine.hook(payload)
  }

  it('the proxy is used alone', async () => {
    await prompted()
    const talk = talking()
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await nameless()
    expect(await findings()).toEqual(['PreToolUse.tool_use_id'])
    const use = edit('src/styles/theme.css')
    await talk.turn({ tools: [use] })
    expect((await engine.hook(postTool(use))).hookSpecificOutput).toBeUndefined()
    expect(await talk.turn({})).toContain('src/styles')
  })

  it('and there is no proxy, they go on with what they understand', async () => {
    await prompted()
    await nameless()
    const answered = await engine.hook(postTool(edit('src/styles/theme.css')))
    expect(answered.hookSpecificOutput?.additionalContext).toContain('src/styles')
  })

  it('the version is read from the transcript', async () => {
    transcript = `${JSON.stringify({ type: 'user', version: '2.8.1' })}\n`
    await engine.hook({ hook_event_name: 'TeaReady', transcript_path: '/t.jsonl' })
    expect(await explainedFindings(store.states)).toMatchObject([{ subject: 'TeaReady', version: '2.8.1' }])
  })

  it('an event that tells of no session is reported too, and keeps no session', async () => {
    await engine.hook({ hook_event_name: 'TeaReady', session_id: undefined })
    await engine.hook({ hook_event_name: 'CakeReady' })
    expect((await findings()).sort()).toEqual(['CakeReady', 'TeaReady'])
    expect(await store.states.get(SLOTS.session, SESSION)).toBeUndefined()
  })
})

describe('a finding', () => {
  it('is kept, published and told once, also after a restart', async () => {
    await talking({ tempo: 'fast' }).turn({ text: 'Hello.' })
    engine = started()
    await talking({ tempo: 'fast' }).turn({ text: 'Hello.' })
    expect(engine.events.filter(({ type }) => type === 'client:finding')).toEqual([])
    const first = await engine.hook(sessionStart)
    expect(first.systemMessage).toContain('Claude Code 2.9.0: requests have the unknown field "tempo"')
    engine = started()
    expect((await engine.hook(sessionStart)).systemMessage).toBeUndefined()
    expect(await findings()).toEqual(['tempo'])
  })

  it('waits where another line is to be said', async () => {
    await prompted()
    const talk = talking({ tempo: 'fast' })
    // The window is nearly full, which is said too.
    await talk.turn({ text: 'Hello.', tokens: 850_000 })
    const said = [await engine.hook(postTool(edit('a.ts'))), await engine.hook(postTool(edit('b.ts')))]
    expect(said.map(({ systemMessage }) => systemMessage?.split('\n').length)).toEqual([1, 1])
    expect(said[1]!.systemMessage).toContain('tempo')
  })

  it('names no secret that a client puts into a name', async () => {
    await engine.hook({ hook_event_name: 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n' })
    const [finding] = await explainedFindings(store.states)
    expect(finding!.subject).toMatch(/^[\w.:?-]+$/)
    expect(JSON.stringify(await store.states.list(SLOTS.finding, 9))).not.toContain('AAAAAAAAAA')
  })

  it('is bounded, whatever a client makes up', async () => {
    for (let n = 0; n < 100; n++) await engine.hook({ hook_event_name: `Event${n}` })
    expect((await findings()).length).toBeLessThanOrEqual(60)
  })
})

describe('the transcript', () => {
  const line = (id: string) => {
    const message = { id, model: 'claude-opus-4-8', usage: {}, content: [] }
    const timestamp = new Date(5_000_000).toISOString()
    return `${JSON.stringify({ type: 'assistant', timestamp, message })}\n`
  }

  it('tells of answers that did not come through the proxy', async () => {
    const talk = talking()
    await talk.turn({ text: 'One.' })
    transcript = line(`msg_${SESSION}_1`) + line('msg_elsewhere')
    await engine.hook({ ...postTool(edit('a.ts')), transcript_path: '/t.jsonl' })
    expect(await findings()).toEqual([])
    await talk.prompt('Go on').turn({ text: 'Two.' })
    transcript += line(`msg_${SESSION}_2`)
    await engine.hook({ ...postTool(edit('b.ts')), transcript_path: '/t.jsonl' })
    await engine.supervisor.idle()
    expect(await findings()).toEqual(['unseen-answer'])
  })

  it('may be written after the turn: two questions without a tool call are no reason to doubt it', async () => {
    const asked = `${JSON.stringify({ type: 'user', message: { content: GOAL } })}\n`
    const turn = async () => {
      await prompted()
      transcript += asked
      await engine.hook({ hook_event_name: 'Stop', transcript_path: '/t.jsonl' })
      await engine.supervisor.idle()
    }
    await engine.hook(sessionStart)
    await turn()
    transcript += line('msg_1')
    await turn()
    expect(await findings()).toEqual([])
  })
})
