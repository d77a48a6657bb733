import { beforeEach, describe, expect, it } from 'vitest'
import type { ToolUse } from '#core/turn.ts'
import { readFrom } from '#exec/read-file.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { shell } from '../../test/support/shell.ts'
import { engine, engineForEach, GOAL, startEngine, store } from '../../test/support/start-engine.ts'
import { toolReader } from './action/tool-reader.ts'
import { SLOTS } from './state-slots.ts'
import { Engine, edit, PROJECT, postTool, preTool, SESSION, Talk } from './testing/engine.ts'

// The engine by itself: what the proxy and the hooks would hand it, a real store, and no network.

engineForEach()

describe('recording', () => {
  it('knows session, project, task and steps after one turn', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ text: 'Let me see.', tools: [edit('src/auth/token.ts')] })
    expect(await store.sessions.get(SESSION)).toMatchObject({
      cwd: '/repo/app',
      projectId: PROJECT,
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
    expect(engine.warnings).toEqual([])
  })

  it('notes an action once, however many attachments saw it', async () => {
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    const use = edit('src/auth/token.ts')
    await engine.hook(postTool(use))
    await talk.turn({ tools: [use] })
    await engine.hook(postTool(use))
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(1)
    expect((await store.sessions.get(SESSION))?.attachments.toSorted()).toEqual(['hooks', 'proxy'])
  })

  it('reads what an answer asks for while the tool runs, where only the next request would tell of it', async () => {
    const reader = toolReader(async () => shell)
    const read: string[] = []
    const tools: typeof reader = {
      ...reader,
      read(call, at) {
        read.push(call.tool)
        return reader.read(call, at)
      },
    }
    const engine = new Engine(store, heuristicJudge, { readFile: readFrom, tools })
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
    const answerWith = (messageId: string, ...toolUses: ToolUse[]) => {
      const said = { messageId, model: 'claude-opus-4-8', text: '', thinkingLength: 0 }
      return { status: 200, aborted: false, endedAt: 0, answer: { ...said, toolUses, usage, complete: true } }
    }
    const ran = (use: ToolUse) =>
      talk.messages.push(
        { role: 'assistant', content: [{ type: 'tool_use', ...use }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'ok' }] },
      )
    const [first, second] = [edit('src/auth/token.ts'), edit('src/auth/refresh.ts')]

    const begins = talk.call()
    await engine.supervisor.prepare(begins)
    await engine.supervisor.observe({ call: begins, ...answerWith('one', first) })
    expect(read).toHaveLength(0)
    ran(first)
    const next = talk.call()
    await engine.supervisor.prepare(next)
    expect(read).toHaveLength(1)
    await engine.supervisor.observe({ call: next, ...answerWith('two', second) })
    expect(read).toHaveLength(2)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(1)

    ran(second)
    await engine.supervisor.prepare(talk.call())
    await engine.supervisor.idle()
    expect(read).toHaveLength(2)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(2)
  })

  it('knows the folder of an action whose result comes before its own answer was observed', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await engine.supervisor.prepare(talk.call())
    const use = edit('src/auth/token.ts')
    talk.messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', ...use }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'ok' }] },
    )
    await engine.supervisor.prepare(talk.call())
    await engine.supervisor.idle()
    expect(await store.steps.recent(SESSION, 10)).toMatchObject([{ files: ['src/auth/token.ts'] }])
  })

  it('does not turn a subagent, a count or a warm-up into a task', async () => {
    const talk = new Talk(engine.supervisor).prompt('Explore the code')
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
    const rest = { status: 200, aborted: false, endedAt: 0, answer }
    await engine.supervisor.observe({
      call: { ...call, agentId: 'a1', headers: { 'x-claude-code-agent-id': 'a1' } },
      ...rest,
    })
    await engine.supervisor.observe({ call: { ...call, path: '/v1/messages/count_tokens' }, ...rest })
    await engine.supervisor.observe({ call: { ...call, headers: { 'x-grove-judge': '1' } }, ...rest })
    expect(await store.tasks.ofSession(SESSION)).toEqual([])
    expect(engine.supervisor.prepare({ ...call, agentId: 'a1' })).toBeUndefined()
  })

  it('survives a restart in the middle of a task', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    const later = new Talk(startEngine(store).supervisor)
    later.messages = talk.messages
    await later.turn({ tools: [edit('src/auth/token.ts', 'y')] })
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
    expect(await store.steps.recent(SESSION, 10)).toHaveLength(2)
  })
})

describe('with a daemon', () => {
  let engine: Engine
  let jobs: (() => void)[]
  beforeEach(() => {
    jobs = []
    engine = new Engine(store, heuristicJudge, { readFile: readFrom, defer: (job) => void jobs.push(job) })
  })
  const pauseIsOver = () => jobs.splice(0).forEach((job) => void job())

  it('an answer does not wait for what it does not depend on', async () => {
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    expect(await store.tasks.ofSession(SESSION)).toEqual([])
    pauseIsOver()
    await engine.supervisor.idle()
    expect(await store.tasks.ofSession(SESSION)).toMatchObject([{ instruction: GOAL }])
  })

  it('what comes next waits for what is left to do, and not for the pause', async () => {
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    const answers = ['a', 'b', 'c'].map((file) => engine.hook(postTool(edit(`src/styles/${file}.css`))))
    const said = await Promise.all(answers)
    expect(said.map((answer) => answer.hookSpecificOutput?.additionalContext ?? '').join()).toContain('src/styles')
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
    // The newest alone may still be resting.
    pauseIsOver()
    await engine.supervisor.idle()
    expect(engine.warnings).toEqual([])
  })

  it('an action is read the same whether or not it was announced, and as it was done in the end', async () => {
    const other = new Engine(store, heuristicJudge)
    const hooks = async (to: Engine, sessionId: string, announces: boolean) => {
      const tell = async (payload: object) => {
        const answer = await to.hook({ session_id: sessionId, ...payload })
        pauseIsOver()
        await to.supervisor.idle()
        return answer
      }
      const said = [await tell({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })]
      for (const file of ['src/auth/token.ts', 'src/auth/keys.ts', 'src/styles/a.css', 'src/styles/b.css', 'x/y.sql']) {
        const use = { ...edit(file, `const refreshToken = "${file}"`), id: `toolu_${sessionId}_${file}` }
        if (announces)
          await tell(
            preTool({ ...use, input: { ...use.input, ...(file === 'x/y.sql' && { new_string: 'refreshToken' }) } }),
          )
        said.push(await tell(postTool(use)))
      }
      const steps = await store.steps.recent(sessionId, 20)
      return { said, steps: steps.map(({ files, excerpt, driftScore }) => ({ files, excerpt, driftScore })) }
    }
    expect(await hooks(engine, 's1', true)).toEqual(await hooks(other, 's2', false))
  })

  it('an event nobody listens to is nothing to remember', async () => {
    await engine.hook({ hook_event_name: 'Notification', message: 'Claude is waiting for your input' })
    pauseIsOver()
    await engine.supervisor.idle()
    expect(await store.states.list(SLOTS.session, 9)).toEqual([])
  })
})
