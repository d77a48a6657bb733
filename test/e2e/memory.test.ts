import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectAt } from '../../src/exec/git/git.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { handleHook } from '../../src/supervisor/handle-hook.ts'
import { setStage } from '../support/stage.ts'
import { memoryOf } from '../support/team-memories.ts'
import { brokenPrefixes } from '../support/traffic.ts'

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

const chat = parseScenario('replies:\n  - reply: "Understood."\n    repeat: forever\n', 'chat')

const tokenMemory = (projectId: string) =>
  memoryOf('mem_1', 1, 'Ada', {
    projectId,
    goal: 'Fix the token refresh: the expiry is compared in the wrong unit',
    files: ['src/auth/token.ts'],
  })

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
    const { grove, simulator, tap, run } = await setStage(onTestFinished, script, files)
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
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(grove.warnings.filter((line) => line.includes('memor'))).toEqual([])
  })

  it('stays where it was when the session is resumed, and comes no second time; nor with hooks beside the proxy', async ({
    onTestFinished,
  }) => {
    const { grove, simulator, tap, run, project } = await setStage(onTestFinished, chat, files)
    const { id: projectId } = await projectAt(project.dir)
    await grove.store.memories.put(tokenMemory(projectId))
    const blocksOf = (from: number) => simulator.requests.slice(from).map(memoriesIn)
    const ends = (session_id: string) =>
      handleHook(grove.parts, readHookEvent({ hook_event_name: 'SessionEnd', session_id, reason: 'other' }), silent)

    // The ranking is loaded with the first question; here that is not to be waited for.
    await (await grove.world.memory()).find(projectId, { text: 'warm up', limit: 1 })
    for (const settings of [undefined, grove.hookSettings]) {
      const attached = settings ? { settings } : {}
      const first = simulator.requests.length
      const { sessionId } = await run('Add a test for the token refresh and its expiry', attached)
      await ends(sessionId!)
      for (const prompt of ['Now the token refresh expiry for logged out users', 'yes, go on']) {
        await run(prompt, { ...attached, args: ['--resume', sessionId!] })
        await ends(sessionId!)
      }
      const shown = blocksOf(first).filter((blocks) => blocks.length > 0)
      // On a machine that is very busy the proxy sends it with the second request, at the end.
      expect(shown.length).toBeGreaterThanOrEqual(settings ? 3 : 2)
      expect(shown.every((blocks) => blocks.length === 1)).toBe(true)
      expect(new Set(shown.flat()).size).toBe(1)
      expect(await grove.store.memoryUses.ofSession(sessionId!)).toHaveLength(1)
      expect(await grove.store.injections.ofSession(sessionId!, 9)).toMatchObject([
        {
          kind: 'context',
          place: settings ? 'hook' : expect.stringMatching(/^(system|message)$/),
          why: expect.stringContaining('token'),
        },
      ])
    }
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(simulator.problems).toEqual([])
    expect(grove.warnings).toEqual([])
  })

  it('reaches an agent whose prompts only the hooks tell of', async ({ onTestFinished }) => {
    const { grove, project } = await setStage(onTestFinished, script, files)
    const { id: projectId } = await projectAt(project.dir)
    await grove.store.memories.put(tokenMemory(projectId))
    const prompt = (text: string, session_id: string) =>
      handleHook(
        grove.parts,
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

  it('is there from the start for whoever goes on with it on its branch, in any folder of the project', async ({
    onTestFinished,
  }) => {
    const { grove, project } = await setStage(onTestFinished, chat, files)
    await project.git('switch', '--quiet', '--create', 'token-refresh')
    const hook = (name: string, session_id: string, more: object) => {
      const cwd = join(project.dir, 'src')
      return handleHook(grove.parts, readHookEvent({ hook_event_name: name, session_id, cwd, ...more }), silent)
    }
    await hook('UserPromptSubmit', 's1', { prompt: 'Fix the token refresh in auth/token.ts' })
    const tool_input = { file_path: join(project.dir, 'src/auth/token.ts'), old_string: '/ 1000', new_string: '' }
    await hook('PostToolUse', 's1', { tool_use_id: 't1', tool_name: 'Edit', tool_input, tool_response: {} })
    await hook('SessionEnd', 's1', { reason: 'other' })
    expect(await grove.store.memories.list(undefined, { limit: 9 })).toMatchObject([
      { files: ['src/auth/token.ts'], branch: 'token-refresh', status: 'partial' },
    ])
    const start = await hook('SessionStart', 's2', { source: 'startup' })
    expect(start.hookSpecificOutput?.additionalContext).toContain('Fix the token refresh')
    await project.git('switch', '--quiet', 'main')
    const elsewhere = await hook('SessionStart', 's3', { source: 'startup' })
    expect(elsewhere.hookSpecificOutput?.additionalContext ?? '').not.toContain('grove-memory')
  })
})

describe('A project that says so in its own settings', () => {
  it('remembers nothing and is shown nothing', async ({ onTestFinished }) => {
    const closed = { ...files, '.grove/config.toml': '[memory]\nremember = false\ninject = false\n' }
    const { grove, simulator, run, project } = await setStage(onTestFinished, script, closed)
    const { id: projectId } = await projectAt(project.dir)
    await grove.store.memories.put(tokenMemory(projectId))
    const { sessionId } = await run('Fix the token refresh in src/auth/token.ts: the expiry is in the wrong unit', {
      settings: grove.hookSettings,
    })
    await grove.until(() => grove.turns.length === 3)
    expect(simulator.requests.flatMap(memoriesIn)).toEqual([])
    const end = { hook_event_name: 'SessionEnd', session_id: sessionId, cwd: project.dir, reason: 'other' }
    await handleHook(grove.parts, readHookEvent(end), silent)
    expect(await grove.store.memories.list(undefined, { limit: 9 })).toMatchObject([{ id: 'mem_1' }])
    expect(await grove.store.tasks.ofSession(sessionId!)).toEqual([])
    expect(grove.warnings).toEqual([])
  })
})

describe('A pause', () => {
  it('lets the client through untouched and keeps nothing, until it is over', async ({ onTestFinished }) => {
    const { grove, simulator, tap, run, project } = await setStage(onTestFinished, script, files)
    const { id: projectId } = await projectAt(project.dir)
    await grove.store.memories.put(tokenMemory(projectId))
    const pauses = await grove.world.pauses()
    await pauses.pause({ type: 'project', id: projectId }, undefined)
    await run('Fix the token refresh in src/auth/token.ts: the expiry is in the wrong unit', {
      settings: grove.hookSettings,
    })
    await grove.until(() => grove.turns.length === 3)
    expect(simulator.requests.flatMap(memoriesIn)).toEqual([])
    expect(await grove.store.counts()).toMatchObject({ sessions: 0, tasks: 0, steps: 0, turns: 0, memories: 1 })

    await pauses.resume()
    await run('Add a test for the token refresh and its expiry', { settings: grove.hookSettings })
    await grove.until(() => grove.turns.length === 5)
    expect(await grove.store.counts()).toMatchObject({ sessions: 1, tasks: 1 })
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(grove.warnings).toEqual([])
  })
})
