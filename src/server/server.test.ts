import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { apiServer, at, keys, SCRIPT, storeForEach, TOOL } from '../../test/support/api-server.ts'
import { memoryOf } from '../../test/support/team-memories.ts'
import { homeToken } from './token.ts'

let store: Store
storeForEach((fresh) => {
  store = fresh
})
const server = (env: Record<string, string> = {}) => apiServer(store, env)

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
    const response = await apiServer(broken).inject(at('/api/memories'))
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
    const app = apiServer(broken, {}, { debug() {}, info() {}, warn() {}, error: (fields) => logged.push(fields) })
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
