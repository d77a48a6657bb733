import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { withBinary } from '../cli/grove.ts'
import {
  bash,
  contains,
  done,
  edit,
  files,
  guardStage,
  intents,
  read,
  resultsOf,
  select,
  use,
  write,
} from '../support/guard-stage.ts'
import { refusalIn } from '../support/refusals.ts'
import { simulatorOf, story } from '../support/story.ts'

// The real Claude Code in a project with intents. What it may write is decided before it writes, whatever way it takes,
// whether the daemon runs or not, and every line it writes is traced to its intent.

withBinary()

/** A small server that is not Grove's. */
const wiki = `import { createInterface } from 'node:readline'
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
const tool = (name, readOnlyHint) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint } })
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'wiki', version: '1' } })
  }
  if (method === 'tools/list') say(id, { tools: [tool('peek', true), tool('sweep', false)] })
  if (method === 'tools/call') say(id, { content: [{ type: 'text', text: params.name + ' was called' }] })
}
`

describe.concurrent('Claude Code in a project with intents', () => {
  it('sees the JSON error when it writes without an intent, selects one, writes in scope and is traced', async ({
    onTestFinished,
  }) => {
    const stage = await guardStage(
      onTestFinished,
      story(
        write('src/auth/new.ts', 'export const a = 1\n'),
        select,
        write('src/auth/new.ts', 'export const a = 1\n'),
        read('src/auth/token.ts'),
        edit('src/auth/token.ts', 'ttl = 5', 'ttl = 60'),
        read('src/billing.ts'),
        edit('src/billing.ts', 'price = 1', 'price = 2'),
        write('src/auth/legacy/new.ts', 'x'),
        done,
      ),
    )
    const { results } = await stage.run('Refresh the tokens')

    expect(refusalIn(results[0])).toMatchObject({
      status: 'error',
      code: 'intent_required',
      suggestion: expect.stringContaining('INT-001 (Refresh tokens)'),
    })
    expect(results[1]).toContain('<intent_context>')
    expect(results[1]).toContain('- No new dependencies')
    expect(results[2]).toContain('created successfully')
    expect(results[4]).toContain('updated successfully')
    expect(refusalIn(results[6])).toMatchObject({ code: 'scope_violation', message: contains('src/billing.ts') })
    expect(refusalIn(results[7])).toMatchObject({
      code: 'scope_violation',
      message: contains('src/auth/legacy/new.ts'),
    })
    expect(await stage.text('src/billing.ts')).toBe(files['src/billing.ts'])

    const [created, edited, ...more] = await stage.trace()
    expect(more).toEqual([])
    expect(created).toMatchObject({
      version: '0.1.0',
      vcs: { type: 'git', revision: await stage.project.git('rev-parse', 'HEAD') },
      files: [{ path: 'src/auth/new.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] }],
    })
    expect(edited).toMatchObject({
      files: [
        {
          path: 'src/auth/token.ts',
          conversations: [
            {
              contributor: { type: 'ai', model_id: expect.stringMatching(/^anthropic\/claude-opus-/) },
              ranges: [{ start_line: 1, end_line: 1, content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
              related: [{ type: 'specification', url: 'urn:grove:intent:INT-001' }],
            },
          ],
        },
      ],
      metadata: { 'dev.grove': { intent: 'INT-001', tool: 'Edit', mutation_class: 'INTENT_EVOLUTION' } },
    })
    // The rules were told at the start, before the first question to the model.
    expect(stage.simulator.requests.find(({ method }) => method === 'POST')!.body.toString()).toContain(
      '<grove-intents>',
    )
  })

  it.for(['with', 'without'])('meets the same rules in the shell, %s the daemon', async (mode, { onTestFinished }) => {
    const stage = await guardStage(
      onTestFinished,
      story(
        bash('echo x > src/auth/a.ts'),
        select,
        bash('sed -i s/5/60/ src/auth/token.ts'),
        bash('sed -i s/1/2/ src/billing.ts'),
        bash('node sneak.mjs'),
        bash('git restore -- src/billing.ts'),
        bash('cat src/billing.ts'),
        done,
      ),
      {
        'sneak.mjs':
          "import { writeFileSync } from 'node:fs'\nconst file = Buffer.from('c3JjL2JpbGxpbmcudHM=', 'base64').toString()\nwriteFileSync(file, 'sneaked in')\n",
      },
    )
    if (mode === 'with') await stage.daemon()
    const { results } = await stage.run('Refresh the tokens')

    expect(refusalIn(results[0])).toMatchObject({ code: 'intent_required' })
    expect(refusalIn(results[3])).toMatchObject({ code: 'scope_violation' })
    // Nobody can read in the command what it writes; so it ran, and the agent is told right after it.
    const told = stage.seen('Files outside the scope of intent INT-001 changed while Bash ran: src/billing.ts')
    expect(told).toBe(true)
    expect(stage.seen('git restore --source=')).toBe(true)
    expect(results[6]).toContain('price = 1')
    const records = await stage.trace()
    expect(records).toMatchObject([
      { files: [{ path: 'src/auth/token.ts' }], metadata: { 'dev.grove': { tool: 'Bash', intent: 'INT-001' } } },
      { files: [{ path: 'src/billing.ts' }], metadata: { 'dev.grove': { scope_violation: true } } },
    ])
  })

  it('is held to it under permission bypass, and when the daemon is killed in the middle', async ({
    onTestFinished,
  }) => {
    const stage = await guardStage(
      onTestFinished,
      story(
        select,
        bash('until [ -e src/auth/go ]; do sleep 0.1; done'),
        write('src/escape.ts', 'x'),
        bash('echo x > src/escape.ts'),
        write('src/auth/in.ts', 'export {}\n'),
        done,
      ),
    )
    const daemon = await stage.daemon()
    const running = await stage.start('Go', {
      args: ['--permission-mode', 'bypassPermissions'],
      env: { GROVE_HOME: stage.at.home, MCP_CONNECTION_NONBLOCKING: '0', IS_SANDBOX: '1' },
    })
    const calls = () => stage.simulator.requests.filter(({ method }) => method === 'POST').length
    await stage.simulator.until(() => calls() >= 2)
    daemon.kill('SIGKILL')
    await daemon.exit
    await writeFile(join(stage.project.dir, 'src/auth/go'), '')
    const results = resultsOf(await running.done)
    expect(results[0]).toContain('<intent_context>')
    expect(refusalIn(results[2])).toMatchObject({ code: 'scope_violation' })
    expect(refusalIn(results[3])).toMatchObject({ code: 'scope_violation' })
    expect(results[4]).toContain('created successfully')
    expect(existsSync(join(stage.project.dir, 'src/escape.ts'))).toBe(false)
  })

  it('may use tools of other servers that declare they only read, and no others, before it selects', async ({
    onTestFinished,
  }) => {
    const stage = await guardStage(
      onTestFinished,
      story(use('mcp__wiki__peek', {}), use('mcp__wiki__sweep', {}), done),
      {
        'wiki.mjs': wiki,
        '.claude/settings.local.json': JSON.stringify({ enabledMcpjsonServers: ['wiki'] }),
        '.mcp.json': JSON.stringify({ mcpServers: { wiki: { command: process.execPath, args: ['wiki.mjs'] } } }),
      },
    )
    const { results } = await stage.run('Look it up', {
      args: ['--mcp-config=.mcp.json', '--allowedTools=mcp__wiki'],
    })
    expect(results[0]).toBe('peek was called')
    expect(refusalIn(results[1])).toMatchObject({ code: 'intent_required' })
  })

  it('lets a subagent choose for itself', async ({ onTestFinished }) => {
    const two =
      intents + intents.slice(intents.indexOf('  - id')).replace('INT-001', 'INT-002').replace('src/auth/**', 'docs/**')
    const main = (reply: object) => ({ when: { agent: false }, reply })
    const helper = (reply: object) => ({ when: { agent: true }, reply })
    const stage = await guardStage(
      onTestFinished,
      {
        name: 'story',
        vars: {},
        replies: [
          main(select),
          main(use('Agent', { description: 'Docs', prompt: 'Write the docs', subagent_type: 'general-purpose' })),
          helper(use('mcp__grove__select_active_intent', { intent_id: 'INT-002' })),
          helper(write('src/auth/no.ts', 'x')),
          helper(write('docs/yes.md', 'x')),
          helper({ text: 'Written.' }),
          main(write('src/auth/yes.ts', 'export {}\n')),
          main(write('docs/no.md', 'x')),
          main(done),
        ].map((entry) => ({ ...entry, repeat: 1 })),
        // Newer clients do not wait for a subagent; its end is then one more turn.
        default: done,
      } as unknown as Scenario,
      { '.orchestration/active_intents.yaml': two },
    )
    await stage.run('Do both')
    const traced = (await stage.trace()).map(({ files: [file], metadata }) => ({
      path: file!.path,
      ...metadata!['dev.grove']!,
    }))
    expect(traced.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
      { path: 'docs/yes.md', intent: 'INT-002', agent: expect.any(String) },
      { path: 'src/auth/yes.ts', intent: 'INT-001' },
    ])
    expect(existsSync(join(stage.project.dir, 'docs/no.md'))).toBe(false)
    expect(existsSync(join(stage.project.dir, 'src/auth/no.ts'))).toBe(false)
  })
})

describe('two Claude Codes at once', () => {
  it('fight over one file, and neither loses the work of the other', async ({ onTestFinished }) => {
    const line = (name: string) => `export const ${name} = 1\n`
    const base = files['src/auth/token.ts']
    const wait = (name: string) => bash(`until [ -e src/auth/${name} ]; do sleep 0.05; done; true`)
    const say = (name: string) => bash(`touch src/auth/${name}`)
    const first = await guardStage(
      onTestFinished,
      story(
        select,
        read('src/auth/token.ts'),
        say('a-has-read'),
        wait('b-has-read'),
        write('src/auth/token.ts', base + line('first')),
        say('a-has-written'),
        done,
      ),
    )
    // The second one reads before the first writes, and tries every way to write what it then believes.
    const blind = `${base}${line('second')}`
    const second = await simulatorOf(
      onTestFinished,
      story(
        select,
        read('src/auth/token.ts'),
        say('b-has-read'),
        wait('a-has-written'),
        bash(`printf '%s' '${blind}' > src/auth/token.ts`),
        write('src/auth/token.ts', blind),
        read('src/auth/token.ts'),
        write('src/auth/token.ts', base + line('first') + line('second')),
        done,
      ),
      first.project.dir,
    )
    const a = first.start('First')
    const b = first.start('Second', { baseUrl: second.url })
    const [, results] = (await Promise.all([(await a).done, (await b).done])).map(resultsOf)
    expect(refusalIn(results![4])).toMatchObject({ code: 'stale_file', message: contains('src/auth/token.ts') })
    expect(results![5]).toMatch(/stale_file|modified since read/)
    expect(results![7]).toContain('updated successfully')
    expect(await first.text('src/auth/token.ts')).toBe(base + line('first') + line('second'))
    const writers = (await first.trace()).filter(({ files: [file] }) => file!.path === 'src/auth/token.ts')
    expect(new Set(writers.map(({ metadata }) => metadata!['dev.grove']!.session)).size).toBe(2)
  })
})
