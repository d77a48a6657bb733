import { describe, expect, it } from 'vitest'
import { projectAt } from '../../src/exec/git.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { parseScenario } from '../../src/simulator/script.ts'
import { handleHook } from '../../src/supervisor/handle-hook.ts'
import { setStage } from '../support/stage.ts'
import { memoryOf } from '../support/team-memories.ts'

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

/** The memory blocks in what reached the API, as the model reads them. */
function memoriesIn({ body }: { body: Buffer }): string[] {
  // The client also asks whether anybody is there.
  if (body.length === 0) return []
  const found: string[] = []
  JSON.parse(body.toString('utf8'), (_key, value: unknown) => {
    if (typeof value === 'string') found.push(...(value.match(/<grove-memory>[\s\S]*?<\/grove-memory>/g) ?? []))
    return value
  })
  return found
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

describe('What one agent found out', () => {
  it('is put before the next one that works on it, fenced, attributed and once; others are left alone', async ({
    onTestFinished,
  }) => {
    const { grove, simulator, run } = await setStage(onTestFinished, script, files)
    const first = await run('Fix the token refresh in src/auth/token.ts: the expiry is compared in the wrong unit')
    await grove.until(() => grove.turns.length === 3)
    const seenByFirst = simulator.requests.length
    expect(simulator.requests.flatMap(memoriesIn)).toEqual([])

    const second = await run('Add a test for the token refresh and its expiry')
    await grove.until(() => grove.turns.length === 5)
    const shown = simulator.requests.slice(seenByFirst).map(memoriesIn)
    const blocks = shown.flat()
    // Once in a request, the same in each; on a machine that is very busy it comes with the second.
    expect(new Set(blocks).size).toBe(1)
    expect(shown.every((some) => some.length <= 1)).toBe(true)
    expect(blocks[0]).toContain('Fix the token refresh')
    expect(blocks[0]).toContain('Grove Test')
    expect(blocks[0]).toContain('src/auth/token.ts')
    expect(blocks[0]).toContain('three callers already rely on milliseconds')

    // It went to the file the memory names: that counts for the memory.
    const [memory] = await grove.store.memoryUses.ofSession(second.sessionId!)
    expect(memory).toMatchObject({ how: 'files' })
    const [injection] = await grove.store.injections.ofSession(second.sessionId!, 9)
    expect(injection).toMatchObject({ kind: 'context', text: blocks[0], tokens: expect.any(Number) })
    expect(await grove.store.memoryUses.ofSession(first.sessionId!)).toEqual([])

    const seenBySecond = simulator.requests.length
    await run('Which colour do the buttons have in the theme?')
    await grove.until(() => grove.turns.length === 6)
    expect(simulator.requests.slice(seenBySecond).flatMap(memoriesIn)).toEqual([])
    expect(simulator.problems).toEqual([])
    expect(grove.warnings.filter((line) => line.includes('memor'))).toEqual([])
  })

  it('reaches an agent whose prompts only the hooks tell of', async ({ onTestFinished }) => {
    const { grove, project } = await setStage(onTestFinished, script, files)
    const { id: projectId } = await projectAt(project.dir)
    await grove.store.memories.put(
      memoryOf('mem_1', 1, 'Ada', {
        projectId,
        goal: 'Fix the token refresh: the expiry is compared in the wrong unit',
        files: ['src/auth/token.ts'],
      }),
    )
    const prompt = (text: string, session_id: string) =>
      handleHook(
        grove.world.parts,
        readHookEvent({ hook_event_name: 'UserPromptSubmit', session_id, cwd: project.dir, prompt: text }),
        silent,
      )
    const answer = await prompt('Add a test for the token refresh and its expiry', 's1')
    expect(answer.hookSpecificOutput?.additionalContext).toContain('Fix the token refresh')
    const again = await prompt('Now the token refresh expiry test for logged out users', 's1')
    expect(again.hookSpecificOutput?.additionalContext ?? '').not.toContain('Fix the token refresh')
    const other = await prompt('Which colour do the buttons have?', 's2')
    expect(other.hookSpecificOutput?.additionalContext ?? '').not.toContain('grove-memory')
  })
})
