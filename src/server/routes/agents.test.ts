import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { newTask } from '#core/task.ts'
import type { AgentSummary } from '#protocol/api/agents.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import type { Feature } from '#workflow/feature.ts'
import { sampleSession } from '#workflow/testing/sample.ts'
import { apiServer, at, NOW, storeForEach } from '../../../test/support/api-server.ts'
import { agentsIn } from '../agents.ts'
import { agentHandlers } from './agents.ts'

let store: Store
storeForEach((fresh) => {
  store = fresh
})
const server = () => apiServer(store)

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
    // One action that was rejected and is a step too, and one that is not.
    const rejected = { sessionId: 'session-1', taskId: 't', tool: 'Edit', kind: 'edit' } as const
    const drift = { level: 'correct', reason: 'r', correction: 'c', recovered: false } as const
    for (const stepId of ['s2', 's3'])
      await store.driftEvents.append({
        ...rejected,
        ...drift,
        files: ['b.ts'],
        recoveryPlan: [],
        id: `d-${stepId}`,
        stepId,
        score: 3,
        at: NOW,
      })
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
    await store.turns.append({ id: 'm1', sessionId: 'session-1', model: 'm', usage, toolUses: 2, at: NOW })
  })

  it('lists the newest where there are hundreds', async () => {
    for (let n = 0; n < 250; n++) await store.sessions.see({ id: `many-${n}`, through: 'hooks', at: NOW + n })
    const { agents } = (await server().inject(at('/api/agents'))).json() as { agents: { sessionId: string }[] }
    expect(agents).toHaveLength(200)
    expect(agents[0]?.sessionId).toBe('many-249')
  })

  it('lists those that are live, with goal, project, tokens and actions', async () => {
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
          actions: 3,
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
    expect(detail.driftEvents).toHaveLength(2)
    expect(detail.actions).toBe(3)
    expect(detail.tokens).toMatchObject({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4, turns: 1 })
  })

  it('tells which agent waits for a person, for what, and no longer once it is answered', async () => {
    const request = {
      id: 'apr-1',
      kind: 'action',
      sessionId: 'session-1',
      root: '/src/shop',
      intentId: 'INT-001',
    } as const
    const asked = { ...request, tool: 'Bash', what: 'Bash: npm run seed', askedAt: NOW, status: 'pending' } as const
    await store.states.put(SLOTS.approval, asked.id, asked, NOW)
    const waitsFor = async () =>
      ((await server().inject(at('/api/agents'))).json() as { agents: { waitsFor?: object }[] }).agents[0]?.waitsFor
    expect(await waitsFor()).toEqual({ what: 'Bash: npm run seed', count: 1 })
    await store.states.put(SLOTS.approval, asked.id, { ...asked, status: 'approved' }, NOW)
    expect(await waitsFor()).toBeUndefined()
  })

  it('sends a person to the feature where the agent that works for it waits, and says it of no earlier one', async () => {
    const hold = {
      kind: 'breaker_open',
      message: 'Nothing moves.',
      since: '2027-01-15T08:00:00.000Z',
      until: null,
      detail: null,
    } as const
    const session = sampleSession({ title: 'Add login', claudeSessionId: 'session-1', hold })
    const feature = { session, files: { questions: { questions: [] } } } as unknown as Feature
    await store.sessions.see({ id: 'earlier', through: 'hooks', at: NOW - 500 })
    const handlers = agentHandlers({ agents: agentsIn(store, () => NOW), features: { driving: () => feature } })
    const listed = async () => ((await handlers.list({} as never, {} as never)) as { agents: AgentSummary[] }).agents
    const agents = await listed()
    const { projectId, featureId, title } = session
    expect(agents.map(({ sessionId, waitsFor }) => [sessionId, waitsFor])).toEqual([
      ['earlier', undefined],
      ['session-1', { what: 'Nothing moves.', count: 1, feature: { projectId, featureId, title } }],
    ])
    session.archivedAt = '2027-01-15T09:00:00.000Z'
    expect((await listed()).map(({ waitsFor }) => waitsFor)).toEqual([undefined, undefined])
  })

  it('says so when there is no such session', async () => {
    const response = await server().inject(at('/api/agents/nobody'))
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ status: 'error', code: 'agent_not_found', suggestion: expect.any(String) })
  })
})
