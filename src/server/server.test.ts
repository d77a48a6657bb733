import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#config/load.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import { newTask } from '#core/task.ts'
import { guardWorld } from '#daemon/compose/guard.ts'
import { learningWorld } from '#daemon/compose/learning.ts'
import { traceWorld } from '#daemon/compose/trace.ts'
import { workflowEngine } from '#daemon/compose/workflow.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { explainedFindings } from '#supervisor/canary/findings.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { checkAnswers, person } from '../../test/support/checked-api.ts'
import { memoryOf } from '../../test/support/team-memories.ts'
import { agentsIn } from './agents.ts'
import { keysOf } from './keys.ts'
import { LiveFeed } from './live.ts'
import { buildServer } from './server.ts'
import { homeToken } from './token.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
const NOW = 1_800_000_000_000
const keys = keysOf('the-token')
let store: Store

const SCRIPT = 'export {}\n'.repeat(100)
const webFolder = mkdtempSync(join(tmpdir(), 'grove-web-'))
mkdirSync(join(webFolder, 'assets'))
writeFileSync(join(webFolder, 'index.html'), '<!doctype html><meta name="grove-page" content="%GROVE_PAGE_KEY%">')
writeFileSync(join(webFolder, 'assets', 'main-abc.js'), SCRIPT)
writeFileSync(join(webFolder, 'icon.svg'), '<svg/>')

beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' })
})
afterEach(() => store.close())

function server(env: Record<string, string> = {}, changes: { store?: Store; log?: Log } = {}) {
  const { config } = readConfig({ env: { GROVE_HOME: '/nowhere', ...env }, cwd: tmpdir() })
  const used = changes.store ?? store
  const agents = agentsIn(used, () => NOW)
  const log = changes.log ?? silent
  const { states, injections } = used
  const parts = { config, settingsAt: () => config, states, injections, clock: { now: () => NOW }, log }
  const guard = guardWorld({ ...parts, notify() {} })
  const learning = learningWorld(parts)
  const memory: MemoryWorld = {
    store: used,
    clock: { now: () => NOW },
    log: silent,
    user: 'ada',
    // Retrieval has its own tests; here the newest are the best.
    find: async (projectId, { limit }) =>
      (await used.memories.list(projectId, { limit })).map(({ id }) => ({
        memoryId: id,
        confidence: 0.5,
        why: 'new',
        shared: { words: 1, files: 0 },
      })),
    workPlace: async () => ({}),
    mergedAmong: async () => new Set(),
    settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.5 }),
  }
  const app = buildServer({
    config,
    agents,
    guard,
    learning,
    trace: traceWorld(config),
    projects: () => used.projects.list(),
    findings: () => explainedFindings(used.states),
    memory,
    features: workflowEngine({ ...parts, guard, learning, memory, publish() {} }),
    version: '1.2.3',
    keys,
    peers: person,
    webFolder,
    live: new LiveFeed(() => NOW),
    log,
    pauses: { list: async () => [], pause: async () => {}, resume: async () => [] },
    self: {
      settings: () => ({ settings: [], problems: [] }),
      doctor: async () => [],
      fix: async () => 'done',
      scene: () => null,
    },
  })
  checkAnswers(app)
  return app
}

const TOOL = { authorization: 'Bearer the-token' }
const at = (url: string, headers: Record<string, string> = TOOL) => ({
  url,
  headers: { host: 'localhost:3333', ...headers },
})

describe('the page', () => {
  it('holds no code of its own and lets nothing foreign run', async () => {
    const response = await server().inject(at('/'))
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(response.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(response.body).toMatch(/<meta name="grove-page" content="[\w-]{32}">/)
  })

  it('is the same for every view, so that each has an address', async () => {
    const app = server()
    const [home, deep] = [await app.inject(at('/')), await app.inject(at('/features/shop/login/plan?step=2'))]
    expect([deep.statusCode, deep.body]).toEqual([200, home.body])
  })

  it('sends its files compressed, once, and keeps those with a hash in their name', async () => {
    const app = server()
    const script = await app.inject(at('/assets/main-abc.js', { ...TOOL, 'accept-encoding': 'gzip, deflate' }))
    expect(script.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
    })
    expect(script.headers['cache-control']).toContain('immutable')
    expect(gunzipSync(script.rawPayload).toString()).toBe(SCRIPT)
    const icon = await app.inject(at('/icon.svg'))
    expect(icon.headers['cache-control']).toBe('no-cache')
    const again = await app.inject(at('/icon.svg', { ...TOOL, 'if-none-match': String(icon.headers.etag) }))
    expect([again.statusCode, again.body]).toEqual([304, ''])
    // The page holds a key.
    expect((await app.inject(at('/'))).headers['cache-control']).toBe('no-store')
  })

  it.each(['/assets/../../token', '/assets/%2e%2e/%2e%2e/token', '/index.html', '/assets/nothing.js'])(
    'sends nothing else: %s',
    async (url) => {
      expect((await server().inject(at(url))).statusCode).toBe(404)
    },
  )
})

