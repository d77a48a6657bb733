import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MemoryIndex } from '#core/ports/search-index.ts'
import { retrieve } from '#core/search/retrieve.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import type { SqliteDatabase } from '../sqlite/driver.ts'
import { InMemoryIndex } from './in-memory.ts'
import { MEMORY_INDEX_SQL } from './schema.ts'
import { SqliteMemoryIndex } from './sqlite-index.ts'

interface Fillable extends MemoryIndex {
  add(entries: IndexEntry[]): void | Promise<void>
  remove(ids: string[]): void | Promise<void>
}

const everyIndex: { name: string; open: () => Promise<Fillable> }[] = [
  { name: 'in memory', open: async () => new InMemoryIndex() },
  { name: 'in SQLite', open: async () => new SqliteMemoryIndex(openDatabase(), 'project') },
]

function openDatabase(): SqliteDatabase {
  const db = new DatabaseSync(':memory:') as unknown as SqliteDatabase
  db.exec(MEMORY_INDEX_SQL)
  return db
}

const entry = (id: string, at: number, title: string, files: string[] = [], body = ''): IndexEntry => ({
  id,
  at,
  title,
  body,
  files,
})
const ids = (found: { id: string }[]) => found.map(({ id }) => id)

describe.each(everyIndex)('the memory index $name', ({ open }) => {
  it('counts in how many entries a term stands, not how often', async () => {
    const index = await open()
    await index.add([entry('a', 1, 'cache cache', ['src/cache.ts']), entry('b', 2, 'caching'), entry('c', 3, 'parser')])
    expect(await index.frequencies(['cach', 'parser', 'nothing'])).toEqual(
      new Map([
        ['cach', 2],
        ['parser', 1],
      ]),
    )
    expect(await index.size()).toBe(3)
  })

  it('finds entries by the summed weight of their terms, the newest first among equals, then by id', async () => {
    const index = await open()
    await index.add([
      entry('d', 5, 'parser'),
      entry('a', 1, 'parser cache'),
      entry('c', 5, 'parser'),
      entry('b', 3, 'cache'),
    ])
    const found = await index.byTerms(
      [
        { term: 'parser', weight: 2 },
        { term: 'cach', weight: 3 },
      ],
      4,
    )
    expect(ids(found)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives an entry back as its terms, files and group', async () => {
    const index = await open()
    await index.add([{ ...entry('a', 7, 'Fix parseHTTPHeader', ['src/a b.ts'], 'see labels.go'), group: 's1' }])
    expect(await index.byIds(['none', 'a'])).toEqual([
      {
        id: 'a',
        at: 7,
        group: 's1',
        files: ['src/a b.ts'],
        title: ['fix', 'pars', 'http', 'header', 'parsehttpheader'],
        body: ['see', 'label', 'go', 'labels.go'],
      },
    ])
  })

  it('keeps the order of time when entries arrive late, with the same time, or twice', async () => {
    const index = await open()
    await index.add([entry('new', 9, 'one', ['f.ts'])])
    await index.add([entry('old', 1, 'two', ['f.ts']), entry('same', 9, 'three', ['f.ts']), entry('new', 3, 'again')])
    expect(ids(await index.recent(9))).toEqual(['new', 'same', 'old'])
    expect(await index.histories(['f.ts'], 2)).toEqual([
      {
        path: 'f.ts',
        touches: 3,
        recent: [
          { id: 'new', at: 9 },
          { id: 'same', at: 9 },
        ],
        first: { id: 'old', at: 1 },
      },
    ])
  })

  it('lets a moved file carry on its history, but not two files that live side by side', async () => {
    const index = await open()
    await index.add([entry('a', 1, 'x', ['src/http/ws.rs']), entry('b', 2, 'x', ['src/http/ws.rs', 'lib/db/mod.rs'])])
    await index.add([
      entry('c', 3, 'x', ['axum/src/http/ws.rs', 'app/db/mod.rs']),
      entry('d', 4, 'x', ['lib/db/mod.rs']),
    ])
    const [moved, beside] = await index.histories(['axum/src/http/ws.rs', 'app/db/mod.rs', 'unknown.rs'], 5)
    expect(moved).toMatchObject({ touches: 3, first: { id: 'a' } })
    expect(ids(moved!.recent)).toEqual(['c', 'b', 'a'])
    expect(beside).toMatchObject({ touches: 1, first: { id: 'c' } })
  })

  it('finds paths by their words, the last touched first among equals', async () => {
    const index = await open()
    await index.add([
      entry('a', 1, 'x', ['src/router.ts', 'src/router/tree.ts']),
      entry('b', 2, 'x', ['src/router/tree.ts']),
    ])
    expect(await index.filesByTerms([{ term: 'router', weight: 1 }], 5)).toEqual([
      'src/router/tree.ts',
      'src/router.ts',
    ])
    expect(
      await index.filesByTerms(
        [
          { term: 'router', weight: 1 },
          { term: 'router.ts', weight: 1 },
        ],
        1,
      ),
    ).toEqual(['src/router.ts'])
    expect(await index.fileStats(['src/router/tree.ts', 'none.ts'])).toEqual([
      { path: 'src/router/tree.ts', touches: 2, lastAt: 2 },
    ])
  })

  it('forgets what is removed, down to its files', async () => {
    const index = await open()
    await index.add([entry('a', 1, 'cache', ['src/cache.ts']), entry('b', 2, 'cache')])
    await index.remove(['a', 'none'])
    expect(await index.size()).toBe(1)
    expect(await index.frequencies(['cach', 'src'])).toEqual(new Map([['cach', 1]]))
    expect(await index.histories(['src/cache.ts'], 5)).toEqual([])
    expect(await index.filesByTerms([{ term: 'cach', weight: 1 }], 5)).toEqual([])
    await index.add([entry('a', 3, 'back again', ['src/cache.ts'])])
    expect(ids(await index.recent(5))).toEqual(['a', 'b'])
    expect(await index.fileStats(['src/cache.ts'])).toEqual([{ path: 'src/cache.ts', touches: 1, lastAt: 3 }])
  })

  it('answers nothing from an empty store', async () => {
    expect(await retrieve(await open(), { text: 'why does the parser fail', files: ['a.ts'], now: 5 })).toEqual([])
  })

  it('takes any characters in words and paths', async () => {
    const index = await open()
    await index.add([
      entry('a', 1, `quote " and 'single' ~ naïve größe 数据库 emoji 🙂`, [`src/it's "odd"~.ts`, 'ü/λ.rs']),
    ])
    expect([...(await index.frequencies(['naïv', 'größ', '据库', 'quot'])).keys()]).toEqual([
      'naïv',
      'größ',
      '据库',
      'quot',
    ])
    expect(ids(await index.byTerms([{ term: 'größ', weight: 1 }], 3))).toEqual(['a'])
    expect(await index.fileStats([`src/it's "odd"~.ts`, 'ü/λ.rs'])).toHaveLength(2)
  })
})

describe('scopes in SQLite', () => {
  it('share nothing', async () => {
    const db = openDatabase()
    const [one, two] = [new SqliteMemoryIndex(db, 'one'), new SqliteMemoryIndex(db, 'two')]
    one.add([entry('a', 1, 'cache', ['f.ts'])])
    two.add([entry('a', 2, 'cache', ['f.ts']), entry('b', 3, 'cache')])
    expect([await one.size(), await two.size()]).toEqual([1, 2])
    expect(await one.frequencies(['cach'])).toEqual(new Map([['cach', 1]]))
    expect(ids(await two.recent(5))).toEqual(['b', 'a'])
    expect(await one.fileStats(['f.ts'])).toEqual([{ path: 'f.ts', touches: 1, lastAt: 1 }])
  })

  it('keep nothing of an addition that failed', async () => {
    const index = new SqliteMemoryIndex(openDatabase(), 'one')
    const broken = { ...entry('b', 2, 'cache', ['g.ts']), at: {} as unknown as number }
    expect(() => index.add([entry('a', 1, 'cache', ['f.ts']), broken])).toThrow()
    expect(await index.size()).toBe(0)
    index.add([entry('a', 1, 'cache', ['f.ts'])])
    expect(await index.fileStats(['f.ts', 'g.ts'])).toEqual([{ path: 'f.ts', touches: 1, lastAt: 1 }])
  })
})

// Capital letters, signs and letters beyond ASCII sort differently in most languages than by their codes.
const IDS = ['a', 'B', 'b', 'Z', '_', '-', 'ä', 'z', 'e1', 'e10', 'e9']
const WORDS = ['parser', 'cache', 'router', 'fix', 'addHeader', 'retry_limit', 'my-file.ts:12', 'größe', "it's", 'a\\b']
const PATHS = [
  'src/parser.ts',
  'lib/src/parser.ts',
  'src/cache/store.ts',
  'App/cache/store.ts',
  'docs/my-file.ts',
  'Test/router.test.ts',
  'docs/größe.md',
]

const someEntry = fc.record({
  id: fc.constantFrom(...IDS),
  at: fc.integer({ min: 0, max: 5 }).map((n) => n * 3_600_000),
  title: fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' ')),
  body: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
  files: fc.array(fc.constantFrom(...PATHS), { maxLength: 4 }),
  group: fc.constantFrom('s1', 's2'),
})
const someChange = fc.oneof(
  { weight: 4, arbitrary: fc.array(someEntry, { maxLength: 6 }).map((added) => ({ added })) },
  { weight: 1, arbitrary: fc.array(someEntry, { maxLength: 3 }).map((gone) => ({ gone: gone.map(({ id }) => id) })) },
)
const someQuery = fc.record({
  text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  files: fc.array(fc.constantFrom(...PATHS), { maxLength: 2 }),
  excludeGroup: fc.constantFrom('s1', 'none'),
})

