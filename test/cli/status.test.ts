import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newTask } from '../../src/core/task.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { grove, type Place, place, startGrove, watch, withBinary } from './grove.ts'

withBinary()

/** A home with one live session at work, one older one, and two memories. */
async function lived(env: Record<string, string> = {}): Promise<Place> {
  const here = place(env)
  mkdirSync(here.home)
  const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
  const now = Date.now()
  await store.projects.put({ id: 'p', name: 'shop', root: '/src/shop' })
  const id = '0f3a9c21-0000-4000-8000-000000000000'
  await store.sessions.see({
    id,
    at: now,
    through: 'proxy',
    projectId: 'p',
    model: 'claude-opus-4-8',
    contextTokens: 84_213,
  })
  await store.sessions.see({ id: 'older', at: now - 86_400_000, through: 'proxy', projectId: 'p' })
  await store.tasks.create(
    newTask({ id: 't', sessionId: id, kind: 'main', instruction: 'x', goal: 'Add a basket\x1b[2J' }, now),
  )
  const memory = {
    projectId: 'p',
    instruction: 'x',
    goal: 'x',
    reasoningTrace: [],
    decisions: [],
    constraints: [],
    files: [],
    tags: [],
  }
  for (const n of [1, 2])
    await store.memories.put({ ...memory, id: `m${n}`, status: 'complete', trigger: 'complete', createdAt: now + n })
  await store.close()
  return here
}

describe('grove status', () => {
  it('works on an empty home, and creates nothing there', async () => {
    const here = place()
    const { code, stdout } = await grove(here, 'status')
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing is stored yet')
    expect(existsSync(here.home)).toBe(false)
  })

  it.each(['status', 'proxy-status', 'search x'])('says so when the home is a file: grove %s', async (line) => {
    const here = place()
    writeFileSync(here.home, '')
    const { code, stderr } = await grove(here, ...line.split(' '))
    expect(code).toBe(1)
    expect(stderr).toContain('there is a file in its place')
  })

  it('counts what is stored while the daemon is down', async () => {
    const { stdout } = await grove(await lived(), 'status', '--json')
    const status = JSON.parse(stdout)
    expect(status).toMatchObject({
      daemon: { running: false, proxy: null, web: null },
      database: { kind: 'sqlite', bytes: expect.any(Number) },
      counts: { projects: 1, sessions: 2, tasks: 1, memories: 2 },
      projects: [{ id: 'p', name: 'shop', root: '/src/shop', sessions: 2, memories: 2 }],
    })
  })

  it('is plain text without colours where nobody looks', async () => {
    const { stdout } = await grove(await lived(), 'status')
    expect(stdout).toMatch(/Daemon +not running/)
    expect(stdout).toMatch(/shop +2 +2 +\/src\/shop/)
    expect(stdout).not.toContain('\x1b')
  })

  it('says where the daemon is', async () => {
    const here = place()
    const daemon = await startGrove(here, 'up')
    const { stdout } = await grove(here, 'status')
    expect(stdout).toContain(`running at ${daemon.url('Web')}, pid ${daemon.pid}`)
    daemon.kill('SIGTERM')
    await daemon.exit
  })
})

