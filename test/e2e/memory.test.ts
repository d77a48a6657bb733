import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/script.ts'
import { setStage } from '../support/stage.ts'

// What one agent found out, the next one knows at its first prompt.

const files = {
  'src/auth/token.ts': 'export function refreshToken(expiry: number) {\n  return expiry < Date.now() / 1000\n}\n',
  'src/styles/theme.css': ':root { --accent: red }\n',
}
const closing =
  "I've fixed the token refresh. `refreshToken` compared seconds with milliseconds, because the issuer sends `expiresAt` in milliseconds. I decided to convert at the edge instead of in every caller, because three callers already rely on milliseconds."
const script = parseScenario(
  `replies:
  - reply: { tool_use: [{ name: Read, input: { file_path: "{{cwd}}/src/auth/token.ts" } }] }
  - reply: { tool_use: [{ name: Edit, input: { file_path: "{{cwd}}/src/auth/token.ts", old_string: "Date.now() / 1000", new_string: "Date.now()" } }] }
  - reply: ${JSON.stringify(closing)}
  - reply: { tool_use: [{ name: Read, input: { file_path: "{{cwd}}/src/auth/token.ts" } }] }
  - reply: "The token refresh task is complete: it is covered by a test now."
  - reply: "Red it is."
`,
  'two sessions',
)

/** The memory block in what reached the API, as the model reads it. */
function memoryIn({ body }: { body: Buffer }): string | undefined {
  // The client also asks whether anybody is there.
  if (body.length === 0) return undefined
  const { system } = JSON.parse(body.toString('utf8')) as { system?: { text: string }[] }
  return system?.map(({ text }) => text).find((text) => text.startsWith('<grove-memory>'))
}

describe('What one agent found out', () => {
  it('is put before the next one that works on it, fenced, attributed and once; others are left alone', async ({
    onTestFinished,
  }) => {
    const { grove, simulator, run } = await setStage(onTestFinished, script, files)
    const first = await run('Fix the token refresh in src/auth/token.ts: the expiry is compared in the wrong unit')
    await grove.until(() => grove.turns.length === 3)
    const seenByFirst = simulator.requests.length
    expect(simulator.requests.map(memoryIn).filter(Boolean)).toEqual([])

    const second = await run('Add a test for the token refresh and its expiry')
    await grove.until(() => grove.turns.length === 5)
    const blocks = simulator.requests.slice(seenByFirst).map(memoryIn).filter(Boolean)
    expect(blocks).toHaveLength(2)
    expect(new Set(blocks).size).toBe(1)
    expect(blocks[0]).toContain('Fix the token refresh')
    expect(blocks[0]).toContain('Grove Test')
    expect(blocks[0]).toContain('src/auth/token.ts')
    expect(blocks[0]).toContain('three callers already rely on milliseconds')
    expect(blocks[0]).toMatch(/^<grove-memory>\n[\s\S]+\n<\/grove-memory>$/)

    // It went to the file the memory names: that counts for the memory.
    const [memory] = await grove.store.memoryUses.ofSession(second.sessionId!)
    expect(memory).toMatchObject({ how: 'files' })
    const [injection] = await grove.store.injections.ofSession(second.sessionId!, 9)
    expect(injection).toMatchObject({ place: 'system', kind: 'context' })
    expect(await grove.store.memoryUses.ofSession(first.sessionId!)).toEqual([])

    const seenBySecond = simulator.requests.length
    await run('Which colour do the buttons have in the theme?')
    await grove.until(() => grove.turns.length === 6)
    expect(simulator.requests.slice(seenBySecond).map(memoryIn).filter(Boolean)).toEqual([])
    expect(simulator.problems).toEqual([])
    expect(grove.warnings.filter((line) => line.includes('memor'))).toEqual([])
  })
})