it('the memory index in SQLite answers every question exactly as the one in memory does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someChange, { maxLength: 8 }), someQuery, async (changes, asked) => {
      const indexes = await Promise.all(everyIndex.map(({ open }) => open()))
      for (const change of changes)
        for (const index of indexes) await ('added' in change ? index.add(change.added) : index.remove(change.gone))
      const [expected, found] = await Promise.all(indexes.map((index) => answers(index, asked)))
      expect(found).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

async function answers(index: MemoryIndex, asked: { text: string; files: string[]; excludeGroup: string }) {
  const weighted = ['parser', 'cach', 'router', 'addheader', 'größ', 'src'].map((term, at) => ({
    term,
    weight: 2 + (at % 2),
  }))
  return {
    size: await index.size(),
    frequencies: await index.frequencies(weighted.map(({ term }) => term)),
    few: ids(await index.byTerms(weighted, 3)),
    byTerms: await index.byTerms(weighted, 20),
    byIds: await index.byIds(IDS),
    recent: ids(await index.recent(4)),
    files: await index.filesByTerms(weighted, 3),
    stats: await index.fileStats(PATHS),
    histories: await index.histories(PATHS, 3),
    hits: await retrieve(index, { ...asked, now: 13 * 3_600_000 }, { limit: 50, minAnswer: 0, diverse: false }),
  }
}
