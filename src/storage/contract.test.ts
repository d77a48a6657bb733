import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '#core/memory/memory.ts'
import type { Injection, Store } from '#core/ports/store.ts'
import type { SessionSighting } from '#core/session.ts'
import type { DriftEvent, Step, Turn } from '#core/step.ts'
import { newTask } from '#core/task.ts'
import type { LocalStore } from './sqlite/store.ts'
import { everyStore } from './testing/every-store.ts'

describe.each(everyStore())('$name', ({ open }) => {
  let store: LocalStore

  beforeEach(async () => {
    store = await open()
  })

  afterEach(async () => {
    await store.close()
  })

  describe('keeps projects', () => {
    it('and gives back what was put, with what was not known left out', async () => {
      await store.projects.put({ id: 'p1', name: 'grove', root: '/code/grove', remote: 'git.example/grove' })
      await store.projects.put({ id: 'p2', name: 'attic', root: '/code/attic' })

      expect(await store.projects.get('p1')).toEqual({
        id: 'p1',
        name: 'grove',
        root: '/code/grove',
        remote: 'git.example/grove',
      })
      expect(await store.projects.list()).toEqual([
        { id: 'p2', name: 'attic', root: '/code/attic' },
        expect.objectContaining({ id: 'p1' }),
      ])
      expect(await store.projects.get('p3')).toBeUndefined()
    })

    it('once each: putting again replaces', async () => {
      await store.projects.put({ id: 'p1', name: 'grove', root: '/old', remote: 'git.example/grove' })
      await store.projects.put({ id: 'p1', name: 'grove', root: '/new' })
      expect(await store.projects.list()).toEqual([{ id: 'p1', name: 'grove', root: '/new' }])
    })

    it('and lists only so many that were worked in last', async () => {
      for (const id of ['p1', 'p2', 'p3', 'p4']) await store.projects.put({ id, name: id, root: `/${id}` })
      for (const [at, projectId] of ['p3', 'p1', 'p2', 'p3'].entries())
        await store.sessions.see({ id: `s${at}`, at: at + 1, through: 'hooks', projectId, cwd: `/${projectId}` })
      expect((await store.projects.list(2)).map(({ id }) => id)).toEqual(['p2', 'p3'])
      expect(await store.projects.list(9)).toHaveLength(4)
    })

    it('with every folder that they were seen in', async () => {
      for (const root of ['/b/grove', '/a/grove', '/b/grove'])
        await store.projects.put({ id: 'p1', name: 'grove', root })
      await store.projects.put({ id: 'p2', name: 'attic', root: '/attic' })
      const found = await store.projects.folders()
      expect([...found].toSorted()).toEqual([
        ['p1', ['/a/grove', '/b/grove']],
        ['p2', ['/attic']],
      ])
    })
  })

  describe('keeps sessions', () => {
    it('and merges what proxy and hooks saw of one into one', async () => {
      await store.sessions.see({ id: 's1', at: 100, through: 'proxy', model: 'a-model', contextTokens: 1200 })
      const session = await store.sessions.see({ id: 's1', at: 90, through: 'hooks', cwd: '/code', projectId: 'p1' })

      expect(session).toEqual({
        id: 's1',
        projectId: 'p1',
        cwd: '/code',
        model: 'a-model',
        attachments: ['proxy', 'hooks'],
        contextTokens: 1200,
        startedAt: 90,
        lastSeenAt: 100,
      })
      expect(await store.sessions.get('s1')).toEqual(session)
      expect(await store.sessions.get('s2')).toBeUndefined()
    })

    it('and never forgets what a later sighting does not mention', async () => {
      await store.sessions.see({ id: 's1', at: 1, through: 'hooks', model: 'a-model', contextTokens: 7 })
      expect(await store.sessions.see({ id: 's1', at: 2, through: 'hooks' })).toMatchObject({
        model: 'a-model',
        contextTokens: 7,
      })
    })

    it('and takes the newer word when two sightings disagree, whichever arrives first', async () => {
      await store.sessions.see({ id: 's1', at: 20, through: 'proxy', model: 'new', contextTokens: 10 })
      expect(
        await store.sessions.see({ id: 's1', at: 10, through: 'proxy', model: 'old', contextTokens: 90_000 }),
      ).toMatchObject({ model: 'new', contextTokens: 10 })
    })

    it('the same in whatever order their sightings arrive', async () => {
      let runs = 0
      await fc.assert(
        fc.asyncProperty(sightingsInTwoOrders, async ([one, other]) => {
          runs++
          expect(await merged(store, `one-${runs}`, one)).toEqual(await merged(store, `other-${runs}`, other))
        }),
        { numRuns: 40 },
      )
    })

    it('apart into live ones, newest first, and those that ended', async () => {
      await store.sessions.see({ id: 'old', at: 10, through: 'hooks' })
      await store.sessions.see({ id: 'first', at: 100, through: 'hooks' })
      await store.sessions.see({ id: 'second', at: 200, through: 'hooks' })
      await store.sessions.see({ id: 'done', at: 150, through: 'hooks' })
      await store.sessions.end('done', 160)

      expect((await store.sessions.live(100)).map(({ id }) => id)).toEqual(['second', 'first'])
      expect(await store.sessions.get('done')).toMatchObject({ endedAt: 160 })
      expect((await store.sessions.recent(3)).map(({ id }) => id)).toEqual(['second', 'done', 'first'])
    })

    it('alive again when one is resumed after its end', async () => {
      await store.sessions.see({ id: 's1', at: 10, through: 'hooks' })
      await store.sessions.end('s1', 20)
      const resumed = await store.sessions.see({ id: 's1', at: 30, through: 'hooks' })

      expect(resumed).toBeDefined()
      expect(resumed?.endedAt).toBeUndefined()
      expect((await store.sessions.live(0)).map(({ id }) => id)).toEqual(['s1'])
    })
  })

  describe('keeps tasks', () => {
    const task = (id: string, at: number) =>
      newTask({ id, sessionId: 's1', kind: 'main', instruction: 'Fix the login', goal: 'login works' }, at)

    it('with every field, and creates each only once', async () => {
      const full = {
        ...task('t1', 1),
        projectId: 'p1',
        parentId: 't0',
        expectedScope: ['src/login/**'],
        constraints: ['no new dependency'],
        keywords: ['login', 'naïve "quotes"', '日本'],
      }
      await store.tasks.create(full)
      await store.tasks.create({ ...full, goal: 'something else' })
      expect(await store.tasks.get('t1')).toEqual(full)
      expect(await store.tasks.get('t2')).toBeUndefined()
    })

    it('and changes only what is said to change', async () => {
      await store.tasks.create({ ...task('t1', 1), keywords: ['login'] })
      await store.tasks.change('t1', {
        mode: 'forced',
        escalation: 2,
        expectedScope: ['src/**'],
        updatedAt: 9,
      })
      expect(await store.tasks.get('t1')).toEqual({
        ...task('t1', 1),
        keywords: ['login'],
        mode: 'forced',
        escalation: 2,
        expectedScope: ['src/**'],
        updatedAt: 9,
      })
    })

    it('and knows the newest active one as the current one', async () => {
      await store.tasks.create(task('t1', 1))
      await store.tasks.create(task('t2', 2))
      await store.tasks.create(task('t3', 2))
      await store.tasks.create({ ...task('other', 5), sessionId: 's2' })
      expect(await store.tasks.current('s1')).toMatchObject({ id: 't3' })

      await store.tasks.change('t3', { status: 'completed', updatedAt: 3 })
      expect(await store.tasks.current('s1')).toMatchObject({ id: 't2' })
      expect((await store.tasks.ofSession('s1')).map(({ id }) => id)).toEqual(['t1', 't2', 't3'])
    })

    it('until they are removed', async () => {
      await store.tasks.create(task('t1', 1))
      await store.tasks.remove('t1')
      expect(await store.tasks.current('s1')).toBeUndefined()
    })
  })

  describe('keeps steps', () => {
    it('once, the second observer filling in only what the first did not know', async () => {
      const bare = step({ id: 'toolu_1' })
      const rich = step({
        id: 'toolu_1',
        taskId: 'another task',
        agentId: 'a1',
        files: ['src/a.ts'],
        folders: ['src'],
        command: 'npm test',
        query: 'login',
        excerpt: 'if (user)',
        reasoning: 'because the session expired',
        keywords: ['login'],
        driftScore: 8,
        driftType: 'none',
        keyDecision: true,
        outcome: 'failed',
        changes: ['src/a.ts'],
        level: 'correct',
        correction: 'Go back.',
        at: 99,
      })
      await store.steps.append(bare)
      await store.steps.append(rich)
      expect(await store.steps.recent('s1', 10)).toEqual([{ ...rich, taskId: bare.taskId, at: bare.at }])

      await store.steps.append(step({ id: 'toolu_1', excerpt: 'else', files: ['src/b.ts'], driftScore: 1 }))
      await store.steps.append(bare)
      expect(await store.steps.recent('s1', 10)).toEqual([{ ...rich, taskId: bare.taskId, at: bare.at }])
    })

    it('newest first for a session, oldest first for a task, and in order within one millisecond', async () => {
      for (const id of ['a', 'b', 'c']) await store.steps.append(step({ id, at: 5 }))
      await store.steps.append(step({ id: 'earlier', at: 4, taskId: 't2' }))
      await store.steps.append(step({ id: 'elsewhere', sessionId: 's2', taskId: 't2' }))

      expect((await store.steps.recent('s1', 10)).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'earlier'])
      expect((await store.steps.recent('s1', 2)).map(({ id }) => id)).toEqual(['c', 'b'])
      expect((await store.steps.ofTask('t1')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })

    it('until those of a task are removed', async () => {
      await store.steps.append(step({ id: 'a' }))
      await store.steps.append(step({ id: 'b', taskId: 't2' }))
      await store.steps.removeOfTask('t1')
      expect((await store.steps.recent('s1', 10)).map(({ id }) => id)).toEqual(['b'])
    })

    it('with any text an agent may produce, the same in every store', async () => {
      let runs = 0
      await fc.assert(
        fc.asyncProperty(anyText, fc.array(anyText, { maxLength: 3 }), async (excerpt, files) => {
          const id = `text-${++runs}`
          await store.steps.append(step({ id, taskId: id, excerpt, files }))
          expect(await store.steps.ofTask(id)).toEqual([
            step({ id, taskId: id, excerpt: wellFormed(excerpt), files: files.map(wellFormed) }),
          ])
        }),
        { numRuns: 60 },
      )
    })

    it('all of them when many arrive at once', async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `many-${index}`)
      await Promise.all(ids.flatMap((id) => [store.steps.append(step({ id })), store.steps.append(step({ id }))]))
      expect(await store.steps.ofTask('t1')).toHaveLength(200)
    })
  })

  describe('keeps drift events', () => {
    const event = (id: string, at: number): DriftEvent => ({
      id,
      sessionId: 's1',
      taskId: 't1',
      stepId: `toolu_${id}`,
      tool: 'Edit',
      kind: 'edit',
      files: ['billing.ts'],
      score: 2.5,
      level: 'halt',
      reason: 'works on billing',
      correction: 'go back to the login',
      recoveryPlan: ['open login.ts', 'undo billing.ts'],
      recovered: false,
      at,
    })

    it('once each, newest first, until the task has recovered', async () => {
      await store.driftEvents.append(event('d1', 1))
      await store.driftEvents.append(event('d2', 2))
      await store.driftEvents.append({ ...event('d2', 2), score: 4 })
      await store.driftEvents.append({ ...event('d3', 3), taskId: 't2' })
      expect(await store.driftEvents.ofSession('s1', 10)).toEqual([
        { ...event('d3', 3), taskId: 't2' },
        event('d2', 2),
        event('d1', 1),
      ])

      await store.driftEvents.markRecovered('t1')
      expect((await store.driftEvents.ofSession('s1', 2)).map(({ id, recovered }) => [id, recovered])).toEqual([
        ['d3', false],
        ['d2', true],
      ])
    })
  })

  describe('keeps turns', () => {
    const turn = (id: string, over: Partial<Turn> = {}): Turn => ({
      id,
      sessionId: 's1',
      model: 'a-model',
      usage: { input: 3, output: 500, cacheRead: 3_000_000_000, cacheWrite: 20 },
      toolUses: 1,
      at: 1,
      ...over,
    })

    it('once each, and adds up what a session used', async () => {
      await store.turns.append(turn('msg_1'))
      await store.turns.append(turn('msg_1', { usage: { input: 9, output: 9, cacheRead: 9, cacheWrite: 9 } }))
      await store.turns.append(turn('msg_2', { agentId: 'a1', stopReason: 'end_turn' }))
      await store.turns.append(turn('msg_3', { sessionId: 's2' }))

      expect(await store.turns.totals('s1')).toEqual({
        input: 6,
        output: 1000,
        cacheRead: 6_000_000_000,
        cacheWrite: 40,
        turns: 2,
      })
      expect(await store.turns.totals('unknown')).toEqual({
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        turns: 0,
      })
    })
  })

  describe('keeps memories', () => {
    const memory = (id: string, createdAt: number): Memory => ({
      id,
      projectId: 'p1',
      instruction: 'Fix the login',
      goal: 'login works',
      reasoningTrace: ['the token had expired'],
      decisions: [{ choice: 'refresh it', reason: 'users stay signed in' }],
      constraints: [],
      files: ['src/login.ts'],
      tags: ['auth'],
      status: 'complete',
      trigger: 'complete',
      createdAt,
    })

    it('with every field, the last word replacing the one before', async () => {
      const full = { ...memory('m1', 1), user: 'ada', branch: 'main', linkedCommit: 'abc123', parentId: 'm0' }
      await store.memories.put(memory('m1', 1))
      await store.memories.put(full)
      expect(await store.memories.get('m1')).toEqual(full)

      await store.memories.put(memory('m1', 1))
      expect(await store.memories.get('m1')).toEqual(memory('m1', 1))
    })

    it('and lists them newest first, page by page, of one project only', async () => {
      for (const at of [1, 2, 3]) await store.memories.put(memory(`m${at}`, at))
      await store.memories.put({ ...memory('foreign', 9), projectId: 'p2' })

      expect((await store.memories.list('p1', { limit: 2 })).map(({ id }) => id)).toEqual(['m3', 'm2'])
      expect((await store.memories.list('p1', { limit: 2, before: 2 })).map(({ id }) => id)).toEqual(['m1'])
    })

    it('until they are removed', async () => {
      await store.memories.put(memory('m1', 1))
      await store.memories.remove('m1')
      expect(await store.memories.get('m1')).toBeUndefined()
    })
  })

  it('keeps injections once each, newest first', async () => {
    const injection = (id: string, at: number): Injection => ({
      id,
      sessionId: 's1',
      kind: 'memory',
      place: 'system',
      text: 'what the team knows',
      why: 'same files',
      tokens: 12,
      at,
    })
    await store.injections.append(injection('i1', 1))
    await store.injections.append({ ...injection('i2', 2), taskId: 't1' })
    await store.injections.append({ ...injection('i2', 2), text: 'other' })
    expect(await store.injections.ofSession('s1', 10)).toEqual([
      { ...injection('i2', 2), taskId: 't1' },
      injection('i1', 1),
    ])
    expect(await store.injections.ofSession('s2', 10)).toEqual([])
  })

  it('counts what it holds', async () => {
    await store.projects.put({ id: 'p1', name: 'grove', root: '/code' })
    await store.sessions.see({ id: 's1', at: 1, through: 'proxy' })
    for (const id of ['a', 'b']) await store.steps.append(step({ id }))
    expect(await store.counts()).toEqual({
      projects: 1,
      sessions: 1,
      tasks: 0,
      steps: 2,
      driftEvents: 0,
      turns: 0,
      memories: 0,
    })
  })

  it('refuses work after it was closed', async () => {
    await store.close()
    await expect(store.counts()).rejects.toThrow('destroyed')
  })
})