describe('grove proxy-status', () => {
  const agent = {
    sessionId: '0f3a9c21-0000-4000-8000-000000000000',
    project: 'shop',
    goal: 'Add a basket\x1b[2J',
    model: 'claude-opus-4-8',
    contextTokens: 84_213,
    actions: 0,
  }

  it('shows live agents from the store while the daemon is down', async () => {
    const here = await lived()
    const { stdout } = await grove(here, 'proxy-status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ source: 'store', running: false, agents: [agent] })
  })

  it('asks the daemon while it runs', async () => {
    const here = await lived()
    const daemon = await startGrove(here, 'up')
    const { stdout } = await grove(here, 'proxy-status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ source: 'daemon', running: true, agents: [agent] })
    daemon.kill('SIGTERM')
    await daemon.exit
  })

  it('prints one line per agent, in which nothing steers the terminal', async () => {
    const { stdout } = await grove(await lived({ FORCE_COLOR: '0' }), 'proxy-status')
    expect(stdout).toMatch(
      /^0f3a9c21 +shop +Add a basket \[2J +claude-opus-4-8 +normal +– +– +0 +0 +0 +84,213 +\$0\.00 +\d+ s ago$/m,
    )
    expect(stdout).not.toContain('\x1b')
  })

  it('shows of one agent what was rejected and what was put before it, with reason and size', async () => {
    const here = await lived({ FORCE_COLOR: '0' })
    const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
    const at = Date.now()
    const said = { sessionId: agent.sessionId, taskId: 't', at, kind: 'correction', place: 'message' as const }
    await store.injections.append({ ...said, id: 'i', text: 'Come back.', why: 'nudge: a.css: far away.', tokens: 3 })
    await store.states.put(SLOTS.judgeCost, `session:${agent.sessionId}`, 0.25, at)
    await store.states.put(SLOTS.judgeCost, `day:${new Date(at).toISOString().slice(0, 10)}`, 0.25, at)
    await store.close()
    const { stdout } = await grove(here, 'proxy-status', '0f3a')
    expect(stdout).toMatch(/^Goal +Add a basket/m)
    expect(stdout).toMatch(/^correction +message +3 +nudge: a\.css: far away\. +\d+ s ago$/m)
    expect(stdout).not.toContain('\x1b')
    expect((await grove(here, 'proxy-status')).stdout).toMatch(/ 1 {2}1 \(3 tok\) .*\$0\.25/)
    const status = JSON.parse((await grove(here, 'status', '--json')).stdout)
    expect(status.judge).toMatchObject({ costTodayUsd: 0.25 })
    expect(await grove(here, 'proxy-status', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no agent session nobody.'),
    })
  })

  it('shows every action of one agent with its score and why, and in full what Grove said', async () => {
    const here = await lived({ FORCE_COLOR: '0' })
    const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
    const by = { sessionId: agent.sessionId, taskId: 't', tool: 'Edit', kind: 'edit' as const, at: Date.now() }
    const kept = { folders: [], keywords: [], keyDecision: false }
    await store.steps.append({ ...by, ...kept, id: 's1', files: ['a.ts'], driftScore: 9, reasoning: 'in scope' })
    const rejected = { score: 3, level: 'correct', reason: 'far away', recovered: false } as const
    await store.driftEvents.append({
      ...by,
      ...rejected,
      id: 'd',
      stepId: 's2',
      files: ['a.css'],
      recoveryPlan: [],
      correction: 'Come back.',
    })
    const injection = { ...by, kind: 'correction', place: 'message', why: 'a.css: far away.' } as const
    await store.injections.append({ ...injection, id: 'i', text: 'Come back.\nThe basket is the goal.', tokens: 9 })
    await store.close()
    const { stdout } = await grove(here, 'proxy-status', '0f3a', '--actions')
    expect(stdout).toMatch(/^Actions +2$/m)
    expect(stdout).toMatch(/^1 {2}Edit a\.ts .*\n {3}9, on goal: in scope$/m)
    expect(stdout).toMatch(/^2 {2}Edit a\.css .*\n {3}3, refused: far away\n {3}Grove: Come back\.$/m)
    expect(stdout).toMatch(/^correction \(message\), 9 tokens: a\.css: far away\. .*\n {3}Come back\.\n {3}The basket/m)
    expect((await grove(here, 'proxy-status', '--actions')).stderr).toContain('needs an agent session')
  })

  it('says which agent waits for a person, and for what', async () => {
    const here = await lived()
    const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
    const about = { kind: 'action', root: '/src/shop', intentId: 'INT-001', tool: 'Bash', status: 'pending' } as const
    const asked = { ...about, id: 'apr-1', sessionId: agent.sessionId, what: 'Bash: npm run seed', askedAt: Date.now() }
    await store.states.put(SLOTS.approval, asked.id, asked, asked.askedAt)
    await store.close()
    expect((await grove(here, 'proxy-status')).stdout).toMatch(/WAITS FOR.*\n.*Bash: npm run seed/)
  })

  it('watches: one look after the other, until it is stopped', async () => {
    const watching = watch(await lived(), 'proxy-status', '--watch', '--json')
    const looks = await watching.lines(2)
    expect(looks.map((line) => JSON.parse(line))).toMatchObject([{ agents: [agent] }, { agents: [agent] }])
    watching.stop()
  })

  it('watches one agent too', async () => {
    const watching = watch(await lived(), 'proxy-status', '0f3a', '--watch', '--json')
    const looks = await watching.lines(2)
    expect(looks.map((line) => JSON.parse(line).session.id)).toEqual([agent.sessionId, agent.sessionId])
    watching.stop()
  })

  it('says what to do when there is none', async () => {
    const { stdout, code } = await grove(place(), 'proxy-status')
    expect(code).toBe(0)
    expect(stdout).toContain('Start it with `grove up`.')
  })
})

/** A home with finished work for which Grove recalled, corrected and stopped something. */
async function helped(here: Place): Promise<Place> {
  const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
  const [id, at] = ['0f3a9c21-0000-4000-8000-000000000000', Date.now()]
  const injection = { sessionId: id, taskId: 't', place: 'hook', why: 'x', at } as const
  const [known] = await store.memories.byIds(['m1'])
  await store.memories.put({ ...known!, id: 'm9', sessionId: id, goal: 'Round the total once', createdAt: at + 9 })
  await store.memoryUses.shown(id, ['m1'], at)
  await store.memoryUses.used(id, 'm1', 'files', at + 1)
  await store.injections.append({ ...injection, id: 'i1', kind: 'context', text: '<grove-memory>', tokens: 160 })
  await store.injections.append({ ...injection, id: 'i2', kind: 'correction', text: 'Go back.', tokens: 40 })
  await store.states.put(SLOTS.stoppedInSession, id, 2, at)
  await store.states.put(SLOTS.stoppedWrites, new Date(at).toISOString().slice(0, 10), 2, at)
  await store.close()
  return here
}

it('finished work is shown as finished, with what Grove contributed, and the week is summed up', async () => {
  const here = await helped(await lived({ FORCE_COLOR: '0' }))
  const { stdout: status } = await grove(here, 'status')
  expect(status).toMatch(
    /Finished in the last seven days\n {2}Round the total once\n {4}shop, complete, .* ago; Grove recalled 1 memory, corrected the agent once, stopped 2 writes\n/,
  )
  const { stdout: insights } = await grove(here, 'insights')
  expect(insights.split('\n').slice(0, 5)).toEqual([
    'The last seven days, in all projects',
    'Work finished  1',
    'Recalled       1 memory for 160 tokens, 1 used',
    'Corrected      1 time; 1 led to finished work',
    'Stopped        2 stray writes',
  ])
})

/** A home in which two things of a client were not understood. */
async function puzzled(here: Place): Promise<Place> {
  const store = await openSqliteStore({ file: join(here.home, 'grove.db') })
  const at = Date.now()
  const seen = { version: '2.9.0', at, told: true }
  await store.states.put(SLOTS.finding, 'a', { ...seen, kind: 'no-folder' }, at)
  await store.states.put(SLOTS.finding, 'b', { ...seen, kind: 'unknown-role', subject: 'narrator' }, at + 1)
  await store.close()
  return here
}

it('a client that is not understood is named in status and doctor, with what is affected and done instead', async () => {
  const here = await puzzled(await lived({ FORCE_COLOR: '0' }))
  const { stdout } = await grove(here, 'status')
  expect(stdout).toMatch(
    /^Claude Code +2\.9\.0 is not fully understood: messages have the unknown role "narrator" and 1 more; `grove doctor` shows more$/m,
  )
  const report = JSON.parse((await grove(here, 'doctor', '--json')).stdout) as { findings: { check: string }[] }
  expect(report.findings.filter(({ check }) => check === 'client form')).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('2.9.0: messages have the unknown role "narrator"; affected: ') },
    { status: 'warn', detail: expect.stringContaining('instead: where hooks are attached they are used alone') },
  ])
})

