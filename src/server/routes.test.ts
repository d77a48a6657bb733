import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newTask } from '#core/task.ts'
import { workflowEngine } from '#daemon/compose/workflow.ts'
import { featureApi } from '#protocol/api/feature-routes.ts'
import type { Route } from '#protocol/api/route.ts'
import { api } from '#protocol/api/routes.ts'
import { explainedFindings } from '#supervisor/canary/findings.ts'
import { file } from '#supervisor/guard/approvals/approvals.ts'
import { reflect } from '#supervisor/learning/reflect.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { checkAnswers, person } from '../../test/support/checked-api.ts'
import { guarded, intentsYaml } from '../../test/support/guarded.ts'
import { memoryOf } from '../../test/support/team-memories.ts'
import { agentsIn } from './agents.ts'
import { keysOf } from './keys.ts'
import { LiveFeed } from './live.ts'
import { buildServer } from './server.ts'

const TOKEN = 'the-token'
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const SOURCE = 'export const a = 1\n'

type Stage = Awaited<ReturnType<typeof setStage>>

/** The whole server over a project in which every part has something to tell. */
async function setStage(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, {
    '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/**'] }),
    'src/a.ts': SOURCE,
  })
  const { store, world: guard, dir } = stage
  const { config, clock } = stage.opened
  const { opened } = stage
  const [learning, trace, pauses] = await Promise.all([opened.learning(), opened.trace(), opened.pauses()])
  await store.projects.put({ id: 'p1', name: 'shop', root: dir })
  const memory: MemoryWorld = {
    store,
    clock,
    log: silent,
    find: async () => [{ memoryId: 'mem_1', confidence: 0.8, why: 'words', shared: { words: 1, files: 0 } }],
    workPlace: async () => ({}),
    mergedAmong: async () => new Set(),
    settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.3 }),
  }
  const app = buildServer({
    config,
    version: '1.2.3',
    keys: keysOf(TOKEN),
    peers: person,
    webFolder: '/nowhere',
    live: new LiveFeed(Date.now),
    log: silent,
    agents: agentsIn(store, Date.now),
    projects: () => store.projects.list(),
    findings: () => explainedFindings(store.states),
    memory,
    features: workflowEngine({
      config,
      states: store.states,
      guard,
      memory,
      learning,
      clock,
      log: silent,
      publish() {},
    }),
    learning,
    guard,
    trace,
    pauses,
    self: {
      settings: () => ({ settings: [], problems: [] }),
      doctor: async () => [{ check: 'node', status: 'ok', detail: 'fine' }],
      fix: async () => 'done',
      scene: () => ({ text: 'An agent begins.', place: 'Agents', hint: 'its goal' }),
    },
  })
  whenFinished(() => app.close())
  const answered = checkAnswers(app)
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}` }
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBeLessThan(300)
    return answer.json()
  }
  return { ...stage, learning, answered, ask }
}

it('every declared route answers in the shape that is declared', async ({ onTestFinished }) => {
  const stage = await setStage(onTestFinished)
  const { ask, answered } = stage
  const { learningId, approvalId } = await fill(stage)

  await ask('GET', '/health')
  await ask('POST', '/api/gestures', { for: 'DELETE /api/memories/mem_1' })
  await ask('POST', '/api/links')
  await ask('POST', '/api/people/me', { name: 'Kim' })
  await ask('POST', '/api/people/invitations', {})
  expect(await ask('GET', '/api/people')).toMatchObject({ me: { name: 'Kim', isOwner: true } })
  await stage.store.states.update(SLOTS.people, 'all', 1, () => ({
    people: { p1: { id: 'p1', name: 'Lee', pairedAt: 1 } },
  }))
  await ask('DELETE', '/api/people/p1')
  await ask('GET', '/api/agents')
  await ask('GET', '/api/agents/finished')
  await ask('GET', '/api/agents/s1')
  await ask('GET', '/api/memories?limit=1')
  await ask('GET', '/api/memories/search?q=cache')
  await ask('GET', '/api/memories/mem_1')
  await ask('GET', '/api/memories/mem_1/uses')
  await ask('PATCH', '/api/memories/mem_1', { tags: ['cache'] })
  const line = JSON.stringify(memoryOf('mem_9', 1_700_000_000_000, 'ada', { projectId: 'p1' }))
  await ask('POST', '/api/memories/import', { lines: [line, 'no memory'], project: 'p1' })
  await ask('GET', '/api/projects')
  await ask('GET', '/api/settings')
  await ask('GET', '/api/doctor')
  await ask('GET', '/api/demo')
  await ask('POST', '/api/doctor/fix', { remedy: 'attach' })
  await ask('GET', '/api/insights/days?days=7')
  await ask('POST', '/api/pauses', { scope: { type: 'all' }, minutes: 5 })
  await ask('POST', '/api/pauses/end', { scope: { type: 'all' } })
  await ask('DELETE', '/api/memories/mem_2')
  await ask('GET', '/api/learnings?q=migrations')
  await ask('GET', `/api/learnings/${learningId}`)
  await ask('PATCH', `/api/learnings/${learningId}`, { contextFiles: ['src/a.ts'] })
  await ask('POST', `/api/learnings/${learningId}/archive`, { reason: 'old' })
  await ask('POST', `/api/learnings/${learningId}/restore`)
  const { candidates } = await ask('GET', '/api/rejected-learnings')
  const opposite = candidates.find(({ stage: why }: { stage: string }) => why === 'contradiction')
  expect(opposite).toMatchObject({ restorable: true, contradicts: { id: learningId } })
  const restored = await ask('POST', `/api/rejected-learnings/${opposite.id}/restore`, {})
  const replaced = await ask('POST', `/api/learnings/${learningId}/supersede`, { by: restored.learning.id })
  expect(replaced.learning).toMatchObject({ id: learningId, status: 'superseded' })
  await ask('GET', '/api/insights')
  await ask('POST', '/api/intents', { project: 'shop', name: 'Billing', ownedScope: ['lib/**'], owner: 'ada' })
  await ask('GET', '/api/intents?all=true')
  await ask('GET', '/api/intents/auth')
  await ask('GET', '/api/intents/scope?project=shop')
  await ask('PATCH', '/api/intents/INT-001', { project: 'p1', status: 'done' })
  await ask('GET', '/api/approvals?all=true')
  await ask('POST', `/api/approvals/${approvalId}`, { answer: 'reject', note: 'not now' })
  await ask('GET', '/api/trace?limit=1')
  await ask('GET', '/api/trace/blame?file=src/a.ts')
  await ask('GET', '/api/trace/stats')
  await ask('GET', '/api/trace/verify')
  await stage.opened.pauses().then((pauses) => pauses.pause({ type: 'project', id: 'p1' }, Date.now() + 60_000))
  expect(await ask('GET', '/api/pauses')).toMatchObject({ pauses: [{ scope: { type: 'project', id: 'p1' } }] })
  expect(await ask('GET', '/api/canary')).toMatchObject({ findings: [{ kind: 'unknown-key', subject: 'tempo' }] })

  // Feature sessions need a repository and an agent; their routes answer in test/workflow.
  const elsewhere = new Set<object>(Object.values(featureApi))
  const nouns = Object.values<Record<string, Route>>(api).filter((noun) => !elsewhere.has(noun))
  const declared = nouns.flatMap((noun) => Object.values(noun))
  expect([...answered].sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort())
})

/** Puts one of everything where the routes look for it, with every field that may be absent. */
async function fill({ store, world, learning, dir, git, hook, select, guardedProject }: Stage) {
  const at = Date.now()
  const session = { sessionId: 's1', taskId: 't1' }
  const action = { tool: 'Edit', kind: 'edit', files: ['src/a.ts'], at } as const
  const finding = { kind: 'unknown-key', subject: 'tempo', version: '2.2.0', sessionId: 's1', at, told: true } as const
  await store.states.put(SLOTS.finding, 'k', finding, at)
  await store.sessions.see({ id: 's1', at, through: 'hooks', projectId: 'p1', cwd: dir, model: 'm', contextTokens: 5 })
  await store.tasks.create(
    newTask({ id: 't1', sessionId: 's1', projectId: 'p1', kind: 'main', instruction: 'do', goal: 'Do it' }, at),
  )
  await store.steps.append({
    ...session,
    ...action,
    id: 'toolu_a',
    files: ['src/a.ts'],
    folders: ['src'],
    keywords: ['a'],
    agentId: 'sub',
    command: 'ls',
    query: 'q',
    excerpt: 'x',
    reasoning: 'because',
    driftScore: 9,
    driftType: 'none',
    keyDecision: true,
  })
  await store.driftEvents.append({
    ...session,
    ...action,
    id: 'd1',
    files: ['src/a.ts'],
    stepId: 'toolu_b',
    score: 2,
    level: 'correct',
    reason: 'elsewhere',
    correction: 'Go back.',
    recoveryPlan: ['Open src/a.ts.'],
    recovered: false,
  })
  await store.injections.append({
    ...session,
    id: 'i1',
    kind: 'goal',
    place: 'hook',
    text: 'x',
    why: 'y',
    tokens: 1,
    at,
  })

  await store.memories.put(
    memoryOf('mem_1', 2, 'Ada', { projectId: 'p1', branch: 'b', merged: true, sessionId: 's1', parentId: 'mem_2' }),
    memoryOf('mem_2', 1, 'Ada', { projectId: 'p1' }),
  )
  const { accepted } = await reflect(learning, {
    cwd: dir,
    sessionId: 's1',
    candidates: [CANDIDATE, OPPOSITE, { summary: 'odd' }],
  })

  await select('auth')
  const content = `${SOURCE}export const b = 2\n`
  await writeFile(join(dir, 'src/a.ts'), content)
  await hook({
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: join(dir, 'src/a.ts'), content },
    tool_response: { content, originalFile: SOURCE },
    tool_use_id: 'toolu_c',
  })
  await git('add', '-A')
  await git('commit', '-qm', 'work')
  const approval = await file(world, {
    kind: 'scope',
    sessionId: 's1',
    agentId: 'sub',
    project: guardedProject,
    intentId: 'auth',
    tool: 'request_scope',
    subject: 'lib',
    what: 'add lib/** to the scope of auth',
    scope: ['lib/**'],
    reason: 'needed',
  })
  return { learningId: accepted[0]!.id, approvalId: approval.id }
}

const OPPOSITE = {
  category: 'pitfall',
  summary: 'Do not run the migrations before the seed script',
  detail: 'The seed script brings its own tables since it was rewritten; migrations before it clash with them.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}

const CANDIDATE = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
  context_files: ['db/seed.ts'],
  ticket_id: 'T-1',
}
