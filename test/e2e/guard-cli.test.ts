import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, withBinary } from '../cli/grove.ts'
import { createProject } from '../support/project.ts'

// What a person does with intents and the trace in a terminal. No agent, no daemon; hooks are asked by hand.

withBinary()

type WhenFinished = (work: () => Promise<void> | void) => void

async function terminal(whenFinished: WhenFinished, files: Record<string, string> = {}) {
  const project = await createProject({ 'src/a.ts': 'export const a = 1\n', ...files })
  whenFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  whenFinished(() => rm(join(at.home, '..'), { recursive: true, force: true }))
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await grove(at, ...args)
    return { code, stdout, stderr, json: () => JSON.parse(stdout) }
  }
  const yaml = () => readFile(join(project.dir, '.orchestration/active_intents.yaml'), 'utf8')
  return { project, at, run, yaml }
}

describe('grove intent', () => {
  it('declares, lists, shows and closes intents, and leaves the rest of the file alone', async ({ onTestFinished }) => {
    const { run, yaml, project } = await terminal(onTestFinished)
    expect(await run('intent', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('grove intent add') })
    expect(existsSync(join(project.dir, '.orchestration'))).toBe(false)

    const args = [
      '--scope',
      'src/**',
      '!src/gen/**',
      '--constraint',
      'no new dependencies',
      '--criterion',
      'tests pass',
    ]
    expect(await run('intent', 'add', 'Refresh tokens', ...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('INT-001 was added'),
    })
    await writeFile(join(project.dir, '.orchestration/active_intents.yaml'), `${await yaml()}  # keep me\n`)
    expect((await run('intent', 'add', 'Billing', '--scope', 'lib/**', '--json')).json()).toMatchObject({
      id: 'INT-002',
      ownedScope: ['lib/**'],
    })
    expect((await run('intent', 'list')).stdout).toMatch(/INT-001 +in_progress +Refresh tokens +src\/\*\*, !src\/gen/)
    expect((await run('intent', 'show', 'INT-001')).stdout).toContain('no new dependencies')
    expect((await run('intent', 'add', 'x', '--id', 'INT-001')).stderr).toContain('already')
    expect((await run('intent', 'add', 'x', '--scope', '')).stderr).toContain('A scope is empty.')
    expect(await run('intent', 'done', 'INT-001')).toMatchObject({ code: 0 })
    expect((await run('intent', '--json')).json().intents.map(({ id }: { id: string }) => id)).toEqual(['INT-002'])
    expect((await run('intent', 'list', '--all', '--json')).json().intents).toHaveLength(2)
    expect(await yaml()).toContain('  # keep me\n')
    expect((await run('intent', 'show', 'INT-009')).stderr).toContain('Open ones: INT-002')
  })

  it('checks the file, with line and column, and what may be written', async ({ onTestFinished }) => {
    const { run, project } = await terminal(onTestFinished)
    await run('intent', 'add', 'One', '--scope', 'src/**')
    expect(await run('intent', 'check')).toMatchObject({ code: 0, stdout: '1 intent, no problems found.\n' })
    expect(await run('intent', 'check', 'src/x.ts')).toMatchObject({ code: 0, stdout: 'src/x.ts  INT-001\n' })
    expect(await run('intent', 'check', 'lib/x.ts', '../x')).toMatchObject({ code: 1 })
    expect((await run('intent', 'check', 'lib/x.ts', '--json')).json()).toMatchObject({
      paths: [{ path: 'lib/x.ts', intents: [{ id: 'INT-001', allowed: false }] }],
    })
    await run('intent', 'add', 'Two')
    await writeFile(join(project.dir, '.orchestration/.intentignore'), 'INT-01\n')
    expect(await run('intent', 'check')).toMatchObject({
      code: 0,
      stderr:
        'INT-002 has no scope, so agents cannot write anything for it.\n.intentignore names INT-01, but there is no such intent.\n',
    })
    await writeFile(join(project.dir, '.orchestration/active_intents.yaml'), 'active_intents:\n  - name: x\n')
    expect(await run('intent', 'check')).toMatchObject({
      code: 1,
      stderr: 'active_intents.yaml:2:5: `id` must be a text\n',
    })
  })

  it('selects for a session, and hooks then let it write', async ({ onTestFinished }) => {
    const { run, project, at } = await terminal(onTestFinished)
    await run('intent', 'add', 'One', '--scope', 'src/**')
    const ask = async (file: string, env = {}) => {
      const tool_input = { file_path: join(project.dir, file), content: 'x' }
      const event = { session_id: 'ses-1', cwd: project.dir, tool_name: 'Write', tool_input, tool_use_id: 't1' }
      return hook({ ...at, env: { ...at.env, ...env } }, 'pre-tool-use', event)
    }
    expect(await ask('src/a.ts')).toMatchObject({ permissionDecision: 'deny' })
    expect((await run('intent', 'select', 'INT-001')).stderr).toContain('--session')
    const said = await run('intent', 'select', 'INT-001', '--session', 'ses-1')
    expect(said.stdout).toContain('<intent_context>')
    expect(await ask('src/a.ts')).toBeUndefined()
    expect(await ask('lib/a.ts')).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('"scope_violation"'),
    })
    // The agent itself can neither declare intents nor answer requests.
    const agent = { ...at, env: { ...at.env, CLAUDE_CODE_SESSION_ID: 'ses-1' } }
    expect((await grove(agent, 'intent', 'add', 'All', '--scope', '**')).stderr).toContain('An agent cannot')
    expect((await grove(agent, 'intent', 'approve', 'apr-1')).stderr).toContain('An agent cannot')
    expect((await run('intent', 'approve', 'apr-1')).stderr).toContain('There is no request apr-1')
    expect((await run('intent', 'approve')).stdout).toBe('No request is waiting for an answer.\n')
  })
})