it.each([
  ['/nowhere', 404, 'not_found'],
  ['/%zz', 400, 'bad_request'],
])('%s is answered %i in the one shape of errors', async (url, status, code) => {
  const response = await server().inject(at(url))
  expect([response.statusCode, response.json()]).toEqual([
    status,
    { status: 'error', code, message: expect.any(String), suggestion: expect.any(String) },
  ])
})

describe('a request with a key', () => {
  const remove = (app: ReturnType<typeof server>, id: string, key: string) =>
    app.inject({ method: 'DELETE', ...at(`/api/memories/${id}`, { ...TOOL, 'idempotency-key': key }) })

  it('is done once and answered alike, also by a server that was started anew', async () => {
    await store.memories.put(memoryOf('m1', 1, 'ada'))
    const first = await remove(server(), 'm1', 'key-00000001')
    const again = await remove(server(), 'm1', 'key-00000001')
    expect([first.statusCode, again.statusCode, again.json()]).toEqual([200, 200, first.json()])
    expect((await remove(server(), 'm1', 'key-00000002')).statusCode).toBe(404)
  })

  it('that was refused may be tried again', async () => {
    const app = server()
    expect((await remove(app, 'm2', 'key-00000003')).statusCode).toBe(404)
    await store.memories.put(memoryOf('m2', 1, 'ada'))
    expect((await remove(app, 'm2', 'key-00000003')).statusCode).toBe(200)
  })
})

it('/health says that it runs, and which version', async () => {
  const response = await server().inject(at('/health'))
  expect(response.json()).toMatchObject({ status: 'ok', version: '1.2.3' })
})

describe('/api/agents', () => {
  beforeEach(async () => {
    await store.projects.put({ id: 'p', name: 'shop', root: '/src/shop' })
    const see = {
      id: 'session-1',
      through: 'proxy',
      projectId: 'p',
      cwd: '/src/shop',
      model: 'm',
      contextTokens: 123,
    } as const
    await store.sessions.see({ ...see, at: NOW - 1000 })
    await store.sessions.see({ id: 'long-gone', through: 'proxy', at: NOW - 86_400_000 })
    await store.tasks.create(
      newTask({ id: 't', sessionId: 'session-1', kind: 'main', instruction: 'do', goal: 'Do it' }, NOW),
    )
    const step = {
      sessionId: 'session-1',
      taskId: 't',
      tool: 'Edit',
      kind: 'edit',
      files: ['a.ts'],
      folders: [],
      keywords: [],
    } as const
    for (const id of ['s1', 's2'])
      await store.steps.append({ ...step, id, files: ['a.ts'], folders: [], keywords: [], keyDecision: false, at: NOW })
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
    await store.turns.append({ id: 'm1', sessionId: 'session-1', model: 'm', usage, toolUses: 2, at: NOW })
  })

  it('lists the newest where there are hundreds', async () => {
    for (let n = 0; n < 250; n++) await store.sessions.see({ id: `many-${n}`, through: 'hooks', at: NOW + n })
    const { agents } = (await server().inject(at('/api/agents'))).json() as { agents: { sessionId: string }[] }
    expect(agents).toHaveLength(200)
    expect(agents[0]?.sessionId).toBe('many-249')
  })

  it('lists those that are live, with goal, project, tokens and steps', async () => {
    const response = await server().inject(at('/api/agents'))
    expect(response.json()).toEqual({
      agents: [
        {
          sessionId: 'session-1',
          projectId: 'p',
          project: 'shop',
          cwd: '/src/shop',
          goal: 'Do it',
          mode: 'normal',
          model: 'm',
          contextTokens: 123,
          steps: 2,
          corrections: 0,
          memories: 0,
          stoppedWrites: 0,
          injections: { count: 0, tokens: 0 },
          judgeCostUsd: 0,
          tokens: 10,
          attachments: ['proxy'],
          startedAt: NOW - 1000,
          lastSeenAt: NOW - 1000,
        },
      ],
      judge: { costTodayUsd: 0 },
    })
  })

  it('lists finished work, also of a session that is over, with what Grove has done for it', async () => {
    const made = { reasoningTrace: [], decisions: [], constraints: [], files: [], tags: [], projectId: 'p' }
    const finished = { id: 'm', instruction: 'do', goal: 'Done it', status: 'complete', trigger: 'complete' } as const
    await store.memories.put({ ...made, ...finished, sessionId: 'long-gone', createdAt: NOW - 5000 })
    await store.states.put(SLOTS.stoppedInSession, 'long-gone', 2, NOW)
    const { finished: all } = (await server().inject(at('/api/agents/finished'))).json()
    expect(all).toMatchObject([
      { sessionId: 'long-gone', goal: 'Done it', outcome: 'complete', memories: 0, corrections: 0, stoppedWrites: 2 },
    ])
  })

  it('shows one with its tasks, steps, drift events and tokens', async () => {
    const detail = (await server().inject(at('/api/agents/session-1'))).json()
    expect(detail.session.id).toBe('session-1')
    expect(detail.tasks).toHaveLength(1)
    expect(detail.steps).toHaveLength(2)
    expect(detail.driftEvents).toEqual([])
    expect(detail.tokens).toMatchObject({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4, turns: 1 })
  })

  it('says so when there is no such session', async () => {
    const response = await server().inject(at('/api/agents/nobody'))
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ status: 'error', code: 'agent_not_found', suggestion: expect.any(String) })
  })
})

