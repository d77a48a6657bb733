import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { teamAt } from '../../src/core/memory/shares.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openLog } from '../../src/daemon/process/log.ts'
import { runDaemon } from '../../src/daemon/process/run-daemon.ts'
import { projectAt } from '../../src/exec/git/git.ts'
import type { Route } from '../../src/protocol/api/route.ts'
import { api } from '../../src/protocol/api/routes.ts'
import { type HookEventName, kebabEvent } from '../../src/protocol/hook-event.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { sweepStates } from '../../src/supervisor/sweep-idle.ts'
import { dist, withBinary } from '../cli/grove.ts'
import { secretSamples } from '../corpus/secrets/secrets.ts'
import { tempHome } from '../support/home.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { createProject } from '../support/project.ts'
import { everyState, stateSamples } from '../support/state-samples.ts'
import { sharesOf } from '../support/team-memories.ts'

// A running Grove with a team is told secrets in every way there is: through every slot of its state store, every hook,
// every route and every tool that takes text, and through the proxy. None of them may lie anywhere afterwards.

const KINDS = ['anthropic api key', 'github token', 'aws access key id', 'json web token', 'stripe key', 'npm token']
const samples = secretSamples(23, 1).filter(({ kind }) => KINDS.includes(kind))

withBinary()

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

type WhenFinished = (work: () => Promise<void> | void) => void

const INTENTS = `active_intents:
  - id: INT-1
    name: Deploy
    status: in_progress
    owned_scope: ["src/**"]
`

async function setUp(whenFinished: WhenFinished) {
  const home = await tempHome(whenFinished)
  writeFileSync(join(home, 'config.toml'), '[guard]\napproval_wait_seconds = 1\n')
  const project = await createProject({ 'src/a.ts': 'a\n', '.orchestration/active_intents.yaml': INTENTS })
  whenFinished(project.remove)
  const database = await postgres.createDatabase()
  const said = { text: '' }
  const upstream = await startUpstream(() => said.text)
  whenFinished(upstream.close)
  const env = {
    GROVE_HOME: home,
    GROVE_DATABASE_URL: database,
    ANTHROPIC_TARGET: upstream.url,
    PORT: '0',
    PROXY_PORT: '0',
    DEBUG: '1',
  }
  const config = loadConfig({ env, cwd: home })
  const settings = { ...config, database: { ...config.database, syncSeconds: 1 } }
  const log = openLog(config, () => {})
  whenFinished(() => log.close())
  const daemon = await runDaemon({ config: settings, listeners: { proxy: true, web: true }, log })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await daemon.close()
    isClosed = true
  }
  whenFinished(close)
  const store = await openSqliteStore({ file: join(home, 'grove.db') })
  whenFinished(() => store.close())
  await sharesOf(store).share((await projectAt(project.dir)).id, teamAt(database))
  return {
    home,
    project: project.dir,
    env,
    database,
    daemon,
    close,
    store,
    said,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
  }
}

type Stage = Awaited<ReturnType<typeof setUp>>

/** A Messages API that answers with a text, and with a call whose input holds it. */
async function startUpstream(text: () => string) {
  let answers = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const content = [
        { type: 'text', text: `I chose this because ${text()}` },
        { type: 'tool_use', id: `toolu_up${++answers}`, name: 'Bash', input: { command: text() } },
      ]
      const usage = { input_tokens: 1, output_tokens: 1 }
      const message = { id: `msg_${answers}`, type: 'message', role: 'assistant', model: 'm', content, usage }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...message, stop_reason: 'tool_use', stop_sequence: null }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

