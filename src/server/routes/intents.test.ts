import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { intentRoutes } from '#protocol/api/intents.ts'
import { traceRoutes } from '#protocol/api/trace.ts'
import { serveSome } from '../../../test/support/checked-api.ts'
import { guarded, intentsYaml } from '../../../test/support/guarded.ts'
import { intentHandlers } from './intents.ts'
import { traceHandlers } from './trace.ts'

const files = {
  '.orchestration/active_intents.yaml': `# ours\n${intentsYaml({ auth: ['src/**'] })}`,
  '.intentignore': 'auth\n',
  'src/a.ts': 'export const a = 1\n',
}

async function api(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  const project = { id: 'p1', name: 'shop', root: stage.dir }
  const needs = {
    guard: stage.world,
    trace: await stage.opened.trace(),
    memory: await stage.opened.memory(),
    projects: async () => [project, { id: 'p2', name: 'no intents', root: stage.home }],
  }
  const app = serveSome((serve) => {
    serve(intentRoutes, intentHandlers({ ...needs, files: async () => ['src/a.ts'] }))
    serve(traceRoutes, traceHandlers(needs))
  })
  const get = async (url: string) => (await app.inject(url)).json()
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const { statusCode, json } = await app.inject({
      method,
      url,
      payload,
      headers: { authorization: 'Bearer the-token' },
    })
    return { status: statusCode, ...json() }
  }
  return { ...stage, app, get, send }
}

describe('/api/intents', () => {
  it('lists the intents of every project that has some, and follows the file', async ({ onTestFinished }) => {
    const { get, put } = await api(onTestFinished)
    expect(await get('/api/intents')).toMatchObject({
      projects: [
        {
          project: { id: 'p1', name: 'shop' },
          problems: [],
          intents: [{ id: 'auth', ownedScope: ['src/**'], needsApproval: true }],
        },
      ],
    })
    expect(await get('/api/intents?project=p2')).toEqual({ projects: [] })
    await put('.orchestration/active_intents.yaml', 'active_intents:\n  - id: [1]\n    name: x\n')
    expect((await get('/api/intents?project=shop')).projects[0].problems).toMatchObject([{ line: 2, column: 9 }])
  })

  it('adds and closes intents, and leaves comments alone', async ({ onTestFinished }) => {
    const { get, send, text } = await api(onTestFinished)
    const wanted = { project: 'p1', name: 'Billing', ownedScope: ['lib/**'] }
    expect(await send('POST', '/api/intents', wanted)).toMatchObject({ intent: { id: 'INT-001' } })
    expect(await send('POST', '/api/intents', { ...wanted, id: 'auth' })).toMatchObject({ code: 'intent_exists' })
    expect(await send('POST', '/api/intents', { project: 'p1' })).toMatchObject({ code: 'bad_intent' })
    const astray = { ...wanted, ownedScope: ['../elsewhere/**'] }
    expect(await send('POST', '/api/intents', astray)).toMatchObject({ code: 'bad_intent' })
    expect(await send('POST', '/api/intents', { ...wanted, project: 'p2' })).toMatchObject({
      code: 'project_not_found',
    })
    expect(await send('PATCH', '/api/intents/auth', { project: 'p1', status: 'done' })).toMatchObject({
      intent: { status: 'done' },
    })
    expect(await send('PATCH', '/api/intents/no', { project: 'p1', status: 'done' })).toMatchObject({
      code: 'intent_not_found',
    })
    const ids = ({ projects: [{ intents }] }: { projects: [{ intents: { id: string }[] }] }) =>
      intents.map(({ id }) => id)
    expect(ids(await get('/api/intents'))).toEqual(['INT-001'])
    expect(ids(await get('/api/intents?all=true'))).toEqual(['auth', 'INT-001'])
    expect(await get('/api/intents/INT-001')).toMatchObject({ intent: { name: 'Billing' }, recent: [] })
    expect(await text('.orchestration/active_intents.yaml')).toMatch(/^# ours\n/)
  })
})

describe('/api/trace', () => {
  it('shows the log, blames files of the project and verifies', async ({ onTestFinished }) => {
    const { get, hook, dir, git, select } = await api(onTestFinished)
    await select('auth')
    const content = 'export const a = 1\nexport const b = 2\n'
    await writeFile(join(dir, 'src/a.ts'), content)
    await hook({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: join(dir, 'src/a.ts'), content },
      tool_response: { content, originalFile: files['src/a.ts'] },
    })
    await git('add', '-A')
    await git('commit', '-qm', 'work')
    expect(await get('/api/trace')).toMatchObject({ project: { id: 'p1' }, records: [{ intent: 'auth' }] })
    expect((await get('/api/trace?intent=other')).records).toEqual([])
    expect(await get('/api/trace?limit=0')).toMatchObject({ code: 'bad_request' })
    expect((await get('/api/trace/blame?file=src/a.ts')).lines).toMatchObject([{}, { origin: { intent: 'auth' } }])
    expect((await get('/api/trace/blame?file=src/a.ts&rev=HEAD')).lines).toHaveLength(2)
    expect(await get('/api/trace/blame?file=src/none.ts')).toMatchObject({ code: 'not_found' })
    for (const odd of ['file=../../etc/passwd', 'file=/etc/passwd', '', 'file=src/a.ts&rev=--output=x']) {
      expect(await get(`/api/trace/blame?${odd}`), odd).toMatchObject({ code: 'bad_request' })
    }
    expect(await get('/api/trace/verify')).toMatchObject({ lines: { total: 3, traced: 1 }, ledger: { damaged: [] } })
    expect(await get('/api/trace/verify?rev=nowhere')).toMatchObject({ code: 'bad_request' })
    expect(await get('/api/trace?project=p2')).toMatchObject({ code: 'project_not_found' })
  })
})