describe('grove doctor', () => {
  interface Finding {
    check: string
    status: string
    detail: string
    fix?: string
    remedy?: string
  }

  async function examine(here: Place, ...args: string[]) {
    const { code, stdout } = await grove(here, 'doctor', '--json', ...args)
    const report = JSON.parse(stdout) as {
      findings: Finding[]
      settings: { key: string; value: string; source: string }[]
    }
    const of = (check: string) => report.findings.find((finding) => finding.check === check)!
    return { code, of, ...report }
  }

  /** A target and a claude that are there. */
  async function sound(env: Record<string, string> = {}): Promise<Place> {
    const here = place(env)
    const server = createServer((socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const claude = join(here.cwd, 'claude')
    writeFileSync(claude, '#!/bin/sh\necho "2.1.197 (Claude Code)"\n')
    chmodSync(claude, 0o755)
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { ...here, env: { ...here.env, ANTHROPIC_TARGET: target, GROVE_CLAUDE_BIN: claude, ...env } }
  }

  it('finds nothing wrong with a sound installation', async () => {
    const { code, findings, of } = await examine(await sound())
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
    expect(code).toBe(0)
    expect(of('claude').detail).toContain('2.1.197 (Claude Code)')
    expect(of('target').detail).toContain('answers (404)')
  })

  it('names a fix with everything that is not right', async () => {
    const { code, findings } = await examine(place({ GROVE_CLAUDE_BIN: '/nowhere/claude', PORT: 'x' }))
    expect(code).toBe(1)
    const wrong = findings.filter(({ status }) => status !== 'ok')
    expect(wrong.map(({ check }) => check)).toEqual(['claude', 'config', 'target', 'hooks'])
    for (const { fix } of wrong) expect(fix).toMatch(/\w/)
    // The page does this one itself when a person asks for it.
    expect(wrong.filter(({ remedy }) => remedy !== undefined)).toMatchObject([{ check: 'hooks', remedy: 'attach' }])
  })

  it('shows every value with its source, secrets masked', async () => {
    const here = place({ GROVE_DATABASE_URL: 'postgres://ann:s3cret@127.0.0.1:9/x', LOG_LEVEL: 'debug' })
    mkdirSync(here.home)
    writeFileSync(join(here.home, 'config.toml'), '[drift]\ncheck_interval = 7\n')
    const { settings, of } = await examine(here)
    const find = (key: string) => settings.find((setting) => setting.key === key)
    expect(find('log.level')).toMatchObject({ value: 'debug', source: 'environment LOG_LEVEL' })
    expect(find('drift.check_interval')).toMatchObject({ value: '7', source: expect.stringMatching(/config\.toml:2$/) })
    expect(find('proxy.body_limit_mb')).toMatchObject({ value: '32', source: 'default' })
    expect(find('database.url')?.value).toBe('postgres://ann:***@127.0.0.1:9/x')
    // The team's database may be away for a week; the local store is what must open.
    expect(of('store').status).toBe('ok')
    const { stdout, stderr } = await grove(here, 'doctor', '--verbose')
    expect(stdout).toMatch(/^drift\.check_interval = 7 {2}\(\S*config\.toml:2; DRIFT_CHECK_INTERVAL\)\n {2}\w/m)
    expect(stdout + stderr).not.toContain('s3cret')
  })

  it('shows problems first, and settings only when they are asked for', async () => {
    const { stdout } = await grove(place({ GROVE_CLAUDE_BIN: '/nowhere/claude' }), 'doctor')
    const states = stdout.split('\n').flatMap((line) => /^(fail|warn|ok) /.exec(line)?.[1] ?? [])
    const order = ['fail', 'warn', 'ok']
    expect(states).toEqual(states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
    expect(states[0]).not.toBe('ok')
    expect(stdout).not.toContain('SETTING')
  })

  it('notices intents that no hook holds up, and hooks that end before a person can answer', async () => {
    const here = await sound({ PORT: '43333' })
    for (const folder of ['.grove', '.orchestration', '.claude']) mkdirSync(join(here.cwd, folder))
    expect((await examine(here)).findings.map(({ check }) => check)).not.toContain('guard')
    writeFileSync(join(here.cwd, '.orchestration', 'active_intents.yaml'), 'active_intents: []\n')
    expect((await examine(here)).of('guard')).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('grove init'),
    })
    const url = 'http://127.0.0.1:43333/hooks/pre-tool-use'
    const attached = (timeout: number) => {
      const hooks = { PreToolUse: [{ hooks: [{ type: 'http', url, timeout }] }] }
      writeFileSync(join(here.cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }))
    }
    attached(60)
    expect((await examine(here)).of('guard')).toMatchObject({ status: 'warn', detail: expect.stringContaining('60 s') })
    attached(150)
    expect((await examine(here)).of('guard').status).toBe('ok')
  })

  it('knows what a custom base URL costs, and how to avoid it', async () => {
    const here = await sound({ PROXY_PORT: '48080', ANTHROPIC_BASE_URL: 'http://127.0.0.1:48080' })
    const careless = await examine(here)
    const checks = ['attached', 'tool search', 'small model', 'request classes']
    expect(checks.map((check) => careless.of(check).status)).toEqual(['ok', 'warn', 'warn', 'warn'])
    // Settings are read at the root of a project; marked, it is this folder, whatever lies above it.
    for (const folder of ['.grove', '.claude']) mkdirSync(join(here.cwd, folder))
    const small = { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4-5' }
    const settings = { env: { ENABLE_TOOL_SEARCH: 'true', CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1', ...small } }
    writeFileSync(join(here.cwd, '.claude', 'settings.json'), JSON.stringify(settings))
    const careful = await examine(here)
    expect(checks.map((check) => careful.of(check).status)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('says how to keep a gateway of one’s own, and is content when that was done', async () => {
    const gateway = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/gateway' }
    const { of } = await examine(await sound(gateway))
    expect(of('attached')).toMatchObject({ status: 'warn', fix: expect.stringContaining('`grove claude`') })
    const both = await examine(await sound({ ...gateway, ANTHROPIC_TARGET: gateway.ANTHROPIC_BASE_URL }))
    expect(both.of('attached').status).toBe('ok')
  })

  it('tells a port that is ours from one that is taken', async () => {
    const here = await sound()
    const daemon = await startGrove(here, 'up')
    const { of } = await examine(here)
    expect(of('web')).toMatchObject({ status: 'ok', detail: `running at ${daemon.url('Web')} (pid ${daemon.pid})` })
    const other = await examine(await sound({ PORT: new URL(daemon.url('Web')).port }))
    expect(other.of('web')).toMatchObject({ status: 'fail', detail: expect.stringContaining(`pid ${daemon.pid}`) })
    daemon.kill('SIGTERM')
    await daemon.exit
  })

  it('warns of a proxy that is open to others', async () => {
    const { of } = await examine(await sound({ PROXY_HOST: '0.0.0.0' }))
    expect(of('exposure')).toMatchObject({ status: 'warn', fix: expect.stringContaining('PROXY_HOST=127.0.0.1') })
  })

  it('asks nobody outside unless told to', async () => {
    const { of } = await examine(await sound({ ANTHROPIC_TARGET: 'https://api.invalid' }))
    expect(of('target')).toMatchObject({ status: 'ok', detail: expect.stringContaining('not checked') })
  })

  it('goes on with the other checks when one cannot look', async () => {
    const here = await sound()
    mkdirSync(join(here.env.HOME!, '.claude', 'settings.json'), { recursive: true })
    const { code, of } = await examine(here)
    expect(code).toBe(1)
    expect(of('hooks')).toMatchObject({
      status: 'fail',
      detail: 'Grove does not use ~/.claude/settings.json: it is a folder.',
    })
    expect(of('node')).toMatchObject({ status: 'ok' })
  })

  it('notices a home that cannot be written to', async () => {
    const here = await sound()
    writeFileSync(here.home, 'in the way')
    const { code, of } = await examine(here)
    expect(code).toBe(1)
    expect(of('home')).toMatchObject({ status: 'fail', fix: expect.stringContaining('GROVE_HOME=') })
  })
})