/** What each event tells, with the text wherever it takes one. Paths and ids are none. */
function hookPayloads(text: string, n: number): Record<HookEventName, object> {
  const bash = { tool_name: 'Bash', tool_input: { command: `make deploy && ${text}` }, tool_use_id: `toolu_bash${n}` }
  const write = (id: string) => ({
    tool_name: 'Write',
    tool_input: { file_path: 'src/a.ts', content: text },
    tool_use_id: `toolu_${id}${n}`,
  })
  const todo = { task_id: `${n}`, task_subject: text, task_description: text, teammate_name: text, team_name: text }
  return {
    SessionStart: { source: 'startup' },
    Setup: { trigger: 'init' },
    InstructionsLoaded: { file_path: 'CLAUDE.md', memory_type: 'Project', load_reason: text },
    UserPromptSubmit: { prompt: `New task: repair the deployment in src/a.ts. ${text}` },
    UserPromptExpansion: { command_name: 'deploy', command_args: text, prompt: text },
    PreToolUse: bash,
    PermissionRequest: bash,
    PermissionDenied: { ...bash, reason: text },
    PostToolUse: { ...bash, tool_response: { stdout: text, stderr: text } },
    PostToolUseFailure: { ...write('failed'), error: text },
    PostToolBatch: { tool_calls: [{ ...write('batch'), tool_response: text }] },
    Notification: { message: text, notification_type: text },
    MessageDisplay: { turn_id: 't', message_id: 'm', delta: text },
    TaskCreated: todo,
    TaskCompleted: todo,
    SubagentStart: { agent_id: 'a1' },
    SubagentStop: { agent_id: 'a1', last_assistant_message: text },
    Stop: { last_assistant_message: `Task complete: I repaired src/a.ts, which failed because ${text}` },
    StopFailure: { error: text, error_details: { text }, last_assistant_message: text },
    PreCompact: { trigger: 'manual', custom_instructions: text },
    PostCompact: { trigger: 'manual', compact_summary: text },
    ConfigChange: { source: text },
    CwdChanged: { old_cwd: '/p', new_cwd: '/p' },
    FileChanged: { file_path: 'src/a.ts', event: text },
    WorktreeCreate: { name: text },
    WorktreeRemove: { worktree_path: '/p' },
    Elicitation: { mcp_server_name: text, message: text, requested_schema: { text } },
    ElicitationResult: { mcp_server_name: text, action: text, content: { text } },
    TeammateIdle: { teammate_name: text, team_name: text },
    PreModelSwitch: { requested_model: text },
    PostModelSwitch: { requested_model: text },
    DirectoryAdded: { directory: '/p', source: text },
    SessionEnd: { reason: text },
  }
}

async function throughHooks({ daemon, project, store, token }: Stage, text: string, n: number) {
  const events = Object.entries(hookPayloads(text, n)) as [HookEventName, object][]
  // Only what has changed something is remembered.
  const ran = { tool_name: 'Write', tool_input: { file_path: 'src/a.ts', content: text }, tool_use_id: `toolu_ran${n}` }
  const at = events.findIndex(([name]) => name === 'Stop')
  events.splice(at, 0, ['PostToolUse', { ...ran, tool_response: { filePath: 'src/a.ts' } }])
  for (const [name, payload] of events) {
    const body = JSON.stringify({ hook_event_name: name, session_id: SESSION, cwd: project, ...payload })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${daemon.webUrl}/hooks/${kebabEvent(name)}`, { method: 'POST', headers, body })
    expect(answer.status, name).toBe(200)
    // What a command has changed is found out when it has run; until then the command waits in the store.
    if (name === 'PreToolUse') expect(await store.states.get(SLOTS.guardWindow, `toolu_bash${n}`)).toBeDefined()
  }
}

const SESSION = '5b0c0f6e-8a52-4c3e-9b39-0d8a6d1f2c11'

async function throughSlots({ store }: Stage, text: string, n: number) {
  for (const { slot, value } of everyState(text)) {
    await store.states.put(slot, `secret-${n}`, value, Date.now())
    await store.states.update(slot, `secret-${n}`, Date.now(), () => value)
  }
}

const ROUTES: Route[] = Object.values<Record<string, Route>>(api).flatMap((routes) => Object.values(routes))

/** What is kept of a pause or a click is no text, others choose among what is there; a feature session takes most of its bodies in one of its stages only. */
const MAY_REFUSE =
  /^POST \/api\/(?:pauses|gestures|people\/|doctor\/|rejected-learnings\/|learnings\/:id\/supersede|sessions\/)/

/** The text in every query, and in every body: queries may be refused, and so may some of the bodies. */
async function throughRoutes(stage: Stage, text: string) {
  const asked = encodeURIComponent(text)
  const bodies = await routeBodies(stage, text)
  const taking = ROUTES.flatMap(({ method, path, body }) => (body ? `${method} ${path}` : []))
  expect(Object.keys(bodies).sort()).toEqual(taking.filter((name) => !MAY_REFUSE.test(name)).sort())
  await throughFeature(stage, text, bodies['POST /api/sessions']!)
  for (const { method, path, query, body } of ROUTES) {
    if (!body && method !== 'DELETE') {
      const place = path.replace(/:\w+/g, asked)
      for (const name of ['', ...Object.keys(query?.shape ?? {})])
        await send(stage, method, `${place}?${name}=${asked}`)
    }
  }
  for (const [name, { id = '', ...sent }] of Object.entries(bodies)) {
    const [method, path] = name.split(' ') as [string, string]
    const status = await send(stage, method, path.replace(':id', id), sent)
    // This process plays the agent too, and what is for people only is refused to it.
    const isRefused = ROUTES.some((route) => route.person && `${route.method} ${route.path}` === name) && status === 403
    if (!isRefused) expect(status, name).toBeLessThan(400)
  }
}

/** A feature session whose form holds the text, and then every one of its routes with the text in every field. */
async function throughFeature(stage: Stage, text: string, form: Sent) {
  const { daemon, token, project } = stage
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${daemon.webUrl}/api/sessions`, { method: 'POST', headers, body: JSON.stringify(form) })
  const { session } = (await made.json()) as { session?: { projectId: string; featureId: string } }
  const { projectId = 'p', featureId = 'f' } = session ?? {}
  for (const { method, path, body } of ROUTES) {
    if (!body || !MAY_REFUSE.test(`${method} ${path}`)) continue
    const place = path.replace(':projectId', projectId).replace(':featureId', featureId).replace(':id', 'q1')
    const fields = Object.keys((body as unknown as { shape?: object }).shape ?? {})
    const filled = Object.fromEntries(fields.map((name) => [name, name === 'path' ? project : text]))
    expect(await send(stage, method, place, filled), place).toBeLessThan(500)
  }
}

