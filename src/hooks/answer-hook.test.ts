import { describe, expect, it } from 'vitest'
import { type HookAnswer, none } from '#protocol/hook-event.ts'
import { hookAnswerer, OpenAnswers } from './answer-hook.ts'

const said: HookAnswer = { systemMessage: 'Remember the tests.' }

/** An answer whose work was ended: it never says anything again. */
const ended = () => new Promise<HookAnswer>(() => {})

describe('a hook that says more than any client does', () => {
  const start = { hook_event_name: 'SessionStart', session_id: 's', cwd: '/tmp' }
  const log = { debug() {}, info() {}, warn() {}, error() {} }

  async function heard(payload: string) {
    const events: unknown[] = []
    const part = { name: 'listener', handle: async (event: unknown) => void events.push(event) }
    expect(await hookAnswerer([part], log, undefined)('session-start', payload)).toEqual(none)
    return events
  }

  it.each(['session_id', 'agent_id', 'tool_use_id', 'transcript_path', 'cwd'])(
    'in its %s is not heard',
    async (name) => {
      expect(await heard(JSON.stringify({ ...start, [name]: 'x'.repeat(5000) }))).toEqual([])
    },
  )

  it('in the number of its values is not heard', async () => {
    expect(await heard(JSON.stringify({ ...start, more: Array(200_000).fill(1) }))).toEqual([])
  })

  it('in what is nested is heard without that', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(await heard(`{"more":${deep},${JSON.stringify(start).slice(1)}`)).toMatchObject([{ session_id: 's' }])
  })
})

describe('answers whose work was ended', () => {
  it('are given as if Grove were not there', async () => {
    const open = new OpenAnswers()
    const answer = open.of(ended)('pre-tool-use', '{}')
    open.passRunning()()
    expect(await answer).toBe(none)
  })

  it('are only those that were being worked on when it was ended', async () => {
    const open = new OpenAnswers()
    const before = open.of(ended)('pre-tool-use', '{}')
    const pass = open.passRunning()
    let finish: (answer: HookAnswer) => void = () => {}
    const after = open.of(
      () =>
        new Promise<HookAnswer>((resolve) => {
          finish = resolve
        }),
    )('pre-tool-use', '{}')
    await Promise.resolve()
    pass()
    expect(await before).toBe(none)
    finish(said)
    expect(await after).toBe(said)
  })

  it('keep what they said before they could be passed', async () => {
    const open = new OpenAnswers()
    const answer = open.of(async () => said)('stop', '{}')
    const pass = open.passRunning()
    expect(await answer).toBe(said)
    pass()
    expect(await answer).toBe(said)
  })

  it('say no where a part has one for that, and what the other parts have said', async () => {
    const open = new OpenAnswers()
    const parts = [
      { name: 'stuck', handle: () => new Promise<undefined>(() => {}), ended: () => ({ deny: 'not judged' }) },
      { name: 'stuck too', handle: () => new Promise<undefined>(() => {}) },
      { name: 'well', handle: async () => ({ notice: 'Remember the tests.' }), ended: () => ({ deny: 'never' }) },
    ].map((part) => open.ofPart(part))
    const call = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/tmp', tool_name: 'Bash', tool_input: {} }
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const answer = hookAnswerer(parts, log, undefined)('pre-tool-use', JSON.stringify(call))
    await new Promise(setImmediate)
    open.passRunning()()
    expect(await answer).toEqual({
      systemMessage: 'Remember the tests.',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not judged',
      },
    })
  })

  it('do not hide a bug: a rejection is handed on', async () => {
    const open = new OpenAnswers()
    const answer = open.of(async () => {
      throw new Error('a bug')
    })
    await expect(answer('stop', '{}')).rejects.toThrow('a bug')
    open.passRunning()()
  })
})