describe('grove trace', () => {
  it('logs, blames and verifies', async ({ onTestFinished }) => {
    const { run, project, at } = await terminal(onTestFinished)
    await run('intent', 'add', 'One', '--scope', 'src/**')
    expect((await run('trace', 'log')).stdout).toMatch(/Nothing has been traced yet.*run `grove init`/)
    await run('intent', 'select', 'INT-001', '--session', 'ses-1')
    const content = 'export const a = 1\nexport const added = 2\n'
    await writeFile(join(project.dir, 'src/a.ts'), content)
    await hook(at, 'post-tool-use', {
      session_id: 'ses-1',
      cwd: project.dir,
      tool_name: 'Write',
      tool_use_id: 't1',
      tool_input: { file_path: join(project.dir, 'src/a.ts'), content },
      tool_response: { content, originalFile: 'export const a = 1\n' },
    })
    expect((await run('trace', 'log')).stdout).toMatch(/INT-001 +evolution +Write +src\/a\.ts:2 +ses-1/)
    expect((await run('trace', '--json', '--intent', 'INT-001')).json().records).toHaveLength(1)
    expect((await run('trace', 'log', '--intent', 'INT-002', '--json')).json()).toEqual({ records: [] })

    await mkdir(join(project.dir, 'sub'), { recursive: true })
    const below = { ...at, cwd: join(project.dir, 'sub') }
    const { lines } = JSON.parse((await grove(below, 'trace', 'blame', '../src/a.ts', '--json')).stdout)
    expect(lines).toMatchObject([{ origin: null }, { origin: { intent: 'INT-001', session: 'ses-1' } }])
    expect((await run('trace', 'blame', 'src/a.ts')).stdout).toMatch(/^- +1 {2}export.*\nINT-001 {2}ses-1/)
    expect((await run('trace', 'blame', 'none.ts')).stderr).toContain('no file none.ts')
    const outside = join(at.home, '..', 'notes.txt')
    await writeFile(outside, 'nothing of the project\n')
    expect(await run('trace', 'blame', outside)).toMatchObject({ code: 1, stdout: '' })

    await project.git('add', '-A')
    await project.git('commit', '-qm', 'work')
    expect((await run('trace', 'verify')).stdout).toMatch(/Lines with an intent +1 of 2 \(50 %\)/)
    expect((await run('trace', 'verify', '--since', 'HEAD~1', '--strict')).code).toBe(0)
    expect((await run('trace', 'verify', '--strict')).code).toBe(1)
    expect((await run('trace', 'verify', '--rev', 'nowhere')).stderr).toContain('no commit nowhere')
    const ledger = join(project.dir, '.orchestration/agent_trace.jsonl')
    const written = await readFile(ledger, 'utf8')
    await writeFile(ledger, written.replace('ses-1', 'ses-2'))
    expect(await run('trace', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 damaged line of 1'),
      stderr: expect.stringContaining('agent_trace.jsonl:1: this record was changed'),
    })
    await writeFile(ledger, `${written}torn`)
    expect(await run('trace', 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('agent_trace.jsonl:2'),
    })
  })
})

/** Asks a hook as the client does; resolves to what it says about the event, if anything. */
async function hook({ env, cwd }: Place, event: string, payload: object) {
  const child = spawn(process.execPath, [join(dist, 'hook.cjs'), 'hook', event], { cwd, env })
  child.stdin.end(JSON.stringify(payload))
  return JSON.parse(await text(child.stdout)).hookSpecificOutput
}