async function send({ daemon, token }: Stage, method: string, path: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${daemon.webUrl}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

interface Sent {
  id?: string
  [field: string]: unknown
}

/** What is sent to each route that takes a body; `id` goes into its path. */
async function routeBodies({ daemon, store, token, project: dir }: Stage, text: string): Promise<Record<string, Sent>> {
  const listed = await fetch(`${daemon.webUrl}/api/learnings?status=any`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { learnings } = (await listed.json()) as { learnings: { id: string }[] }
  const [[memory], [guarded], [approval]] = await Promise.all([
    store.memories.list(undefined, { limit: 1 }),
    store.projects.list(),
    store.states.list(SLOTS.approval, 1),
  ])
  const [learning, project, texts] = [learnings[0]!.id, guarded!.id, [text]]
  const reason = text.slice(0, 300)
  return {
    'PATCH /api/memories/:id': {
      ...{ id: memory!.id, goal: text, reasoningTrace: texts, constraints: texts, tags: texts },
      decisions: [{ choice: text, reason: text }],
    },
    'PATCH /api/learnings/:id': { id: learning, summary: `Keep ${text}`.slice(0, 200), detail: text, tags: ['deploy'] },
    'POST /api/learnings/:id/archive': { id: learning, reason },
    'POST /api/learnings/:id/restore': { id: learning, reason },
    'POST /api/intents': {
      ...{ project, name: text, owner: text, status: text, ownedScope: ['docs/**'] },
      ...{ constraints: texts, acceptanceCriteria: texts, dependencies: [] },
    },
    'PATCH /api/intents/:id': { id: 'INT-1', project, status: 'in_progress' },
    'POST /api/approvals/:id': { id: approval!.key, answer: 'reject', note: text.slice(0, 500) },
    'POST /api/memories/import': { lines: [JSON.stringify({ goal: text, createdAt: 1 })] },
    'POST /api/sessions': {
      ...{ title: `Ship ${text}`.slice(0, 190), projectPath: dir, description: text.slice(0, 9000) },
      ...{ acceptanceCriteria: [{ text: text.slice(0, 400), checked: true, type: 'manual' }] },
      technicalNotes: text.slice(0, 4000),
    },
  }
}

/** What each tool is called with. */
function toolInputs(text: string): Record<string, object> {
  const candidate = {
    ...{ category: 'convention', summary: `Deploy with ${text}`.slice(0, 190), detail: `Always deploy with ${text}` },
    ...{ confidence: 'high', criteria_met: ['stable_fact'], tags: ['deploy'], context_files: ['src/a.ts'] },
  }
  return {
    grove_status: {},
    select_active_intent: { intent_id: 'INT-1' },
    list_intents: { query: text },
    request_scope: { paths: ['docs/**'], reason: text },
    record_lesson: { lesson: text.slice(0, 500) },
    search_memory: { query: text },
    show_memory: { id: text },
    reflect: { candidates: [candidate, { ...candidate, category: text, summary: text }] },
    skip: { reason: text },
    observe: { note: text.slice(0, 2000) },
    search_learnings: { query: text },
  }
}

async function openTools(whenFinished: WhenFinished, { env, project }: Stage): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const own = { ...env, PATH: process.env.PATH ?? '', CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PROJECT_DIR: project }
  const server = { command: process.execPath, args: [join(dist, 'grove.js'), 'mcp'], env: own, cwd: project }
  await client.connect(new StdioClientTransport(server))
  whenFinished(() => client.close())
  return client
}

async function throughTools(client: Client, text: string) {
  const inputs = toolInputs(text)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(inputs).sort())
  for (const [name, input] of Object.entries(inputs)) await client.callTool({ name, arguments: { ...input } })
}

