import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PauseScope } from '#core/pause.ts'
import { readFrom } from '#exec/read-file.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import { engine, engineForEach, store } from '../../../test/support/start-engine.ts'
import { type HookPart, handleHook } from '../handle-hook.ts'
import { Engine, edit, PROJECT, postTool, SESSION, Talk } from '../testing/engine.ts'

const GOAL = 'Fix the token refresh in src/auth/token.ts.'

const projectAt = async (cwd: string) => ({
  id: cwd.startsWith('/repo/app') ? PROJECT : 'other',
  name: 'app',
  root: cwd,
})
engineForEach((store) => new Engine(store, heuristicJudge, { readFile: readFrom, projectAt }))

const SCOPES: PauseScope[] = [{ type: 'all' }, { type: 'project', id: PROJECT }, { type: 'session', id: SESSION }]

describe.each(SCOPES)('paused for $type', (scope) => {
  it('nothing is said, put into a request or kept, by hooks or by the proxy', async () => {
    await engine.pauses.pause(scope, undefined)
    expect(await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })).toEqual({})
    expect(await engine.hook(postTool(edit('src/auth/token.ts')))).toEqual({})
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    expect(await engine.supervisor.prepare(talk.call())).toBeUndefined()
    await talk.turn({ text: 'Done.', tools: [edit('src/auth/token.ts')] })
    await talk.turn({ text: 'Done: the token is refreshed.' })

    expect(await store.sessions.get(SESSION)).toBeUndefined()
    const { projects: _projects, ...counts } = await store.counts()
    expect(counts).toEqual({ sessions: 0, tasks: 0, steps: 0, driftEvents: 0, turns: 0, memories: 0 })
    expect(engine.warnings).toEqual([])
  })

  it('work goes on when it is switched on again, from there', async () => {
    await engine.pauses.pause(scope, undefined)
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    expect(await engine.pauses.resume([scope])).toMatchObject([{ scope }])
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Now fix src/auth/login.ts.' })
    await engine.supervisor.idle()
    expect(await store.tasks.ofSession(SESSION)).toMatchObject([{ instruction: 'Now fix src/auth/login.ts.' }])
  })
})

it('ends by itself, and says so once', async () => {
  await engine.pauses.pause({ type: 'project', id: PROJECT }, engine.now + 100)
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: GOAL }
  expect(await engine.hook(prompt)).toEqual({})
  engine.now += 100
  expect(await engine.hook(prompt)).toMatchObject({ systemMessage: expect.stringContaining('the pause is over') })
  expect(await engine.hook(prompt)).toEqual({})
  expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
  expect(await engine.pauses.list()).toEqual([])
})

it('holds for what it was asked for, and for nothing else', async () => {
  await engine.pauses.pause({ type: 'session', id: 'another' }, undefined)
  await engine.pauses.pause({ type: 'project', id: 'other' }, undefined)
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
  expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
})

it('stays with a session that leaves the paused folder', async () => {
  await engine.pauses.pause({ type: 'project', id: PROJECT }, undefined)
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
  await engine.hook({ ...postTool(edit('src/a.ts')), cwd: '/elsewhere' })
  expect(await store.sessions.get(SESSION)).toBeUndefined()
})

it('does not note the answer to a request that went up meanwhile', async () => {
  const talk = new Talk(engine.supervisor).prompt(GOAL)
  const call = talk.call()
  await engine.pauses.pause({ type: 'all' }, undefined)
  expect(await engine.supervisor.prepare(call)).toBeUndefined()
  await engine.pauses.resume()
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
  const answer = { messageId: 'm', model: 'x', text: 'ok', thinkingLength: 0, toolUses: [], usage, complete: true }
  await engine.supervisor.observe({ call, status: 200, aborted: false, endedAt: 0, answer })
  expect(await store.tasks.ofSession(SESSION)).toEqual([])
})

it('leaves unread what the client wrote down meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grove-pause-'))
  const path = join(folder, 't.jsonl')
  const line = (id: string, text: string) =>
    `${JSON.stringify({ type: 'assistant', message: { id, model: 'm', content: [{ type: 'text', text }], usage: { input_tokens: 5, output_tokens: 1 } } })}\n`
  const tool = () => ({ ...postTool(edit('src/auth/token.ts')), transcript_path: path })
  writeFileSync(path, line('m1', 'before'))
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
  await engine.hook(tool())
  await engine.pauses.pause({ type: 'session', id: SESSION }, undefined)
  appendFileSync(path, line('m2', 'meanwhile'))
  await engine.hook(tool())
  await engine.pauses.resume()
  await engine.hook(tool())
  appendFileSync(path, line('m3', 'after'))
  await engine.hook(tool())
  await engine.supervisor.idle()
  expect(await store.turns.totals(SESSION)).toMatchObject({ turns: 2 })
  rmSync(folder, { recursive: true })
})

it('no part is asked: not the guard, not the gate', async () => {
  const asked: string[] = []
  const part: HookPart = {
    name: 'guard',
    async handle({ hook_event_name: name }) {
      asked.push(name)
      return { deny: 'no', block: 'not yet' }
    },
  }
  const event = (name: string) =>
    handleHook(
      [part],
      readHookEvent({
        hook_event_name: name,
        session_id: SESSION,
        cwd: '/repo/app',
        tool_name: 'Write',
        tool_input: {},
      }),
      engine.log,
      engine.pauses,
    )
  await engine.pauses.pause({ type: 'all' }, undefined)
  for (const name of ['PreToolUse', 'Stop', 'SessionStart', 'SessionEnd']) expect(await event(name)).toEqual({})
  expect(asked).toEqual([])
})

it('that nothing is paused is known only after a look, and no longer once something is', async () => {
  expect(engine.pauses.isNothingPaused()).toBe(false)
  const who = { sessionId: SESSION, cwd: () => undefined }
  expect(await engine.pauses.isPaused(who)).toBe(false)
  expect(engine.pauses.isNothingPaused()).toBe(true)
  await engine.pauses.pause({ type: 'session', id: SESSION }, undefined)
  expect(engine.pauses.isNothingPaused()).toBe(false)
  expect(await engine.pauses.isPaused(who)).toBe(true)
  expect(engine.pauses.isNothingPaused()).toBe(false)
})
