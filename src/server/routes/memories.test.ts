import { describe, expect, it } from 'vitest'
import type { Memory } from '#core/memory/memory.ts'
import { newTask } from '#core/task.ts'
import { memoryRoutes } from '#protocol/api/memories.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { sampleSession } from '#workflow/testing/sample.ts'
import { serveSome } from '../../../test/support/checked-api.ts'
import { memoryOf, PROJECT } from '../../../test/support/team-memories.ts'
import { agentsIn } from '../agents.ts'
import type { Driving } from '../feature-titles.ts'
import { memoryHandlers } from './memories.ts'

const features: Driving = {
  driving: (id) => (id === 'driven' ? { session: sampleSession({ title: 'Rotate refresh tokens' }) } : undefined),
}

type WhenFinished = (work: () => Promise<void>) => void

async function serve(whenFinished: WhenFinished, ...memories: Memory[]) {
  return serveWith({ user: 'Bob' }, whenFinished, ...memories)
}

async function serveWith(more: Partial<MemoryWorld>, whenFinished: WhenFinished, ...memories: Memory[]) {
  const store = await openSqliteStore({ file: ':memory:' })
  whenFinished(async () => {
    await app.close()
    await store.close()
  })
  await store.memories.put(...memories)
  let now = 1_000_000
  const world: MemoryWorld = {
    store,
    clock: { now: () => ++now },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    find: async (_project, { limit }) =>
      (await store.memories.list(undefined, { limit })).map(({ id }) => ({
        memoryId: id,
        confidence: 0.8,
        why: 'shares words',
        shared: { words: 2, files: 0 },
      })),
    workPlace: async () => ({}),
    mergedAmong: async () => new Set(),
    settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.3 }),
    ...more,
  }
  const app = serveSome((serve) =>
    serve(memoryRoutes, memoryHandlers({ memory: world, agents: agentsIn(store, Date.now), features })),
  )
  const ask = async (method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers: { authorization: 'Bearer the-token' },
      ...(payload && { payload }),
    })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return { store, ask }
}

