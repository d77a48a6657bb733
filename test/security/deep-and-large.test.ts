import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dist, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'

// Input that is nested a hundred thousand deep, or far too much, on every way into a running daemon. It has little memory,
// so that a defence that fails ends the daemon and not the machine; after each attack it must still answer.

withBinary()

const DEPTH = 100_000
const LISTS = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
const MAPS = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

let at: Place
let daemon: Running
let answer: (response: ServerResponse) => void = (response) => response.end('{}')
const upstream = createServer((request, response) => request.resume().on('end', () => answer(response)))

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  at = place({ ANTHROPIC_TARGET: `http://127.0.0.1:${port}`, NODE_OPTIONS: '--max-old-space-size=600' })
  mkdirSync(join(at.cwd, '.orchestration'))
  daemon = await startGrove(at, 'up')
})
afterAll(() => {
  daemon?.kill('SIGKILL')
  upstream.closeAllConnections()
  upstream.close()
})

const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

async function tell(event: string, body: string) {
  const response = await post(`${daemon.url('Web')}/hooks/${event}`, body, daemon.asTool())
  expect(response.status).toBe(200)
  return response.json() as Promise<{ hookSpecificOutput?: { permissionDecisionReason?: string } }>
}

const write = (id: string) => ({
  session_id: id,
  cwd: at.cwd,
  transcript_path: join(at.cwd, 'transcript.jsonl'),
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_use_id: `toolu_${id}`,
  tool_input: { file_path: join(at.cwd, 'a.ts'), content: 'x' },
})

async function isAlive() {
  expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
}

describe('nested a hundred thousand deep', () => {
  it.each([
    ['lists', LISTS],
    ['maps', MAPS],
  ])('%s in a hook, the API and a request stop nothing', { timeout: 120_000 }, async (_, deep) => {
    const head = `"session_id":"deep","cwd":${JSON.stringify(at.cwd)}`
    await tell('user-prompt-submit', `{${head},"hook_event_name":"UserPromptSubmit","prompt":${deep}}`)
    for (const tool of ['Write', 'Bash', 'mcp__a__b'])
      await tell('pre-tool-use', `{${head},"hook_event_name":"PreToolUse","tool_name":"${tool}","tool_input":${deep}}`)
    await tell('post-tool-use', `{${head},"hook_event_name":"PostToolUse","tool_name":"Write","tool_response":${deep}}`)
    await tell('stop', deep)
    const api = await post(`${daemon.url('Web')}/api/features`, deep, daemon.asTool())
    expect(api.status).toBeGreaterThanOrEqual(400)
    const content = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":${deep}}]}`
    expect((await post(`${daemon.url('Proxy')}/v1/messages`, content, { 'x-api-key': 'k' })).status).toBe(200)
    await isAlive()
  })

  it('an event of a stream is passed on as it came', async () => {
    const event = `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":${MAPS}}\n\n`
    answer = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event)
    const request =
      '{"model":"claude-sonnet-4-5","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"a"}]}'
    const response = await post(`${daemon.url('Proxy')}/v1/messages`, request, { 'x-api-key': 'k' })
    expect(await response.text()).toBe(event)
    await isAlive()
  })

  it.each([
    ['.orchestration/active_intents.yaml', `active_intents: ${LISTS}`],
    ['.grove/config.toml', `a = ${LISTS}`],
    ['.grove/config.toml', `[${Array(DEPTH).fill('a').join('.')}]`],
    ['.claude/settings.json', MAPS],
    ['.mcp.json', `{"mcpServers":${MAPS}}`],
    ['.beads/issues.jsonl', `${MAPS}\n`],
    ['transcript.jsonl', `{"type":"assistant","message":{"role":"assistant","content":${LISTS}}}\n`],
  ])('a file of the project at %s stops nothing', { timeout: 120_000 }, async (name, text) => {
    const path = join(at.cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    await tell('pre-tool-use', JSON.stringify(write(`file-${name}`)))
    await tell('stop', JSON.stringify({ ...write(`file-${name}`), hook_event_name: 'Stop' }))
    writeFileSync(path, '')
    await isAlive()
  })

  it('arguments of a tool end no MCP server', { timeout: 120_000 }, async () => {
    const server = spawn(process.execPath, [join(dist, 'grove.js'), 'mcp'], {
      ...at,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const say = (text: string) => server.stdin.write(`${text}\n`)
    let heard = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
    say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
    say('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"grove_search_memory","arguments":${MAPS}}}`)
    say(LISTS)
    say('{"jsonrpc":"2.0","id":3,"method":"tools/list"}')
    await expect.poll(() => heard.includes('"id":3'), { timeout: 60_000 }).toBe(true)
    server.kill('SIGKILL')
  })
})

describe('far too much', () => {
  it('of shell is not read, and the hook is answered', { timeout: 120_000 }, async () => {
    for (const command of ['echo $(a; '.repeat(700_000), 'cat a > b; '.repeat(700_000), '('.repeat(DEPTH)])
      await tell('pre-tool-use', JSON.stringify({ ...write('shell'), tool_name: 'Bash', tool_input: { command } }))
    await isAlive()
  })

  it('in one intent is refused with a reason', { timeout: 120_000 }, async () => {
    const globs = Array.from({ length: 200_000 }, (_, n) => `      - src/${n}/**\n`).join('')
    const file = join(at.cwd, '.orchestration', 'active_intents.yaml')
    writeFileSync(
      file,
      `active_intents:\n  - id: A\n    name: All\n    status: IN_PROGRESS\n    owned_scope:\n${globs}`,
    )
    const { hookSpecificOutput } = await tell('pre-tool-use', JSON.stringify(write('intents')))
    expect(hookSpecificOutput?.permissionDecisionReason).toContain('larger than 128 KB')
    await isAlive()
  })
})
