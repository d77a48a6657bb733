import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changed, type Memory } from '#core/memory/memory.ts'
import type { MemoryIndexes } from '#core/ports/search-index.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import type { LocalStore } from '../sqlite/store.ts'
import { sqliteIndexes } from './indexes.ts'

let folder: string
let file: string
let store: LocalStore
let indexes: MemoryIndexes

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-indexes-'))
  file = join(folder, 'grove.db')
  store = await openSqliteStore({ file })
  indexes = sqliteIndexes(file)
})

afterEach(async () => {
  indexes.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const memory = (id: string, goal: string, createdAt = 1, more: Partial<Memory> = {}): Memory => ({
  id,
  projectId: 'p',
  instruction: goal,
  goal,
  reasoningTrace: [],
  decisions: [],
  constraints: [],
  files: ['src/a.ts'],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt,
  ...more,
})

/** What SQLite itself says about the search index. */
function check(path: string): string[] {
  const db = new DatabaseSync(path)
  db.exec("INSERT INTO memory_index_terms (memory_index_terms) VALUES ('integrity-check')")
  const rows = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
  db.close()
  return rows.map((row) => row.integrity_check)
}

async function holding(term: string, projectId = 'p'): Promise<string[]> {
  const index = await indexes.of(projectId)
  return (await index.byTerms([{ term, weight: 1 }], 10)).map(({ id }) => id)
}

it('finds a memory as soon as it is kept, as it is now, until it is deleted', async () => {
  const first = memory('m1', 'tokens expire')
  await store.memories.put(first, memory('m2', 'tokens rotate', 2), memory('m3', 'tokens', 3, { projectId: 'q' }))
  expect(await holding('token')).toEqual(['m2', 'm1'])
  expect(await holding('token', 'q')).toEqual(['m3'])

  await store.memories.put(changed(first, { goal: 'sessions expire', instruction: '' }, 9))
  expect([await holding('token'), await holding('session')]).toEqual([['m2'], ['m1']])

  await store.memories.remove('m1')
  expect(await holding('session')).toEqual([])
  expect(await (await indexes.of('p')).size()).toBe(1)
})

it('finds what the team has sent, and forgets what the team has deleted', async () => {
  const mark = { epoch: 'e', change: 1 }
  const { id, projectId, ...body } = memory('m1', 'tokens expire')
  const page = { mark, more: false, anew: false }
  await store.sharing.take('memory', 'p', { ...page, items: [{ kind: 'memory', id, projectId, version: 1, body }] })
  expect(await holding('token')).toEqual(['m1'])
  await store.sharing.take('memory', 'p', { ...page, items: [{ kind: 'memory', id, projectId, version: 2 }] })
  expect(await holding('token')).toEqual([])
})

it('stays whole whatever somebody calls a file', async () => {
  const odd = ['', 'a\nb.ts', '\n', 'src/tab\there.ts', 'src/ü b~1.ts', '*', '"', '\u2028x.ts', '\0']
  await store.memories.put(...odd.map((path, n) => memory(`m${n}`, 'tokens', n, { files: [path, 'src/a.ts', path] })))
  await indexes.catchUp()
  for (const n of odd.keys()) await store.memories.put(memory(`m${n}`, 'sessions', n, { files: [odd[n]!] }))
  await indexes.catchUp()
  expect([await holding('token'), (await holding('session')).length]).toEqual([[], odd.length])
  for (const n of odd.keys()) await store.memories.remove(`m${n}`)
  await indexes.catchUp()
  expect(await holding('session')).toEqual([])
  expect(check(file)).toEqual(['ok'])
})

it('works off a long line without keeping a question waiting for all of it', async () => {
  await store.memories.put(...Array.from({ length: 300 }, (_, n) => memory(`m${n}`, 'tokens', n)))
  const index = await indexes.of('p')
  const before = await index.size()
  expect(before).toBeLessThan(300)
  const done = await indexes.catchUp((some) => some > 0)
  expect(done).toBeLessThan(300 - before)
  expect(await index.size()).toBe(before + done)
  expect(await indexes.catchUp()).toBe(300 - before - done)
  expect(await index.size()).toBe(300)
})

it.each([1, 400])('puts history that was imported late in its place, behind %i younger memories', async (younger) => {
  const young = Array.from({ length: younger }, (_, n) => memory(`young${n}`, 'now', 1_000 + n))
  await store.memories.put(...young)
  await indexes.catchUp()
  await store.memories.put(...Array.from({ length: 260 }, (_, n) => memory(`old${n}`, 'then', 500 - n)))
  await indexes.catchUp()
  const index = await indexes.of('p')
  const newest = (await index.recent(younger + 2)).map(({ id }) => id)
  expect(newest).toEqual([...young.map(({ id }) => id).reverse(), 'old0', 'old1'])
  expect(await index.size()).toBe(younger + 260)
  expect((await index.histories(['src/a.ts'], 1))[0]).toMatchObject({
    recent: [{ id: young.at(-1)!.id }],
    first: { id: 'old259' },
  })
})

it('brings a very long line into the order of time, each rewritten memory at the time of its new words', async () => {
  const all = Array.from({ length: 5_300 }, (_, n) => memory(`m${n}`, 'tokens', 1 + n))
  const rewritten = [all[20]!, all[3_000]!].map((one, n) =>
    changed(one, { goal: 'sessions' }, 4_000 + n * 9_000, 'ada'),
  )
  await store.memories.put(...all.toReversed(), ...rewritten)
  expect(await indexes.catchUp()).toBe(5_300)
  const newest = (await (await indexes.of('p')).recent(5_300)).map(({ at }) => at)
  expect(newest).toEqual(newest.toSorted((a, b) => b - a))
  expect(newest.slice(0, 2)).toEqual([13_000, 5_300])
})

it('takes rewritten words for new ones', async () => {
  const first = memory('first', 'one', 1)
  await store.memories.put(first, memory('second', 'two', 2))
  await indexes.catchUp()
  await store.memories.put(changed(first, { goal: 'three' }, 9, 'ada'))
  await indexes.catchUp()
  expect((await (await indexes.of('p')).recent(2)).map(({ id, at }) => [id, at])).toEqual([
    ['first', 9],
    ['second', 2],
  ])
})

it('leaves an entry where it is when nobody would find it differently', async () => {
  const first = memory('first', 'one', 1, { branch: 'x' })
  await store.memories.put(first, memory('second', 'two', 2))
  await indexes.catchUp()
  await store.memories.put(changed(first, { merged: true }, 9))
  await indexes.catchUp()
  expect((await (await indexes.of('p')).recent(2)).map(({ id }) => id)).toEqual(['second', 'first'])
})

it('stands many questions and changes at once', async () => {
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await store.memories.put(memory(`m${n}`, 'tokens', n, { projectId: `p${n % 3}` }))
      await holding('token', `p${n % 3}`)
    }),
  )
  await indexes.catchUp()
  const sizes = await Promise.all([0, 1, 2].map(async (n) => (await indexes.of(`p${n}`)).size()))
  expect(sizes).toEqual([7, 7, 6])
})