function step(over: Partial<Step>): Step {
  return {
    id: 'toolu',
    sessionId: 's1',
    taskId: 't1',
    tool: 'Edit',
    kind: 'edit',
    files: [],
    folders: [],
    keywords: [],
    keyDecision: false,
    at: 5,
    ...over,
  }
}

/** Few distinct times and values, so that ties and contradictions are common. */
const sightings = fc.array(
  fc.record(
    {
      at: fc.integer({ min: 1, max: 5 }),
      through: fc.constantFrom('proxy' as const, 'hooks' as const),
      projectId: fc.constantFrom('p1', 'p2'),
      cwd: fc.constantFrom('/a', '/b', '/B'),
      model: fc.constantFrom('x', 'y'),
      contextTokens: fc.integer({ min: 0, max: 3 }),
    },
    { requiredKeys: ['at', 'through'] },
  ),
  { minLength: 1, maxLength: 8 },
)

const sightingsInTwoOrders = sightings.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
)

async function merged(store: Store, id: string, looks: Omit<SessionSighting, 'id'>[]) {
  for (const look of looks) await store.sessions.see({ ...look, id })
  return { ...(await store.sessions.get(id)), id: 'any' }
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\0', '\ud83c', '\udf33', '\\', '"', '\n', '\u2028', 'a'), maxLength: 8 }),
)

/** What comes back: no database of ours keeps NUL or half a character. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\uFFFD')
}
