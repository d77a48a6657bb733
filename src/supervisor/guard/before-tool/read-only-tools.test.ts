import { existsSync } from 'node:fs'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'

/** A real server over standard input and output, with its tools on two pages; it notes each time it is started. */
const server = `import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
appendFileSync(process.env.STARTS, 'x')
console.log('Hello from the server')
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
const pages = {
  first: { tools: [{ name: 'get page', annotations: { readOnlyHint: true } }, { name: 'put' }], nextCursor: 'b' },
  b: { tools: [{ name: 'sweep', annotations: { readOnlyHint: false } }, { name: 'peek', annotations: { readOnlyHint: true } }] },
}
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} } })
  if (method === 'tools/list') say(id, pages[params.cursor ?? 'first'])
}
`
const config = (starts: string, command = process.execPath) =>
  JSON.stringify({
    mcpServers: { 'my wiki': { command, args: ['$' + '{SCRIPT:-server.mjs}'], env: { STARTS: starts } } },
  })

describe('a tool of another server', () => {
  async function stage(whenFinished: Parameters<typeof guarded>[0], enabled = ['my wiki']) {
    const guard = await guarded(whenFinished, {
      '.orchestration/active_intents.yaml': intentsYaml({ docs: ['docs/**'] }),
      'server.mjs': server,
      '.claude/settings.local.json': JSON.stringify({ enabledMcpjsonServers: enabled }),
    })
    const starts = join(guard.home, 'starts')
    const file = join(guard.dir, '.mcp.json')
    await writeFile(file, config(starts))
    const long = new Date(Date.now() - 60_000)
    await utimes(file, long, long)
    const call = async (tool: string) => (await guard.gate(tool, {}))?.code ?? 'allowed'
    const started = async () => (existsSync(starts) ? (await readFile(starts, 'utf8')).length : 0)
    return { ...guard, call, started, starts, file }
  }

  it('is not started when the user has not enabled its server: it came with the project', async ({
    onTestFinished,
  }) => {
    const { call, started, hook } = await stage(onTestFinished, [])
    await new Promise((done) => setTimeout(done, 20))
    await hook({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(await call('mcp__my_wiki__get_page')).toBe('intent_required')
    expect(await started()).toBe(0)
  })

  it('needs no intent when it declares that it only reads; its server is asked once', async ({ onTestFinished }) => {
    const { call, started, hook } = await stage(onTestFinished)
    // The file's inode is newer than its times say, so the session begins a moment later.
    await new Promise((done) => setTimeout(done, 20))
    await hook({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(await call('mcp__my_wiki__get_page')).toBe('allowed')
    expect(await call('mcp__my_wiki__peek')).toBe('allowed')
    expect(await call('mcp__my_wiki__put')).toBe('intent_required')
    expect(await call('mcp__my_wiki__sweep')).toBe('intent_required')
    expect(await call('mcp__other__get')).toBe('intent_required')
    expect(await started()).toBe(1)
  })

  it('is not asked about by a configuration that was changed during the session', async ({ onTestFinished }) => {
    const { call, started, hook, starts, file } = await stage(onTestFinished)
    await hook({ hook_event_name: 'SessionStart', source: 'startup' })
    await new Promise((done) => setTimeout(done, 20))
    await writeFile(file, config(starts))
    expect(await call('mcp__my_wiki__get_page')).toBe('intent_required')
    expect(await started()).toBe(0)
  })

  it('needs an intent when its server does not answer', async ({ onTestFinished }) => {
    const { call, hook, starts, file, trouble } = await stage(onTestFinished)
    await writeFile(file, config(starts, 'no-such-program-of-anybody'))
    await new Promise((done) => setTimeout(done, 20))
    await hook({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(await call('mcp__my_wiki__get_page')).toBe('intent_required')
    expect(trouble).toEqual([])
  })
})
