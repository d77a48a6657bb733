import { beforeEach, describe, expect, it } from 'vitest'
import type { WorkPlace } from '#core/memory/branch.ts'
import type { Memory } from '#core/memory/memory.ts'
import type { Found } from '#core/ports/memory.ts'
import { store, storeForEach } from '../../../test/support/start-engine.ts'
import { contextAtStart, contextFor } from './context.ts'
import { noteUse, rememberWork } from './remember.ts'
import type { MemoryWorld } from './world.ts'

// What is shown to whom and when, and what is kept; the ranking itself is asked through its port.

let now: number
let hits: Found[]
let asked: Parameters<MemoryWorld['find']>[1][]
let merged: Set<string>
let place: WorkPlace

storeForEach()
beforeEach(() => {
  now = 1_000
  hits = []
  asked = []
  merged = new Set()
  place = { branch: 'main', defaultBranch: 'main', user: 'Ada' }
})

const world = (more: Partial<ReturnType<MemoryWorld['settingsAt']>> = {}): MemoryWorld => ({
  store,
  clock: { now: () => ++now },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  find: async (_project, question) => {
    asked.push(question)
    return hits
  },
  workPlace: async () => place,
  mergedAmong: async () => merged,
  settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.3, ...more }),
})

const memory = (id: string, more: Partial<Memory> = {}): Memory => ({
  id,
  projectId: 'p',
  user: 'Ada',
  instruction: `Do ${id}`,
  goal: `Teach the importer about ${id}`,
  reasoningTrace: [`Changed \`${id}Handler\` because it was slow`],
  decisions: [],
  constraints: [],
  files: [`src/${id}.ts`],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: 10,
  ...more,
})

const found = (memoryId: string, confidence = 0.9, shared = { words: 3, files: 0 }): Found => ({
  memoryId,
  confidence,
  why: 'shares words',
  shared,
})

async function know(...memories: Memory[]) {
  await store.memories.put(...memories)
  hits = memories.map(({ id }) => found(id))
}

const question = (instruction: string, more = {}) => ({
  sessionId: 's1',
  projectId: 'p',
  cwd: '/p',
  instruction,
  files: [],
  ...more,
})

const ids = async (...args: Parameters<typeof contextFor>) => (await contextFor(...args))?.memoryIds

describe('an agent is shown', () => {
  it('what bears on its prompt, a few at first, fewer later, none twice', async () => {
    await know(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => memory(id)))
    expect(await ids(world(), question('Make the importer faster'))).toEqual(['a', 'b', 'c'])
    expect(await ids(world(), question('Now the exporter as well'))).toEqual(['d', 'e'])
    // Five in one session are enough.
    expect(await ids(world(), question('And the report'))).toBeUndefined()
    expect(await ids(world(), question('Make the importer faster', { sessionId: 's2' }))).toEqual(['a', 'b', 'c'])
  })

  it('as many as may be, whatever it has fetched itself', async () => {
    await know(memory('a'), memory('b'))
    for (const id of ['x', 'y', 'z', 'a']) {
      await store.memoryUses.shown('s1', [id], 5)
      await store.memoryUses.used('s1', id, 'opened', 5)
    }
    expect(await ids(world({ perSession: 1 }), question('Make the importer faster'))).toEqual(['b'])
  })

  it('nothing for words that only move the work along', async () => {
    await know(memory('a'))
    expect(await ids(world(), question('yes, go on'))).toBeUndefined()
    expect(asked).toEqual([])
  })

  it('nothing it would have to be lucky to need', async () => {
    await store.memories.put(memory('a'), memory('b'), memory('c'))
    hits = [found('a', 0.2), found('b', 0.9, { words: 1, files: 0 }), found('c', 0.9, { words: 0, files: 1 })]
    expect(await ids(world(), question('Make the importer faster'))).toEqual(['c'])
  })

  it('nothing of another project, nothing superseded, nothing when it is switched off', async () => {
    await store.memories.put(memory('c'))
    await know(memory('a', { projectId: 'q' }), memory('b', { supersededBy: 'c' }))
    expect(await ids(world(), question('Make the importer faster'))).toBeUndefined()
    await know(memory('d'))
    expect(await ids(world({ perSession: 0 }), question('Make it smaller'))).toBeUndefined()
  })

  it('what was superseded again when its successor has been deleted', async () => {
    await store.memories.put(memory('c'))
    await know(memory('b', { supersededBy: 'c' }))
    await store.memories.remove('c')
    expect(await ids(world(), question('Make the importer faster'))).toEqual(['b'])
  })

  it('how things are as well, as long as what is to take its place lies on another branch', async () => {
    await know(memory('old', { supersededBy: 'new' }), memory('new', { branch: 'feature' }))
    const shown = async (sessionId: string) => ids(world(), question('Make the importer faster', { sessionId }))
    expect((await shown('s1'))?.sort()).toEqual(['new', 'old'])
    place = { branch: 'feature', defaultBranch: 'main' }
    expect(await shown('s2')).toEqual(['new'])
    place = { branch: 'main', defaultBranch: 'main' }
    merged = new Set(['new'])
    expect(await shown('s3')).toEqual(['new'])
  })

  it('work on another branch with a mark, until it is merged', async () => {
    await know(memory('a', { branch: 'feature' }))
    const open = await contextFor(world(), question('Make the importer faster'))
    expect(open?.text).toContain('on branch feature, not merged yet')
    merged = new Set(['a'])
    const later = await contextFor(world(), question('Make the importer faster', { sessionId: 's2' }))
    expect(later?.text).not.toContain('feature')
    // For good, and for the team.
    expect(await store.memories.get('a')).toMatchObject({ merged: true, updatedAt: expect.any(Number) })
  })

  it('work of its own branch without a mark', async () => {
    place = { branch: 'feature', defaultBranch: 'main' }
    await know(memory('a', { branch: 'feature' }))
    expect((await contextFor(world(), question('Make the importer faster')))?.text).not.toContain('not merged')
  })

  it('what the ranking finds for the files that are named and in work', async () => {
    await contextFor(world(), question('Fix src/a.ts please', { files: ['src/a.ts', 'src/b.ts', 'src/a.ts'] }))
    expect(asked[0]).toMatchObject({ files: ['src/a.ts', 'src/b.ts'], sessionId: 's1', sure: true })
  })

  it('what is under way on its branch before it was asked anything, and that not again', async () => {
    place = { branch: 'feature', defaultBranch: 'main' }
    const theirs = { branch: 'feature', createdAt: 20 }
    await know(memory('old', { branch: 'feature' }), memory('new', theirs), memory('other', { branch: 'another' }))
    const start = { sessionId: 's1', projectId: 'p', cwd: '/p' }
    expect((await contextAtStart(world(), start))?.memoryIds).toEqual(['new', 'old'])
    expect(await contextAtStart(world(), start)).toBeUndefined()
    expect(await ids(world(), question('Make the importer faster'))).toEqual(['other'])
    place = { branch: 'main', defaultBranch: 'main' }
    expect(await contextAtStart(world(), { ...start, sessionId: 's2' })).toBeUndefined()
  })

  it('nothing at the start on a branch that everybody works on, or whose work has been merged', async () => {
    place = { branch: 'develop', defaultBranch: 'main' }
    const start = { sessionId: 's1', projectId: 'p', cwd: '/p' }
    await know(memory('a', { branch: 'develop' }))
    merged = new Set(['a'])
    expect(await contextAtStart(world(), start)).toBeUndefined()
    await know(...Array.from({ length: 9 }, (_, n) => memory(`m${n}`, { branch: 'develop' })))
    expect(await contextAtStart(world(), start)).toBeUndefined()
  })
})

