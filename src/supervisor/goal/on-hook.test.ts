import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engine, engineForEach, GOAL, store } from '../../../test/support/start-engine.ts'
import { SLOTS } from '../state-slots.ts'
import { edit, PROJECT, postTool, SESSION } from '../testing/engine.ts'

engineForEach()

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
      await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
      const first = line('msg_a', [{ type: 'text', text: 'I chose milliseconds because Date.now() gives them.' }], 10)
      const second = line('msg_a', [{ type: 'tool_use', id: use.id, name: use.name, input: use.input }], 10)
      const third = line('msg_b', [{ type: 'text', text: 'Task complete.' }], 4000)
      writeFileSync(transcript_path, `${first}\n${second}\nnot json\n${third.slice(0, 30)}`)
      await engine.hook({ ...postTool(use), transcript_path })
      expect(await store.steps.recent(SESSION, 9)).toMatchObject([
        { reasoning: 'I chose milliseconds because Date.now() gives them.', keyDecision: true },
      ])
      expect(await store.turns.totals(SESSION)).toMatchObject({ turns: 1, input: 10 })
      appendFileSync(transcript_path, `${third.slice(30)}\n`)
      await engine.hook({ hook_event_name: 'Stop', last_assistant_message: 'Task complete.', transcript_path })
      expect(await store.turns.totals(SESSION)).toMatchObject({ turns: 2, input: 4010 })
      const [memory] = await store.memories.list(PROJECT, { limit: 1 })
      expect(memory).toMatchObject({
        status: 'complete',
        decisions: [{ choice: 'I chose milliseconds', reason: 'Date.now() gives them' }],
      })
      expect(engine.warnings).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the window, with hooks alone', () => {
  const model = 'claude-sonnet-4-6'
  let folder: string
  let transcript_path: string
  let answers = 0
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grove-window-'))
    transcript_path = join(folder, 't.jsonl')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const warnedAfter = async (tokens: number) => {
    const usage = { input_tokens: tokens, output_tokens: 5 }
    const message = { id: `msg_${++answers}`, model, content: [{ type: 'text', text: 'Going on.' }], usage }
    appendFileSync(transcript_path, `${JSON.stringify({ type: 'assistant', message })}\n`)
    await engine.hook({ hook_event_name: 'Stop', last_assistant_message: 'Going on.', transcript_path })
    const { size, warned } = (await store.states.get(SLOTS.session, SESSION))!.window
    return { window: size, warned }
  }

  it('is as long as the client says, which it does when it compacts', async () => {
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
    expect(await warnedAfter(170_000)).toEqual({ window: 200_000, warned: true })
    const compacted = { hook_event_name: 'SessionStart', source: 'compact', transcript_path }
    await engine.hook({ ...compacted, model: `${model}[1m]` })
    expect(await warnedAfter(170_000)).toEqual({ window: 1_000_000, warned: false })
    await engine.hook({ ...compacted, model })
    expect(await warnedAfter(170_000)).toEqual({ window: 200_000, warned: true })
  })

  it('is no shorter than what was used of it, from then on', async () => {
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
    expect(await warnedAfter(230_000)).toEqual({ window: 1_000_000, warned: false })
    expect(await warnedAfter(190_000)).toEqual({ window: 1_000_000, warned: false })
    expect(await warnedAfter(900_000)).toEqual({ window: 1_000_000, warned: true })
  })
})
