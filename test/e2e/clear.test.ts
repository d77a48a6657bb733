import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { setStage } from '../support/stage.ts'
import { brokenPrefixes } from '../support/traffic.ts'

// A long session: whenever the window is nearly full, Grove replaces the older part by a summary, and keeps doing so.

const files = Object.fromEntries(
  Array.from({ length: 9 }, (_, i) => [`src/part${i}.ts`, `export const part${i} = ${i}\n`]),
)
const goal = 'Read every part in src and say what they export'

/** Nine reads; the window is reported full after the third and after the seventh. */
const replies = Array.from({ length: 9 }, (_, i) => {
  const input = i === 2 || i === 6 ? 95_000 : 1_000
  return `  - reply: { tool_use: [{ name: Read, input: { file_path: "{{cwd}}/src/part${i}.ts" } }], usage: { input: ${input}, output: 10 } }`
})
const story = parseScenario(`replies:\n${replies.join('\n')}\n  - reply: Nine numbers, one in each part.`, 'long')

interface Message {
  role: string
  content: string | { type: string; text?: string; tool_use_id?: string }[]
}

const env = { TOKEN_CLEAR_THRESHOLD: '90000' }

describe.concurrent('a session that fills its window', () => {
  it.for(['proxy', 'both'] as const)(
    'is cleared twice, stays valid, and never loses the instruction or an open tool call (%s)',
    async (attached, { onTestFinished }) => {
      const stage = await setStage(onTestFinished, story, files, env, { attached })
      const { grove, simulator, tap, run } = stage
      const outcome = await run(goal, { args: ['--include-hook-events'] })
      await stage.settled()

      expect(outcome.result?.result).toBe('Nine numbers, one in each part.')
      // The simulator checks every request against the API's rules.
      expect(simulator.problems).toEqual([])
      expect(brokenPrefixes(tap, simulator)).toEqual([])
      const requests = simulator.requests
        .filter(({ url }) => url?.startsWith('/v1/messages'))
        .map(({ body }) => JSON.parse(body.toString()) as { messages: Message[] })
      const opening = requests.map(({ messages }) => JSON.stringify(messages[0]))
      const cleared = opening.map((first) => first.includes('was set aside to keep the context window free'))
      expect(cleared).toEqual([false, false, false, true, true, true, true, true, true, true])
      // The cut holds between the two, byte for byte, and the second one is another.
      expect(new Set(opening.slice(3, 7)).size).toBe(1)
      expect(new Set(opening.slice(7)).size).toBe(1)
      expect(opening[7]).not.toBe(opening[3])
      for (const [index, { messages }] of requests.entries()) {
        const all = JSON.stringify(messages)
        expect(all).toContain(goal)
        if (index > 0) expect(all).toContain(`part${index - 1} = ${index - 1}`)
      }
      expect(grove.events.filter(({ type }) => type === 'cleared')).toMatchObject([
        { before: 95_010 },
        { before: 95_010 },
      ])
      const injections = await grove.store.injections.ofSession(outcome.sessionId!, 9)
      expect(injections.map(({ kind }) => kind)).toEqual(['clear', 'clear'])
      for (const { text, tokens } of injections) {
        expect(text).toContain(`Goal: ${goal}`)
        expect(tokens).toBeGreaterThan(0)
      }
      // The user is told each time, once, where there is somebody to tell them. Newer clients show it in a line of its own.
      const told = outcome.lines.filter((line) => JSON.stringify(line).includes('the context window was nearly full'))
      const times = (subtype: string) => told.filter((line) => line.subtype === subtype).length
      expect(times('hook_response')).toBe(attached === 'both' ? 2 : 0)
      expect([0, times('hook_response')]).toContain(times('informational'))
      expect(told).toHaveLength(times('hook_response') + times('informational'))
      expect(grove.warnings).toEqual([])
    },
  )

  it('cannot be cleared by hooks alone: the client keeps its own window then', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, story, files, env, {
      attached: 'hooks',
      config: '[gate]\nenabled = false\n',
      hooks: ['Stop'],
    })
    const { sessionId } = await stage.run(goal)
    await stage.settled()
    expect(stage.simulator.requests.some(({ body }) => body.includes('was set aside'))).toBe(false)
    expect(await stage.grove.store.injections.ofSession(sessionId!, 9)).toEqual([])
    // What it knows of the window comes from the transcript, which the client writes a little later.
    expect((await stage.grove.store.turns.totals(sessionId!)).turns).toBeGreaterThan(0)
    expect(stage.grove.warnings).toEqual([])
  })

  it('is left alone where that is switched off', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, story, files, { ...env, GROVE_CLEAR: 'false' })
    await stage.run(goal)
    await stage.settled()
    expect(stage.simulator.requests.some(({ body }) => body.includes('was set aside'))).toBe(false)
  })
})