describe('finished work', () => {
  it('is kept when it is worth it', async () => {
    expect(await rememberWork(world(), memory('a'))).toMatchObject({ kept: 'new' })
    expect(await rememberWork(world(), memory('b', { goal: 'WIP', instruction: 'wip' }))).toMatchObject({ kept: 'no' })
    expect(await store.memories.count('p')).toBe(1)
  })

  it('joins what the same session has told before', async () => {
    await know(memory('a', { sessionId: 's1' }))
    const again = memory('z', { sessionId: 's1', goal: memory('a').goal, files: ['src/a.ts', 'src/more.ts'] })
    expect(await rememberWork(world(), again)).toMatchObject({ kept: 'joined', memory: { id: 'a' } })
    expect(await store.memories.list('p', { limit: 9 })).toMatchObject([
      { id: 'a', files: ['src/a.ts', 'src/more.ts'] },
    ])
  })

  it('takes the place of what somebody did before', async () => {
    await know(memory('a', { user: 'Bob' }))
    const reasoningTrace = ['This time the cause was a lock in `zParser`, found with the profiler']
    const again = memory('z', { goal: memory('a').goal, files: ['src/a.ts'], reasoningTrace, createdAt: 1e12 })
    expect(await rememberWork(world(), again)).toMatchObject({ kept: 'new', superseded: ['a'] })
    expect(await store.memories.get('a')).toMatchObject({ supersededBy: 'z' })
  })

  it('tells which of the shown memories it used', async () => {
    await know(memory('a'), memory('b'), memory('c'))
    await contextFor(world(), question('Make the importer faster'))
    await store.memoryUses.shown('s1', ['gone'], 1)
    // It went to the file of `b` before it knew of `b`, and to that of `a` afterwards.
    const steps = [
      { files: ['src/b.ts'], at: 0 },
      { files: ['src/a.ts', 'src/b.ts'], at: now },
    ]
    const closingWords = 'I changed bHandler2'
    await noteUse(world(), 's1', { steps, closingWords, instruction: 'Make the importer faster' })
    const uses = await store.memoryUses.ofSession('s1')
    expect(uses.filter(({ usedAt }) => usedAt !== undefined)).toMatchObject([{ memoryId: 'a', how: 'files' }])
  })

  it('holds it against a memory that it did not, if it did anything since', async () => {
    await know(memory('a'), memory('b'))
    const outcomes = async () => Object.fromEntries(await store.memoryUses.ofProject('p'))
    const steps = (at: number) => ({ steps: [{ files: ['src/x.ts'], at }], closingWords: '', instruction: 'x' })
    await store.memoryUses.shown('s1', ['a'], 10)
    await store.memoryUses.shown('s1', ['b'], 20)
    await noteUse(world(), 's1', { ...steps(0), steps: [] })
    await noteUse(world(), 's1', steps(5))
    expect(await outcomes()).toEqual({})
    await noteUse(world(), 's1', steps(15))
    expect(await outcomes()).toEqual({ a: { shown: 1, used: 0 } })
    await noteUse(world(), 's1', steps(25))
    expect(await outcomes()).toEqual({ a: { shown: 1, used: 0 }, b: { shown: 1, used: 0 } })
  })
})