async function throughProxy({ daemon, project, said }: Stage, text: string) {
  said.text = text
  const system = [
    { type: 'text', text: 'x-anthropic-billing-header: x' },
    { type: 'text', text: `You help.\n - Primary working directory: ${project}` },
  ]
  const messages = [{ role: 'user', content: [{ type: 'text', text: `New task: repair src/a.ts. ${text}` }] }]
  const body = {
    model: 'claude-opus-4-8',
    max_tokens: 100,
    messages,
    system,
    tools: [{ name: 'Agent' }],
    thinking: { type: 'adaptive' },
  }
  const headers = { 'content-type': 'application/json', 'x-api-key': text, 'x-claude-code-session-id': SESSION }
  const answer = await fetch(`${daemon.proxyUrl}/v1/messages?beta=true`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(await answer.text()).toContain(JSON.stringify(text).slice(1, -1))
}

/** The samples that can be read in any file of the folders. */
function foundIn(...folders: string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  )
  return files.flatMap((file) => {
    const bytes = readFileSync(file)
    return samples.filter(({ secret }) => bytes.includes(secret)).map(({ kind }) => `${kind} in ${file}`)
  })
}

/** Everything in a database, as text. */
async function dumped(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

describe('a secret', () => {
  it('lies nowhere: not in the home, the project or the database of the team, however Grove was told it', async ({
    onTestFinished,
  }) => {
    const stage = await setUp(onTestFinished)
    const { home, project, store, database, close } = stage
    const client = await openTools(onTestFinished, stage)
    await client.callTool({ name: 'select_active_intent', arguments: { intent_id: 'INT-1' } })
    expect(samples).toHaveLength(KINDS.length)
    for (const [n, { text }] of samples.entries()) {
      await throughProxy(stage, text)
      await throughHooks(stage, text, n)
      await throughTools(client, text)
      await throughSlots(stage, text, n)
      await throughRoutes(stage, text)
    }
    expect((await store.memories.list(undefined, { limit: 9 })).length).toBeGreaterThan(0)
    await expect.poll(() => store.sharing.waiting()).toEqual([])
    expect(readdirSync(home)).toContain('grove.db-wal')
    expect(foundIn(home, project)).toEqual([])
    await client.close()
    await store.close()
    await close()
    expect(foundIn(home, project)).toEqual([])
    const shared = await dumped(database)
    expect(shared).toContain('repair the deployment')
    expect(samples.filter(({ secret }) => shared.includes(secret))).toEqual([])
  })
})

describe('what was removed', () => {
  it('cannot be read in the database or its log after the next sweep, also while others use the store', async ({
    onTestFinished,
  }) => {
    const home = await tempHome(onTestFinished)
    const file = join(home, 'grove.db')
    const store = await openSqliteStore({ file })
    onTestFinished(() => store.close())
    const other: Store = await openSqliteStore({ file })
    onTestFinished(() => other.close())
    // No secret, so that the redactor leaves it; long enough for several pages.
    const marks = ['small', 'large', 'replaced'].map((name) => `mark of what was ${name} `)
    const [small, large, replaced] = marks as [string, string, string]
    const { guardWindow } = stateSamples(small)
    const now = Date.now()
    for (let n = 0; n < 50; n++) {
      const put = (by: Store, key: string, command: string, at: number) =>
        by.states.put(SLOTS.guardWindow, `${key}-${n}`, { ...guardWindow, command }, at)
      await put(store, 'old', n % 2 === 0 ? small : large.repeat(1000), 1)
      await put(other, 'young', replaced.repeat(n * 20), now)
      await put(other, 'young', 'new', now)
    }
    const legible = () => {
      const bytes = [file, `${file}-wal`].map((path) => readFileSync(path))
      return marks.filter((mark) => bytes.some((one) => one.includes(mark)))
    }
    expect(legible()).toEqual(marks)
    await sweepStates({ store, clock: { now: () => now }, dropCopies: async () => {} })
    expect(await store.states.list(SLOTS.guardWindow, 99)).toHaveLength(50)
    expect(legible()).toEqual([])
  })
})
