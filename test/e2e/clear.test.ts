import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/script.ts'
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

describe('a session that fills its window', () => {
  it('is cleared twice, stays valid, and never loses the instruction or an open tool call', async ({
    onTestFinished,
  }) => {
    const { grove, simulator, tap, run } = await setStage(onTestFinished, story, files, {
      TOKEN_CLEAR_THRESHOLD: '90000',
    })
    const outcome = await run(goal)
    await grove.until(() => grove.turns.length === 10)

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
    expect(grove.events.filter(({ type }) => type === 'cleared')).toHaveLength(2)
    expect(grove.warnings).toEqual([])
  })

  it('is left alone where that is switched off', async ({ onTestFinished }) => {
    const env = { TOKEN_CLEAR_THRESHOLD: '90000', GROVE_CLEAR: 'false' }
    const { grove, simulator, run } = await setStage(onTestFinished, story, files, env)
    await run(goal)
    await grove.until(() => grove.turns.length === 10)
    expect(simulator.requests.some(({ body }) => body.includes('was set aside'))).toBe(false)
  })
})