describe('the API of memories', () => {
  it('gives every memory once, page by page, though many are of the same moment and more keep coming', async ({
    onTestFinished,
  }) => {
    const memories = Array.from({ length: 25 }, (_, n) => memoryOf(`mem_${n}-ü`, n < 20 ? 500 : 400, 'Ada'))
    const { store, ask } = await serve(onTestFinished, ...memories)
    const seen: string[] = []
    let page = '/api/memories?limit=4'
    for (let round = 0; page !== ''; round++) {
      const { body } = await ask('GET', page)
      seen.push(...body.memories.map(({ id }: Memory) => id))
      // Newer ones, and deleted ones behind us, must not move what is still to come.
      await store.memories.put(memoryOf(`new_${round}`, 900 + round, 'Ada'))
      if (round < 3) await store.memories.remove(seen[round]!, { at: 950 })
      page = body.next ? `/api/memories?limit=4&before=${encodeURIComponent(body.next)}` : ''
    }
    expect(seen).toHaveLength(25)
    expect(new Set(seen)).toEqual(new Set(memories.map(({ id }) => id)))
  })

  it('keeps to one project where one is named', async ({ onTestFinished }) => {
    const { ask } = await serve(onTestFinished, memoryOf('m1', 1, 'Ada'), memoryOf('m2', 2, 'Ada', { projectId: 'q' }))
    expect((await ask('GET', '/api/memories?project=q')).body).toMatchObject({ memories: [{ id: 'm2' }] })
    expect((await ask('GET', '/api/memories')).body.memories).toHaveLength(2)
  })

  it('searches with reasons, shows, changes and deletes', async ({ onTestFinished }) => {
    const { ask } = await serve(onTestFinished, memoryOf('mem_1', 1, 'Ada'))
    expect((await ask('GET', '/api/memories/search?q=cache&project=p')).body).toMatchObject({
      hits: [{ entry: { id: 'mem_1' }, confidence: 0.8, why: 'shares words' }],
    })
    expect((await ask('GET', '/api/memories/mem_')).body).toMatchObject({ id: 'mem_1', usefulness: { shown: 0 } })
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    const edited = await ask('PATCH', '/api/memories/mem_1', { constraints: [`the token ${secret} must stay`] })
    expect(edited.body).toMatchObject({ updatedBy: 'Bob', user: 'Ada', goal: 'mem_1 is done' })
    expect(JSON.stringify(edited.body)).not.toContain(secret)
    expect((await ask('DELETE', '/api/memories/mem_1')).body).toEqual({ deleted: 'mem_1' })
    expect(await ask('GET', '/api/memories/mem_1')).toMatchObject({ status: 404, body: { code: 'memory_not_found' } })
  })

  it('tells to whom it was shown: an agent that a feature drives by the name of the feature', async ({
    onTestFinished,
  }) => {
    const { store, ask } = await serve(onTestFinished, memoryOf('mem_1', 1, 'Ada'))
    for (const [index, sessionId] of ['alone', 'driven'].entries()) {
      const words = { instruction: 'Mend the cache', goal: 'Mend the cache' }
      await store.tasks.create(newTask({ id: `t${index}`, sessionId, kind: 'main', ...words }, 1))
      await store.memoryUses.shown(sessionId, ['mem_1'], index)
    }
    expect((await ask('GET', '/api/memories/mem_1/uses')).body.uses).toMatchObject([
      { sessionId: 'driven', goal: 'Rotate refresh tokens' },
      { sessionId: 'alone', goal: 'Mend the cache' },
    ])
  })

  it('understands a parameter that comes more than once', async ({ onTestFinished }) => {
    const asked: unknown[] = []
    const find: MemoryWorld['find'] = async (project, { text, files }) => {
      asked.push({ project, text, files })
      return []
    }
    const { ask } = await serveWith({ find }, onTestFinished, memoryOf('m1', 1, 'Ada'))
    expect(await ask('GET', '/api/memories?project=q&project=p&limit=2&limit=1')).toMatchObject({ status: 200 })
    expect(await ask('GET', '/api/memories/search?q=a&q=b&files=x.ts&files=y.ts,z.ts&project=p')).toMatchObject({
      status: 200,
    })
    expect(asked).toEqual([{ project: 'p', text: 'a b', files: ['x.ts', 'y.ts', 'z.ts'] }])
  })

  it('notes who changed a memory, by the name git has for them where none is set', async ({ onTestFinished }) => {
    const workPlace = async (cwd: string) => ({ user: `who works in ${cwd}` })
    const { store, ask } = await serveWith({ workPlace }, onTestFinished, memoryOf('m1', 1, 'Ada'))
    await store.projects.put({ id: PROJECT, name: 'app', root: '/p' })
    const { body } = await ask('PATCH', '/api/memories/m1', { tags: ['x'] })
    expect(body).toMatchObject({ user: 'Ada', updatedBy: 'who works in /p' })
  })

  it('lets a memory stand again whose successor was deleted', async ({ onTestFinished }) => {
    const [old, young] = [memoryOf('old1', 1, 'Ada', { supersededBy: 'young1' }), memoryOf('young1', 2, 'Bob')]
    const { ask } = await serve(onTestFinished, old, young)
    expect((await ask('GET', '/api/memories/old1')).body).toHaveProperty('supersededBy', 'young1')
    await ask('DELETE', '/api/memories/young1')
    expect((await ask('GET', '/api/memories/old1')).body).not.toHaveProperty('supersededBy')
  })

  it('says what is wrong', async ({ onTestFinished }) => {
    const { ask } = await serve(onTestFinished, memoryOf('mem_1', 1, 'Ada'), memoryOf('mem_2', 2, 'Ada'))
    expect(await ask('GET', '/api/memories?limit=0')).toMatchObject({ status: 400, body: { code: 'bad_page' } })
    expect(await ask('GET', '/api/memories?before=x')).toMatchObject({ status: 400, body: { code: 'bad_page' } })
    expect(await ask('GET', '/api/memories/search?q=%20')).toMatchObject({ status: 400, body: { code: 'no_question' } })
    expect(await ask('GET', '/api/memories/mem_')).toMatchObject({ status: 409, body: { code: 'memory_ambiguous' } })
    expect(await ask('PATCH', '/api/memories/mem_1', { user: 'me' })).toMatchObject({
      status: 400,
      body: { code: 'bad_edit' },
    })
    for (const edit of [{}, { goal: '  ' }]) {
      expect(await ask('PATCH', '/api/memories/mem_1', edit)).toMatchObject({ status: 400, body: { code: 'bad_edit' } })
    }
    expect(await ask('DELETE', '/api/memories/none')).toMatchObject({ status: 404 })
  })
})
