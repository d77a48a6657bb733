import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Log } from '#core/ports/runtime.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { openPostgresStore } from './postgres.ts'

let postgres: TestPostgres
const warnings: unknown[] = []
const log: Log = { debug() {}, info() {}, warn: (fields, message) => warnings.push([fields, message]), error() {} }

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres?.stop()
})

it.each([
  ['a wrong password', 'refused', (url: URL) => Object.assign(url, { password: 's3cret-word' })],
  ['a database that does not exist', 'refused', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
  ['a server that does not run', 'unreachable', (url: URL) => Object.assign(url, { port: '1' })],
])('says what is wrong with %s and how to go on, without the password', async (_what, code, spoil) => {
  const url = spoil(new URL(await postgres.createDatabase()))
  const error = await openPostgresStore({ url: url.href, log }).catch((reason: unknown) => reason)

  expect(error).toMatchObject({ name: 'StorageError', code, message: expect.stringContaining(url.host) })
  expect(error).toMatchObject({ suggestion: expect.stringContaining('GROVE_DATABASE_URL') })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(url.password)
})

it.each([
  'grove:s3cret-word@somewhere',
  'mysql://grove:s3cret-word@somewhere/db',
  'postgresql://grove:s3cret-word@:/[',
])('says that %s is no PostgreSQL URL, without repeating it', async (url) => {
  const error = await openPostgresStore({ url, log }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining('postgresql://user:password@host') })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret-word')
})

it('goes on after the server has closed its connections', async () => {
  const url = await postgres.createDatabase()
  const store = await openPostgresStore({ url, log })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await store.sessions.see({ id: 's1', at: 1, through: 'proxy' })
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'grove'`)
  await admin.end()

  await expect.poll(() => store.sessions.get('s1').catch(() => undefined)).toMatchObject({ id: 's1' })
  await store.close()
  expect(inspect(warnings)).not.toContain(new URL(url).password)
})

it('keeps its tables in a corner of their own, beside those a team already has', async () => {
  const url = await postgres.createDatabase()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query('create table sessions (mine text); create table steps (mine text)')
  const store = await openPostgresStore({ url, log })
  await store.sessions.see({ id: 's1', at: 1, through: 'proxy' })

  expect((await admin.query('select * from public.sessions')).rows).toEqual([])
  expect((await admin.query('select id from grove.sessions')).rows).toEqual([{ id: 's1' }])
  await store.close()
  await admin.end()
})

it('needs no right to create a schema that is already there', async () => {
  const url = new URL(await postgres.createDatabase())
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create role member login password 'open'; create schema grove authorization member`)
  const store = await openPostgresStore({ url: Object.assign(url, { username: 'member', password: 'open' }).href, log })
  await store.sessions.see({ id: 's1', at: 1, through: 'proxy' })
  expect(await store.counts()).toMatchObject({ sessions: 1 })
  await store.close()
  await admin.end()
})
