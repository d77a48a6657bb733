import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SharedItem } from '#core/memory/sync.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { type Migration, migrate } from '../migrate.ts'
import { connectPostgres } from './connect.ts'
import { openTeamDatabase } from './database.ts'
import { TEAM_SCHEMA, TEAM_SCHEMA_NAME } from './schema.ts'

let postgres: TestPostgres
const warnings: unknown[] = []
const log: Log = { debug() {}, info() {}, warn: (fields, message) => warnings.push([fields, message]), error() {} }

const item = (id: string): SharedItem => ({ kind: 'memory', id, projectId: 'p', version: 1, body: { goal: 'x' } })
const pulled = async (team: TeamDatabase) => (await team.pull('memory', 'p', undefined, 99)).items.map(({ id }) => id)

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
  const error = await openTeamDatabase({ url: url.href, log }).catch((reason: unknown) => reason)

  expect(error).toMatchObject({ name: 'StorageError', code, message: expect.stringContaining(url.host) })
  expect(error).toMatchObject({ suggestion: expect.stringMatching(/ its URL/) })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(url.password)
})

it.each([
  'grove:s3cret-word@somewhere',
  'mysql://grove:s3cret-word@somewhere/db',
  'postgresql://grove:s3cret-word@:/[',
])('says that %s is no PostgreSQL URL, without repeating it', async (url) => {
  const error = await openTeamDatabase({ url, log }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining('postgresql://user:password@host') })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret-word')
})

it.each<[what: string, answer: (socket: Socket) => void]>([
  [
    'goes on with zeros',
    (socket) => socket.on('drain', () => socket.write(Buffer.alloc(65_536))).write(Buffer.alloc(65_536)),
  ],
  [
    'wants a password proved two milliard times',
    (socket) => {
      const ask = (kind: number, words: string) => {
        const head = Buffer.from('R\0\0\0\0\0\0\0\0', 'latin1')
        head.writeInt32BE(8 + words.length, 1)
        head.writeInt32BE(kind, 5)
        socket.write(Buffer.concat([head, Buffer.from(words)]))
      }
      socket.once('data', () => {
        ask(10, 'SCRAM-SHA-256\0\0')
        socket.once('data', (said) => ask(11, `r=${/r=([^,]+)/.exec(String(said))?.[1]}x,s=c2FsdA==,i=2000000000`))
      })
    },
  ],
])('hangs up on a server that %s', async (_, answer) => {
  const closed: Promise<unknown>[] = []
  const server = createServer((socket) => {
    closed.push(new Promise((resolve) => socket.on('error', () => {}).on('close', resolve)))
    socket.resume()
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opening = openTeamDatabase({ url: `postgresql://u:p@127.0.0.1:${port}/d`, log })
  await expect(opening).rejects.toMatchObject({ name: 'StorageError' })
  expect(closed.length).toBeGreaterThan(0)
  await Promise.all(closed)
  server.close()
})

it('goes on after the server has closed its connections', async () => {
  const url = await postgres.createDatabase()
  const team = await openTeamDatabase({ url, log })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await team.push('p', [item('m1')])
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'grove' and datname = current_database()`,
  )
  await admin.end()

  await expect.poll(() => pulled(team).catch(() => undefined)).toEqual(['m1'])
  await team.close()
  expect(inspect(warnings)).not.toContain(new URL(url).password)
})

it('keeps its tables in a corner of their own, beside those a team already has', async () => {
  const url = await postgres.createDatabase()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query('create table items (mine text); create table migrations (mine text)')
  const team = await openTeamDatabase({ url, log })
  await team.push('p', [item('m1')])

  expect((await admin.query('select * from public.items')).rows).toEqual([])
  expect((await admin.query('select id from grove_team.items')).rows).toEqual([{ id: 'm1' }])
  await team.close()
  await admin.end()
})

it('needs no right to create a schema that is already there', async () => {
  const url = new URL(await postgres.createDatabase())
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  const owner = `owner_${process.pid}`
  await admin.query(`create role ${owner} login password 'open'; create schema grove_team authorization ${owner}`)
  const team = await openTeamDatabase({ url: Object.assign(url, { username: owner, password: 'open' }).href, log })
  await team.push('p', [item('m1')])
  expect(await pulled(team)).toEqual(['m1'])
  await team.close()
  await admin.end()
})

it('brings its tables up to date once when ten open it at the same time', async () => {
  const url = await postgres.createDatabase()
  const teams = await Promise.all(Array.from({ length: 10 }, () => openTeamDatabase({ url, log })))
  await Promise.all(teams.map((team, n) => team.push('p', [item(`m${n}`)])))
  expect(await pulled(teams[0]!)).toHaveLength(10)
  await Promise.all(teams.map((team) => team.close()))
})

it('is left alone when a newer Grove has been there', async () => {
  const url = await postgres.createDatabase()
  const db = connectPostgres({ url, log })
  const later: Migration = { name: '999-later', up: (trx) => trx.schema.dropTable('access').execute() }
  await migrate(db.withSchema(TEAM_SCHEMA_NAME), {
    ...TEAM_SCHEMA,
    migrations: [...TEAM_SCHEMA.migrations, later],
  })

  await expect(openTeamDatabase({ url, log })).rejects.toMatchObject({ code: 'newer' })
  expect(await TEAM_SCHEMA.hasTable(db, 'access')).toBe(false)
  expect(await TEAM_SCHEMA.hasTable(db, 'items')).toBe(true)
  await db.destroy()
})

it('is as before when a migration fails half way', async () => {
  const url = await postgres.createDatabase()
  const db = connectPostgres({ url, log })
  const failing: Migration = {
    name: '999-failing',
    async up(trx) {
      await trx.schema.dropTable('items').execute()
      throw new Error('the power went out')
    },
  }
  const migrations = [...TEAM_SCHEMA.migrations, failing]
  await expect(migrate(db.withSchema(TEAM_SCHEMA_NAME), { ...TEAM_SCHEMA, migrations })).rejects.toThrow('the power')
  expect(await TEAM_SCHEMA.hasTable(db, 'projects')).toBe(false)
  await db.destroy()

  const team = await openTeamDatabase({ url, log })
  expect(await pulled(team)).toEqual([])
  await team.close()
})