describe('/api/memories', () => {
  beforeEach(async () => {
    for (const id of ['p', 'q']) await store.projects.put({ id, name: id, root: `/${id}` })
    for (let i = 0; i < 7; i++) {
      const memory = {
        instruction: 'do',
        goal: `goal ${i}`,
        reasoningTrace: [],
        decisions: [],
        constraints: [],
        files: [],
        tags: [],
      }
      await store.memories.put({
        ...memory,
        id: `m${i}`,
        projectId: i % 2 ? 'q' : 'p',
        status: 'complete',
        trigger: 'complete',
        createdAt: NOW + i,
      })
    }
  })

  it('pages through all projects, newest first, each memory once', async () => {
    const app = server()
    const seen: string[] = []
    for (let query = 'limit=3'; ; ) {
      const page = (await app.inject(at(`/api/memories?${query}`))).json()
      seen.push(...page.memories.map(({ id }: { id: string }) => id))
      if (page.next === undefined) break
      query = `limit=3&before=${page.next}`
    }
    expect(seen).toEqual(['m6', 'm5', 'm4', 'm3', 'm2', 'm1', 'm0'])
  })

  it('keeps to one project when asked', async () => {
    const page = (await server().inject(at('/api/memories?project=q'))).json()
    expect(page.memories.map(({ id }: { id: string }) => id)).toEqual(['m5', 'm3', 'm1'])
  })

  it('loses none of those made in the same millisecond', async () => {
    const memory = (await store.memories.get('m0'))!
    await store.memories.put(...Array.from({ length: 9 }, (_, n) => ({ ...memory, id: `tie/${n} ü`, createdAt: NOW })))
    const app = server()
    const seen: string[] = []
    for (let query = 'limit=2'; ; ) {
      const page = (await app.inject(at(`/api/memories?${query}`))).json()
      seen.push(...page.memories.map(({ id }: { id: string }) => id))
      if (page.next === undefined) break
      query = `limit=2&before=${page.next}`
    }
    expect(new Set(seen).size).toBe(16)
    expect(seen).toHaveLength(16)
  })

  it('shows one by the beginning of its id, with where it stands and how it helped', async () => {
    const memory = (await store.memories.get('m0'))!
    await store.memories.put({ ...memory, id: 'mem_abcdef', branch: 'feature' })
    await store.memoryUses.shown('s', ['mem_abcdef'], 1)
    const shown = (await server().inject(at('/api/memories/mem_abc'))).json()
    expect(shown).toMatchObject({ id: 'mem_abcdef', standing: 'open', usefulness: { shown: 1, used: 0 } })
    expect((await server().inject(at('/api/memories/nobody'))).json()).toMatchObject({ code: 'memory_not_found' })
  })

  it('searches, with a reason for each hit', async () => {
    const { hits } = (await server().inject(at('/api/memories/search?q=basket&project=q&limit=2'))).json()
    expect(hits).toMatchObject([{ entry: { id: 'm5' }, why: 'new', confidence: 0.5 }, { entry: { id: 'm3' } }])
    expect((await server().inject(at('/api/memories/search?q='))).statusCode).toBe(400)
  })

  const own = { host: 'localhost:3333', origin: 'http://localhost:3333', authorization: 'Bearer the-token' }

  it('lets a person change one, without its secrets, and says who did', async () => {
    const payload = { goal: 'Rotate sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA in src/keys.ts', tags: ['keys'] }
    const app = server()
    const response = await app.inject({ method: 'PATCH', url: '/api/memories/m1', headers: own, payload })
    expect(response.json()).toMatchObject({ id: 'm1', tags: ['keys'], updatedBy: 'ada', updatedAt: NOW + 2 })
    expect((await store.memories.get('m1'))?.goal).toMatch(/^Rotate \[redacted\]/)
    const wrong = { method: 'PATCH' as const, url: '/api/memories/m1', headers: own, payload: { id: 'm2' } }
    expect((await app.inject(wrong)).json()).toMatchObject({ code: 'bad_edit' })
  })

  it('deletes one for good', async () => {
    const app = server()
    const response = await app.inject({ method: 'DELETE', url: '/api/memories/m1', headers: own })
    expect(response.json()).toEqual({ deleted: 'm1' })
    expect((await app.inject(at('/api/memories/m1'))).statusCode).toBe(404)
    expect(await store.sharing.outgoing('q', 9)).toContainEqual(expect.objectContaining({ id: 'm1', by: 'ada' }))
  })

  it('lets no foreign page change or delete anything', async () => {
    const headers = { ...own, origin: 'http://evil.example' }
    const app = server()
    expect((await app.inject({ method: 'DELETE', url: '/api/memories/m1', headers })).statusCode).toBe(403)
    expect((await app.inject({ method: 'PATCH', url: '/api/memories/m1', headers, payload: {} })).statusCode).toBe(403)
  })

  it.each(['limit=0', 'limit=x', 'limit=501', 'before=-1', 'before=abc'])('refuses %s', async (query) => {
    const response = await server().inject(at(`/api/memories?${query}`))
    expect([response.statusCode, response.json().code]).toEqual([400, 'bad_page'])
  })
})

