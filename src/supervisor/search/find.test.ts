import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MemoryIndexes } from '#core/ports/search-index.ts'
import type { Store } from '#core/ports/store.ts'
import { sqliteIndexes } from '#storage/search/indexes.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { memoryOf, PROJECT } from '../../../test/support/team-memories.ts'
import { findIn } from './find.ts'

// The ranking over a real store: what experience says counts.

let folder: string
let store: Store
let indexes: MemoryIndexes

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-find-'))
  const file = join(folder, 'grove.db')
  store = await openSqliteStore({ file })
  indexes = sqliteIndexes(file)
})

afterEach(async () => {
  indexes.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const NOW = 1_700_000_000_000
const find = (text: string, more = {}) =>
  findIn({ indexes, store, clock: { now: () => NOW } })(PROJECT, { text, limit: 5, ...more })

async function know(id: string, goal: string, more = {}) {
  await store.memories.put(
    memoryOf(id, NOW - 86_400_000, 'Ada', { goal, reasoningTrace: [], files: [`src/${id}.ts`], ...more }),
  )
}

it('puts what agents acted on before what they were shown in vain', async () => {
  await know('alpha', 'Retry the upload when the socket closes early')
  await know('omega', 'Retry the upload when the socket closes late')
  const order = async () => (await find('retry uploads when the socket closes')).map(({ memoryId }) => memoryId)
  const [best, second] = await order()
  for (let n = 0; n < 8; n++) {
    await store.memoryUses.shown(`s${n}`, [best!, second!], n)
    await store.memoryUses.used(`s${n}`, second!, 'files', n)
    await store.memoryUses.settled(`s${n}`, [best!], n)
  }
  expect(await order()).toEqual([second, best])
})

it('takes whatever was done to the same files for possible copies, the most alike first', async () => {
  await know('other', 'Retry the upload when the socket closes early')
  await know('near', 'Translate the labels', { files: ['src/a.ts', 'src/x.ts'] })
  await know('nearer', 'Sort the menu', { files: ['src/a.ts', 'src/b.ts', 'src/y.ts'] })
  const copies = await find('retry the upload', { files: ['src/a.ts', 'src/b.ts'], copies: true })
  expect(copies.map(({ memoryId }) => memoryId)).toEqual(['nearer', 'near'])
})

it('holds nothing against what others are only just being shown', async () => {
  await know('alpha', 'Retry the upload when the socket closes early')
  await know('omega', 'Retry the upload when the socket closes late')
  const found = async () => (await find('retry uploads when the socket closes')).map(({ confidence }) => confidence)
  const before = await found()
  for (let n = 0; n < 8; n++) await store.memoryUses.shown(`s${n}`, ['alpha', 'omega'], n)
  expect(await found()).toEqual(before)
})

it('tells why: the words and files in common, in words', async () => {
  await know('upload', 'Retry the upload when the socket closes early')
  const [hit] = await find('upload socket', { files: ['src/upload.ts'] })
  expect(hit).toMatchObject({ memoryId: 'upload', shared: { words: 2, files: 1 } })
  expect(hit?.why).toMatch(/shares .*(upload|socket)/)
  expect(hit?.why).toContain('src/upload.ts')
})

it('names names as they were written, not in pieces', async () => {
  await know('pg', 'Let PostgreSQL and SQLite agree about `sort_order`')
  const [hit] = await find('PostgreSQL and sort_order')
  expect(hit?.why).toMatch(/^shares (PostgreSQL, sort_order|sort_order, PostgreSQL)$/)
})

it('offers an agent nothing of its own session', async () => {
  await know('own', 'Retry the upload when the socket closes early', { sessionId: 's1' })
  expect(await find('retry the upload socket', { sessionId: 's1' })).toEqual([])
  expect(await find('retry the upload socket', { sessionId: 's2' })).toHaveLength(1)
})

it('finds what only the names of files tell of, also where there is little yet, and says so', async () => {
  await know('order', 'Keep the line in order', { files: ['src/sql/006-outbox-order.ts'] })
  await know('other', 'Repair the printing of tables', { files: ['src/cli/print.ts'] })
  expect(await find('outbox')).toMatchObject([{ memoryId: 'order', why: 'its files name outbox' }, { why: '' }])
  const [named] = await find('print.ts')
  expect(named).toMatchObject({ memoryId: 'other', why: 'shares print; its files name print.ts' })
})

it('finds nothing for words that nobody here has ever used, however much there is', async () => {
  for (let n = 0; n < 60; n++) await know(`m${n}`, `Adjust the spacing of page ${n}`)
  for (const text of ['marmalade zebra recipe', 'the and of it', '🎉', '请求 超时', '']) {
    expect(await find(text)).toEqual([])
  }
})

it('takes a file that is only likely for one in common where a word speaks for it as well', async () => {
  for (let n = 0; n < 60; n++) await know(`m${n}`, `Please adjust the spacing of page ${n}`, { files: ['src/page.ts'] })
  const shared = async (text: string, more = {}) => (await find(text, more)).map((hit) => hit.shared.files)
  expect(Math.max(...(await shared('refactor this please')))).toBe(0)
  expect(Math.max(...(await shared('refactor the spacing please')))).toBe(1)
  expect(Math.max(...(await shared('refactor this please', { files: ['src/page.ts'] })))).toBe(1)
})

it('finds words of scripts without spaces by their parts', async () => {
  await know('login', '修复登录超时问题')
  await know('other', '调整页面颜色')
  expect((await find('为什么超时'))[0]).toMatchObject({ memoryId: 'login' })
})

it('looks at the whole of a long question', async () => {
  await know('upload', 'Retry the upload when the socket closes early')
  const long = `${Array.from({ length: 40 }, (_, n) => `preface${'abcdefghij'[n % 10]}${'klmn'[n % 4]}`).join(' ')} upload socket`
  expect((await find(long))[0]).toMatchObject({ memoryId: 'upload', shared: { words: 2 } })
})
