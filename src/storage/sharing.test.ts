import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changed, type Memory } from '#core/memory/memory.ts'
import type { PullPage, SharedItem } from '#core/memory/sync.ts'
import { openSqliteStore } from './sqlite/open.ts'
import type { LocalStore } from './sqlite/store.ts'
import { memory } from './testing/memory.ts'

let folder: string
let files = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grove-sharing-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const item = ({ id, projectId, ...body }: Memory): SharedItem => ({
  kind: 'memory',
  id,
  projectId,
  version: body.updatedAt ?? body.createdAt,
  body,
})

const page = (items: SharedItem[], change = items.length): PullPage => ({
  items,
  mark: { epoch: 'one', change },
  more: false,
  anew: false,
})

describe('the store', () => {
  let store: LocalStore

  beforeEach(async () => {
    store = await openSqliteStore({ file: join(folder, `home-${++files}`, 'grove.db') })
  })

  afterEach(async () => {
    await store.close()
  })

  describe('lists memories', () => {
    it('page by page without losing those made in the same millisecond', async () => {
      await store.memories.put(...[1, 2, 3, 4, 5].map((n) => memory(`m${n}`, n < 4 ? 7 : 8)))
      const seen: string[] = []
      for (let last: Memory | undefined; ; ) {
        const found = await store.memories.list('p', { limit: 2, ...(last && { before: last }) })
        seen.push(...found.map(({ id }) => id))
        last = found.at(-1)
        if (!last) break
      }
      expect(seen).toEqual(['m5', 'm4', 'm3', 'm2', 'm1'])
    })

    it('of all projects, or counts those of one', async () => {
      await store.memories.put(memory('m1', 1), memory('m2', 2, { projectId: 'q' }))
      expect((await store.memories.list(undefined, { limit: 9 })).map(({ id }) => id)).toEqual(['m2', 'm1'])
      expect(await store.memories.count('q')).toBe(1)
      expect(await store.memories.count('nowhere')).toBe(0)
    })

    it('by the beginning of an id', async () => {
      await store.memories.put(memory('mem_ab1'), memory('mem_ab2'), memory('mem_b'))
      const found = async (prefix: string) => (await store.memories.startingWith(prefix, 9)).map(({ id }) => id)
      expect(await found('mem_ab')).toEqual(['mem_ab1', 'mem_ab2'])
      expect(await found('mem_b')).toEqual(['mem_b'])
      expect(await found('x')).toEqual([])
    })

    it('by their ids, in the order asked for', async () => {
      await store.memories.put(memory('m1'), memory('m2'))
      expect((await store.memories.byIds(['m2', 'nobody', 'm1'])).map(({ id }) => id)).toEqual(['m2', 'm1'])
    })
  })

  describe('keeps what waits for the team', () => {
    it('each memory once, as it is when it is sent', async () => {
      const first = memory('m1')
      await store.memories.put(first, memory('m2', 2, { projectId: 'q' }))
      await store.memories.put(changed(first, { goal: 'Better' }, 50, 'ada'))

      expect(await store.sharing.waiting()).toEqual([
        { projectId: 'p', items: 1 },
        { projectId: 'q', items: 1 },
      ])
      const [sent] = await store.sharing.outgoing('p', 10)
      expect(sent).toMatchObject({ id: 'm1', version: 50, by: 'ada', body: { goal: 'Better' } })
    })

    it('until the team has the latest version', async () => {
      const first = memory('m1')
      await store.memories.put(first)
      const sent = await store.sharing.outgoing('p', 10)
      await store.memories.put(changed(first, { goal: 'Changed while it was sent' }, 2))

      await store.sharing.sent(sent)
      const rest = await store.sharing.outgoing('p', 10)
      expect(rest).toMatchObject([{ id: 'm1', version: 2 }])
      await store.sharing.sent(rest)
      expect(await store.sharing.waiting()).toEqual([])
    })

    it('and tells it of deletions without their content', async () => {
      await store.memories.put(memory('m1'))
      await store.memories.remove('m1', { at: 9, by: 'ada' })
      expect(await store.sharing.outgoing('p', 10)).toEqual([
        { kind: 'memory', id: 'm1', projectId: 'p', version: 9, by: 'ada' },
      ])
    })

    it('and everything once more when the team has lost it', async () => {
      await store.memories.put(memory('m1'), memory('m2'), memory('m3', 1, { projectId: 'q' }))
      await store.memories.remove('m2', { at: 9 })
      await store.sharing.sent([...(await store.sharing.outgoing('p', 9)), ...(await store.sharing.outgoing('q', 9))])
      await store.sharing.resend('p')
      expect((await store.sharing.outgoing('p', 9)).map(({ id, body }) => [id, body !== undefined])).toEqual([
        ['m1', true],
        ['m2', false],
      ])
      expect(await store.sharing.waiting()).toEqual([{ projectId: 'p', items: 2 }])
    })
  })

  describe('takes what the team has', () => {
    it('with how far that reads, and without sending it back', async () => {
      const theirs = memory('m1', 5, { user: 'ada', decisions: [{ choice: 'a', reason: 'b' }], merged: false })
      expect(await store.sharing.take('memory', 'p', page([item(theirs)], 17))).toBe(1)
      expect(await store.memories.get('m1')).toEqual(theirs)
      expect(await store.sharing.mark('memory', 'p')).toEqual({ epoch: 'one', change: 17 })
      expect(await store.sharing.waiting()).toEqual([])
    })

    it('and knows its own when it comes back: that is no news', async () => {
      const mine = memory('m1', 5, { decisions: [{ reason: 'b', choice: 'a' }], merged: true, files: ['a.ts'] })
      await store.memories.put(mine)
      const { decisions, ...rest } = mine
      const back = { ...rest, decisions: decisions.map(({ choice, reason }) => ({ choice, reason })) }
      expect(await store.sharing.take('memory', 'p', page([item(back)]))).toBe(0)
      expect(await store.sharing.waiting()).toEqual([])
      expect(await store.sharing.take('memory', 'p', page([item({ ...back, tags: ['x'] })]))).toBe(1)
      expect(await store.memories.get('m1')).toMatchObject({ tags: ['x'] })
    })

    it('but keeps a newer version of its own', async () => {
      await store.memories.put(memory('m1', 5, { updatedAt: 9, goal: 'Ours' }))
      await store.sharing.take('memory', 'p', page([item(memory('m1', 5, { updatedAt: 8, goal: 'Theirs' }))]))
      expect(await store.memories.get('m1')).toMatchObject({ goal: 'Ours' })
      expect(await store.sharing.waiting()).toEqual([{ projectId: 'p', items: 1 }])
    })

    it('and gives up its own for a newer one, or for the one the team saw first', async () => {
      await store.memories.put(memory('m1', 5), memory('m2', 5))
      const theirs = [memory('m1', 5, { updatedAt: 6, goal: 'Newer' }), memory('m2', 5, { goal: 'Same time' })]
      await store.sharing.take('memory', 'p', page(theirs.map(item)))
      expect(await store.memories.byIds(['m1', 'm2'])).toMatchObject([{ goal: 'Newer' }, { goal: 'Same time' }])
      expect(await store.sharing.waiting()).toEqual([])
    })

    it('and deletes for good, whatever was changed here', async () => {
      await store.memories.put(memory('m1', 5, { updatedAt: 99 }))
      const gone = { kind: 'memory', id: 'm1', projectId: 'p', version: 6 }
      await store.sharing.take('memory', 'p', page([gone]))
      expect(await store.memories.get('m1')).toBeUndefined()

      await store.sharing.take('memory', 'p', page([item(memory('m1', 5, { updatedAt: 200 }))]))
      await store.memories.put(memory('m1', 5, { updatedAt: 300 }))
      expect(await store.memories.get('m1')).toBeUndefined()
      expect(await store.sharing.waiting()).toEqual([])
    })

    it('and lets no project touch the memories of another', async () => {
      await store.memories.put(memory('m1', 5))
      await store.sharing.take('memory', 'q', page([item(memory('m1', 9, { projectId: 'q', goal: 'Taken over' }))]))
      const foreign = { kind: 'memory', id: 'm1', projectId: 'q', version: 6 }
      await store.sharing.take('memory', 'q', page([foreign]))
      expect(await store.memories.get('m1')).toMatchObject({ projectId: 'p', goal: 'It is fixed' })
    })

    it('and leaves out what it cannot read', async () => {
      const broken = { kind: 'memory', id: 'm1', projectId: 'p', version: 1, body: { goal: 7 } }
      expect(await store.sharing.take('memory', 'p', page([broken, item(memory('m2'))]))).toBe(1)
      expect((await store.memories.list('p', { limit: 9 })).map(({ id }) => id)).toEqual(['m2'])
    })
  })

  describe('remembers what was shown', () => {
    it('once per session, and whether the agent acted on it', async () => {
      await store.memoryUses.shown('s1', ['m1', 'm2'], 10)
      await store.memoryUses.shown('s1', ['m1'], 20)
      await store.memoryUses.shown('s2', ['m1'], 30)
      await store.memoryUses.used('s1', 'm1', 'files', 40)
      await store.memoryUses.used('s1', 'm1', 'words', 50)
      await store.memoryUses.used('s1', 'never shown', 'words', 50)

      expect(await store.memoryUses.ofSession('s1')).toEqual([
        { memoryId: 'm1', sessionId: 's1', shownAt: 10, usedAt: 40, how: 'files' },
        { memoryId: 'm2', sessionId: 's1', shownAt: 10 },
      ])
      expect(await store.memoryUses.totals(['m1', 'm2', 'm3'])).toEqual(
        new Map([
          ['m1', { shown: 2, used: 1 }],
          ['m2', { shown: 1, used: 0 }],
        ]),
      )
    })

    it('and counts against a memory only once the agent has had its chance', async () => {
      await store.memories.put(memory('m1'), memory('m2'), memory('m3', 1, { projectId: 'q' }))
      await store.memoryUses.shown('s1', ['m1', 'm2', 'm3'], 10)
      await store.memoryUses.shown('s2', ['m1', 'm2'], 10)
      expect(await store.memoryUses.ofProject('p')).toEqual(new Map())
      await store.memoryUses.used('s1', 'm1', 'files', 20)
      await store.memoryUses.settled('s1', ['m2', 'never shown'], 30)
      await store.memoryUses.settled('s1', ['m2'], 40)
      await store.memoryUses.settled('s1', [], 40)
      expect(await store.memoryUses.ofProject('p')).toEqual(
        new Map([
          ['m1', { shown: 1, used: 1 }],
          ['m2', { shown: 1, used: 0 }],
        ]),
      )
      expect(await store.memoryUses.ofSession('s1')).toMatchObject([{}, { memoryId: 'm2', settledAt: 30 }, {}])
      await store.memoryUses.used('s1', 'm2', 'words', 50)
      expect((await store.memoryUses.ofProject('p')).get('m2')).toEqual({ shown: 1, used: 1 })
    })
  })
})