describe('every route', () => {
  it.each(['/', '/health', '/api/agents', '/api/agents/x', '/api/memories', '/nothing'])(
    '%s is closed to bent names and foreign pages',
    async (url) => {
      const app = server()
      expect((await app.inject({ url, headers: { host: 'evil.example' } })).statusCode).toBe(403)
      expect((await app.inject(at(url, { origin: 'http://evil.example' }))).statusCode).toBe(403)
    },
  )

  it('gives no other origin leave to read', async () => {
    const { headers } = await server().inject(at('/api/agents'))
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('answers trouble in one shape, without inner words', async () => {
    const broken = { ...store, memories: { ...store.memories, list: () => Promise.reject(new Error('secret path')) } }
    const response = await server({}, { store: broken }).inject(at('/api/memories'))
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      status: 'error',
      code: 'internal_error',
      message: expect.any(String),
      suggestion: expect.any(String),
    })
    expect(response.body).not.toContain('secret path')
  })

  it('logs where trouble was, not what was asked for', async () => {
    const logged: unknown[] = []
    const broken = { ...store, memories: { ...store.memories, list: () => Promise.reject(new Error('broken')) } }
    const app = server({}, { store: broken, log: { ...silent, error: (fields) => logged.push(fields) } })
    await app.inject(at('/api/memories?project=password%3Da-secret'))
    expect(logged).toMatchObject([{ url: '/api/memories' }])
  })
})

