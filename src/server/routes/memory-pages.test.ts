import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { apiServer, at, NOW, storeForEach } from '../../../test/support/api-server.ts'

let store: Store
storeForEach((fresh) => {
  store = fresh
})
const server = () => apiServer(store)

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
