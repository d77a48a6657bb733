import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { newTask } from '../../src/core/task.ts'
import { callerPart } from '../../src/mcp/caller.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { dist, grove, place, withBinary } from '../cli/grove.ts'
import { runClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'

// `grove mcp` as its two kinds of clients see it: any MCP client, and Claude Code with its own ways.

withBinary()

type WhenFinished = (work: () => Promise<void> | void) => void

describe('grove mcp', () => {
  it('says who it is and what it offers', async ({ onTestFinished }) => {
    const { client } = await connect(onTestFinished)
    expect(client.getServerVersion()).toMatchObject({ name: 'grove' })
    expect(client.getInstructions()).toContain('grove_status')
    const { tools } = await client.listTools()
    expect(tools).toContainEqual(
      expect.objectContaining({
        name: 'grove_status',
        annotations: expect.objectContaining({ readOnlyHint: true }),
        inputSchema: expect.objectContaining({ type: 'object' }),
      }),
    )
  })

  it('tells the agent what Grove believes it is doing', async ({ onTestFinished }) => {
    const { client, store } = await connect(onTestFinished, { CLAUDE_CODE_SESSION_ID: 's1' })
    await store.tasks.create(
      newTask({ id: 't1', sessionId: 's1', kind: 'main', instruction: 'Fix it', goal: 'Fix the login' }, 1),
    )
    expect(JSON.parse(await call(client, 'grove_status'))).toMatchObject({ goal: 'Fix the login', mode: 'normal' })
  })

  it('finds the session of a call by its tool_use_id, also when the window has begun another one', async ({
    onTestFinished,
  }) => {
    const { client, store } = await connect(onTestFinished, { CLAUDE_CODE_SESSION_ID: 'before-clear' })
    await store.tasks.create(
      newTask({ id: 't2', sessionId: 'after-clear', kind: 'main', instruction: 'x', goal: 'The new goal' }, 1),
    )
    const about = { session_id: 'after-clear', tool_use_id: 'toolu_1', tool_name: 'mcp__grove__grove_status' }
    const part = callerPart({ states: store.states, clock: { now: () => 1 } })
    await part.handle(readHookEvent({ ...about, hook_event_name: 'PreToolUse', tool_input: {} }))
    const answer = await call(client, 'grove_status', {}, { 'claudecode/toolUseId': 'toolu_1' })
    expect(JSON.parse(answer)).toMatchObject({ goal: 'The new goal' })
  })

  it('goes on for a client that probes for a newer protocol and then falls back', async ({ onTestFinished }) => {
    const { env, cwd } = place({ CLAUDE_CODE_SESSION_ID: 's1' })
    const child = spawn(process.execPath, [join(dist, 'grove.js'), 'mcp'], {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
    const ask = async (id: string, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return JSON.parse((await answers.next()).value) as { result?: { content?: { text: string }[] } }
    }
    const clientInfo = { name: 'test', version: '1' }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    expect(await ask('probe', 'server/discover', { _meta })).toHaveProperty('result')
    await ask('1', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    const said = await ask('2', 'tools/call', { name: 'grove_status', arguments: {} })
    expect(said.result?.content?.[0]?.text).not.toContain('could not')
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('says in words what is wrong with a call', async ({ onTestFinished }) => {
    const { client } = await connect(onTestFinished)
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(/no_such_tool/)
  })
})

describe('Claude Code with the tools of Grove', () => {
  it('gets them by `grove init`, and is answered for its own session', async ({ onTestFinished }) => {
    const { at, simulator, project, run } = await setStage(onTestFinished, 'mcp__grove__grove_status')
    await grove(at, 'init', '--transport', 'command')
    const outcome = await run('Look at src/login.ts', ['--allowedTools=mcp__grove'])
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Now I know the goal.' } })
    const init = outcome.lines.find(({ subtype }) => subtype === 'init')
    expect(init?.mcp_servers).toContainEqual(expect.objectContaining({ name: 'grove', status: 'connected' }))
    const answered = simulator.requests.at(-1)!.body.toString('utf8')
    expect(answered).toContain('src/login.ts')
    expect(answered).toContain('expected_scope')
    expect(project.dir).toBeDefined()
  })

  it('gets them, and the hooks, by the plugin', async ({ onTestFinished }) => {
    const { simulator, run } = await setStage(onTestFinished, 'mcp__plugin_grove_grove__grove_status')
    const args = ['--plugin-dir', join(dist, 'plugin'), '--allowedTools=mcp__plugin_grove_grove']
    const outcome = await run('Look at src/login.ts', args)
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Now I know the goal.' } })
    const init = outcome.lines.find(({ subtype }) => subtype === 'init')
    expect(init?.slash_commands).toEqual(expect.arrayContaining(['grove:status', 'grove:reflect', 'grove:intent']))
    expect(init?.skills).toContain('grove:grove')
    expect(simulator.requests.at(-1)!.body.toString('utf8')).toContain('expected_scope')
  })
})

/** An MCP client on a server of its own, and a look into its store. */
async function connect(whenFinished: WhenFinished, env: Record<string, string> = {}) {
  const at = place(env)
  const store = await openSqliteStore({ file: join(at.home, 'grove.db') })
  whenFinished(() => store.close())
  const client = new Client({ name: 'test', version: '1' })
  const server = { command: process.execPath, args: [join(dist, 'grove.js'), 'mcp'], env: at.env, cwd: at.cwd }
  await client.connect(new StdioClientTransport(server))
  whenFinished(() => client.close())
  return { client, store }
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  _meta?: Record<string, unknown>,
) {
  const { content } = await client.callTool({ name, arguments: input, ...(_meta && { _meta }) })
  const [first] = content as { type: string; text: string }[]
  return first!.text
}

async function setStage(whenFinished: WhenFinished, tool: string) {
  const project = await createProject({ 'src/login.ts': 'export {}\n' })
  whenFinished(project.remove)
  const simulator = await simulatorOf(
    whenFinished,
    story({ tool_use: [{ name: tool, input: {} }] }, { text: 'Now I know the goal.' }),
    project.dir,
  )
  const at = { ...place({ ANTHROPIC_TARGET: simulator.url }), cwd: project.dir }
  const run = (prompt: string, args: string[]) =>
    runClaude({
      baseUrl: simulator.url,
      prompt,
      cwd: project.dir,
      home: at.env.HOME!,
      args,
      env: { GROVE_HOME: at.home, MCP_CONNECTION_NONBLOCKING: '0' },
    })
  return { at, simulator, project, run }
}