describe.each([
  ['on this machine', {}],
  ['open to others', { HOST: '0.0.0.0' }],
])('%s', (_where, env: Record<string, string>) => {
  it('lets a browser in once by the link, then by a cookie it cannot read', async () => {
    const app = server(env)
    expect((await app.inject(at('/', {}))).statusCode).toBe(401)
    const paired = await app.inject(at(`/?token=${keys.link}`, {}))
    expect([paired.statusCode, paired.headers.location]).toEqual([303, '/'])
    const cookie = String(paired.headers['set-cookie'])
    expect(cookie).toMatch(/^grove_\w+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict/)
    const shown = await app.inject(at('/', { cookie: `a=b; ${cookie.split(';')[0]}` }))
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain(keys.page)
    expect((await app.inject(at('/api/agents', { cookie: cookie.split(';')[0]! }))).statusCode).toBe(200)
    expect((await app.inject(at('/api/agents', { authorization: 'Bearer the-token' }))).statusCode).toBe(200)
  })

  it('stays closed to everybody else, and says how to get in', async () => {
    const app = server(env)
    for (const url of ['/', '/api/agents', '/api/memories', '/api/intents', '/ws', '/nothing']) {
      for (const headers of [{}, { cookie: 'grove_1=the-token' }, { authorization: 'Bearer x' }]) {
        const answer = await app.inject(at(url, headers))
        expect(answer.statusCode, url).toBe(401)
        expect(answer.json()).toMatchObject({ code: 'pairing_required' })
      }
    }
    const page = await app.inject(at('/', { accept: 'text/html,*/*' }))
    expect([page.statusCode, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
    expect(page.body).toContain('grove open')
    expect(page.body).not.toContain(keys.page)
  })

  it('sends a browser that comes from another site on from a page of its own, where its cookie comes along', async () => {
    const app = server(env)
    const from = { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const opened = await app.inject(at(`/a?token=${keys.link}`, from))
    expect(opened.statusCode).toBe(200)
    expect(opened.headers['set-cookie']).toBeDefined()
    expect(opened.body).toContain('content="0;url=/a"')
    const followed = await app.inject(at('/a?"><script>', from))
    expect(followed.headers['set-cookie']).toBeUndefined()
    expect(followed.body).not.toContain('<script>')
    expect(followed.body).not.toContain(keys.page)
  })
})

it('the token of a home is made once, and is its owner’s alone', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'grove-token-')), 'token')
  const token = homeToken(file)
  expect(token).toMatch(/^[\w-]{32}$/)
  expect(homeToken(file)).toBe(token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

describe('a teammate', () => {
  const cookieOf = (answer: { headers: Record<string, unknown> }) =>
    String([answer.headers['set-cookie']].flat()[0]).split(';')[0]!

  async function invited(app: ReturnType<typeof server>) {
    const made = await app.inject({ ...at('/api/people/invitations'), method: 'POST', payload: { to: '/features' } })
    return made.json<{ path: string }>().path
  }

  it('comes by an invitation, once, says a name, and is turned away when the pairing is taken back', async () => {
    const app = server()
    const path = await invited(app)
    const opened = await app.inject(at(path, {}))
    expect([opened.statusCode, opened.headers.location]).toEqual([303, '/features'])
    expect((await app.inject(at(path, {}))).statusCode).toBe(401)

    const cookie = cookieOf(opened)
    const page = { cookie, 'x-grove-page': keys.page }
    const { me } = (await app.inject(at('/api/people', page))).json()
    expect(me).toMatchObject({ name: null, isOwner: false })
    const wanted = { for: 'POST /api/people/me' }
    const { gesture } = (await app.inject({ ...at('/api/gestures', page), method: 'POST', payload: wanted })).json<{
      gesture: string
    }>()
    const named = await app.inject({
      ...at('/api/people/me', { ...page, 'x-grove-gesture': gesture }),
      method: 'POST',
      payload: { name: 'Kim' },
    })
    expect(named.json()).toMatchObject({ me: { name: 'Kim' } })

    await app.inject({ ...at(`/api/people/${me.id}`), method: 'DELETE' })
    expect((await app.inject(at('/api/people', page))).json()).toMatchObject({ code: 'pairing_required' })
  })

  it('cannot make up a pairing, nor become somebody else by changing the cookie', async () => {
    const app = server()
    const opened = await app.inject(at(await invited(app), {}))
    const [name, value] = cookieOf(opened).split('=') as [string, string]
    const [id, proof] = value.split('.') as [string, string]
    for (const made of [`owner.${proof}`, `${id}.${'x'.repeat(32)}`, `other.${proof}`, id, `${id}.`, `.${proof}`]) {
      const answer = await app.inject(at('/api/people', { cookie: `${name}=${made}` }))
      expect([made, answer.statusCode]).toEqual([made, 401])
    }
  })

  it('gets a link that still works after the owner has tried it', async () => {
    const app = server()
    const path = await invited(app)
    const owner = cookieOf(await app.inject(at(`/?token=${keys.link}`, {})))
    const tried = await app.inject(at(path, { cookie: owner }))
    expect([tried.statusCode, tried.headers['set-cookie']]).toEqual([303, undefined])
    expect((await app.inject(at(path, {}))).statusCode).toBe(303)
  })
})