it('goes with the store when the file is set aside and a new one begun', async () => {
  await store.memories.put(memory('m1', 'tokens'))
  expect(await holding('token')).toEqual(['m1'])
  await store.close()
  for (const ending of ['', '-wal', '-shm']) {
    try {
      renameSync(`${file}${ending}`, `${file}.aside${ending}`)
    } catch {
      // The log is gone once the last connection is closed.
    }
  }
  store = await openSqliteStore({ file })
  await store.memories.put(memory('m2', 'tokens'))
  expect(await holding('token')).toEqual(['m2'])
})

it('keeps vectors beside the index, by model, until a memory changes or goes', async () => {
  const first = memory('m1', 'tokens expire')
  await store.memories.put(first, memory('m2', 'tokens rotate', 2))
  await indexes.catchUp()
  const { vectors } = indexes
  expect(await vectors.missing('small', 9)).toEqual([
    { id: 'm2', text: 'tokens rotate\n' },
    { id: 'm1', text: 'tokens expire\n' },
  ])
  const known = ['m1', 'm2', 'gone'].map((id, at) => [id, Float32Array.from([at, 0.5])] as const)
  await vectors.put('small', new Map(known))
  expect(await vectors.of('small', ['m1', 'm2', 'gone'])).toEqual(new Map(known.slice(0, 2)))
  expect(await vectors.of('other', ['m1'])).toEqual(new Map())
  expect(await vectors.missing('small', 9)).toEqual([])

  await store.memories.put(changed(first, { goal: 'sessions expire', instruction: '' }, 9))
  await store.memories.remove('m2')
  await indexes.catchUp()
  expect(await vectors.of('small', ['m1', 'm2'])).toEqual(new Map())
  expect((await vectors.missing('small', 9)).map(({ id }) => id)).toEqual(['m1'])
})

it('forgets the vectors of a model that came to give longer ones', async () => {
  await store.memories.put(memory('m1', 'tokens'), memory('m2', 'sessions', 2))
  const { vectors } = indexes
  await vectors.put('small', new Map([['m1', Float32Array.from([1, 2])]]))
  await vectors.put('small', new Map([['m2', Float32Array.from([1, 2, 3])]]))
  expect(await vectors.of('small', ['m1', 'm2'])).toEqual(new Map([['m2', Float32Array.from([1, 2, 3])]]))
})

it('leaves no text of deleted memories in the file', async () => {
  // Long enough that a row takes several pages, which become free with it.
  const told = (n: number) => Array.from({ length: 1500 }, (_, i) => `harbour${n} ledger${i}`).join(' ')
  const ids = Array.from({ length: 20 }, (_, n) => `m${n}`)
  for (const [n, id] of ids.entries())
    await store.memories.put(memory(id, 'Repair it', n, { reasoningTrace: [told(n)] }))
  await indexes.catchUp()
  const isLegible = async () => {
    await store.checkpointLog()
    const bytes = readFileSync(file)
    return ids.some((_, n) => bytes.includes(`harbour${n} ledger`))
  }
  expect(await isLegible()).toBe(true)
  for (const id of ids) await store.memories.remove(id)
  await indexes.catchUp()
  expect(await isLegible()).toBe(false)
})
