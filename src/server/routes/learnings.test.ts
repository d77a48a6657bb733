import { describe, expect, it } from 'vitest'
import { insightRoutes } from '#protocol/api/insights.ts'
import { learningRoutes } from '#protocol/api/learnings.ts'
import { reflect } from '#supervisor/learning/reflect.ts'
import { serveSome } from '../../../test/support/checked-api.ts'
import { setBench } from '../../../test/support/learning-bench.ts'
import { insightHandlers } from './insights.ts'
import { learningHandlers } from './learnings.ts'

const candidates = [
  {
    category: 'pitfall',
    summary: 'Run the migrations before the seed script',
    detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
    criteria_met: ['behavior_changing'],
    tags: ['database'],
  },
  {
    category: 'dependency',
    summary: 'The widget needs cookies with SameSite=None',
    detail: 'It is shown in an iframe of other sites, where Lax cookies are not sent.',
    criteria_met: ['behavior_changing'],
    tags: ['cookies'],
  },
]

describe('the API of learnings', () => {
  it('lists, searches and shows them', async () => {
    const { get, ids } = await serve()
    const { body } = await get('/api/learnings')
    expect(body.learnings).toHaveLength(2)
    expect(body.learnings[0]).toMatchObject({ project: { id: 'p1' }, criteriaMet: ['behavior_changing'] })
    expect((await get('/api/learnings?q=iframe%20cookies')).body.learnings).toMatchObject([{ id: ids[1] }])
    expect((await get('/api/learnings?tag=database')).body.learnings).toMatchObject([{ id: ids[0] }])
    expect((await get('/api/learnings?category=dependency')).body.learnings).toMatchObject([{ id: ids[1] }])
    expect((await get('/api/learnings?project=other')).body.learnings).toEqual([])
    expect((await get(`/api/learnings/${ids[0]}`)).body.learning).toMatchObject({ summary: candidates[0]!.summary })
  })

  it('archives, restores and changes them', async () => {
    const { get, send, ids } = await serve()
    expect((await send('POST', `/api/learnings/${ids[0]}/archive`, { reason: 'old' })).body.learning.status).toBe(
      'archived',
    )
    expect((await get('/api/learnings')).body.learnings).toHaveLength(1)
    expect((await get(`/api/learnings/${ids[0]}`)).body.learning.usage).toEqual({
      surfaced: 0,
      referenced: 0,
      dismissed: 0,
      corrected: 0,
    })
    expect((await get('/api/learnings?status=archived')).body.learnings).toHaveLength(1)
    const changed = await send('PATCH', `/api/learnings/${ids[1]}`, { tags: ['iframe'] })
    expect(changed.body.learning).toMatchObject({ id: ids[1], tags: ['iframe'] })
  })

  it('says what is wrong', async () => {
    const { get, send, ids } = await serve()
    expect(await get('/api/learnings/lrn_none')).toMatchObject({ status: 404, body: { code: 'learning_not_found' } })
    expect(await get('/api/learnings?limit=zero')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(await send('PATCH', `/api/learnings/${ids[0]}`, { summary: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'learning_invalid' },
    })
    expect(await send('PATCH', `/api/learnings/${ids[0]}`, { id: 'x' })).toMatchObject({ status: 400 })
  })

  it('tells how well learning works', async () => {
    const { get } = await serve()
    const { body } = await get('/api/insights')
    expect(body.projects).toMatchObject([
      { project: { id: 'p1' }, learnings: { active: 2 }, reflections: 1, findings: [] },
    ])
  })
})

async function serve() {
  const { world, root } = await setBench()
  const { accepted } = await reflect(world, { cwd: root, candidates })
  const needs = { learning: world, projects: async () => [{ id: 'p1', name: 'project', root }] }
  const app = serveSome((serve) => {
    serve(learningRoutes, learningHandlers(needs))
    serve(insightRoutes, insightHandlers({ ...needs, agents: { days: async () => [] } }))
  })
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const { statusCode, json } = await app.inject({ method, url, ...(payload && { payload }) })
    return { status: statusCode, body: json() }
  }
  return { send, get: (url: string) => send('GET', url), ids: accepted.map(({ id }) => id) }
}
