import { describe, expect, it } from 'vitest'
import { heuristicJudge } from '#llm/heuristic.ts'
import { GOAL, store, storeForEach } from '../../../test/support/start-engine.ts'
import { Engine, PROJECT, SESSION, Talk } from '../testing/engine.ts'

storeForEach()

describe('what is injected', () => {
  const memory = {
    id: 'mem_1',
    projectId: PROJECT,
    instruction: 'Fix the token refresh',
    goal: 'Fix the token refresh',
    reasoningTrace: ['Found that refreshToken() in src/auth/token.ts compared seconds.', 'x '.repeat(20_000)],
    decisions: [],
    constraints: [],
    files: ['src/auth/token.ts'],
    tags: [],
    status: 'complete' as const,
    trigger: 'complete' as const,
    createdAt: 1,
  }
  const found = (memoryId: string) => ({
    memoryId,
    confidence: 0.9,
    why: 'shares token',
    shared: { words: 3, files: 1 },
  })

  it('comes once, within its budget, on record with reason and size; a simple prompt gets nothing new', async () => {
    await store.memories.put(memory, { ...memory, id: 'mem_2', goal: 'Rotate the token keys' })
    const asked: string[] = []
    const find = async (_project: string, { text }: { text: string }) => {
      asked.push(text)
      return ['mem_1', 'mem_2'].map(found)
    }
    const engine = new Engine(store, heuristicJudge, { memory: { find } })
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    expect(await talk.turn({ text: 'Shall I?' })).toContain('refreshToken() in src/auth/token.ts')
    const before = await store.injections.ofSession(SESSION, 9)
    expect(before).toMatchObject([{ kind: 'context', place: 'message', why: expect.stringMatching(/./) }])
    expect(before[0]!.tokens).toBeGreaterThan(0)
    expect(before[0]!.tokens).toBeLessThanOrEqual(850)

    for (const simple of ['yes', 'continue', 'ok, go ahead', '2']) {
      await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: simple })
      talk.prompt(simple)
      const forwarded = await talk.turn({ text: 'Good.' })
      // The same as what the client sent, apart from what was put behind the first prompt.
      const { system, messages } = JSON.parse(forwarded)
      expect(system).toEqual(JSON.parse(talk.call().body.toString()).system)
      expect(messages.slice(1)).toEqual(talk.messages.slice(1, -1))
    }
    expect(await store.injections.ofSession(SESSION, 9)).toEqual(before)
    expect(asked).toEqual([GOAL])
  })

  it('holds no secret, and is put back as it was sent by a process that begins anew', async () => {
    const secret = `sk-ant-api03-${'Ab3dEf6hIj9k'.repeat(4)}`
    await store.memories.put({ ...memory, goal: `Refresh tokens with ${secret}` })
    const begin = () => new Engine(store, heuristicJudge, { memory: { find: async () => [found('mem_1')] } })
    const talk = new Talk(begin().supervisor).prompt(GOAL)
    const first = JSON.parse(await talk.turn({ text: 'Well.' }))
    expect(JSON.stringify(first)).toContain('Refresh tokens with [redacted]')
    const again = new Talk(begin().supervisor)
    again.messages = talk.messages
    const second = JSON.parse(await again.prompt('continue').turn({ text: 'Good.' }))
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
    expect(JSON.stringify(await store.injections.ofSession(SESSION, 9))).not.toContain(secret)
  })

  it('comes through the attachment that sees the prompt first, and not again through the other', async () => {
    await store.memories.put(memory)
    let asked = 0
    const find = async () => {
      asked++
      return [found('mem_1')]
    }
    const engine = new Engine(store, heuristicJudge, { memory: { find } })
    const answer = await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
    expect(answer.hookSpecificOutput?.additionalContext).toContain('refreshToken()')
    const forwarded = await new Talk(engine.supervisor).prompt(GOAL).turn({ text: 'Well.' })
    expect(forwarded).not.toContain('refreshToken()')
    expect(asked).toBe(1)
  })
})
