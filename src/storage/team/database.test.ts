import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PullMark, SharedItem } from '#core/memory/sync.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import type { StorageError } from '../storage-error.ts'
import { grantAccess, members, revokeAccess } from './access.ts'
import { openTeamDatabase } from './database.ts'

let postgres: TestPostgres
let url: string
let owner: TeamDatabase
const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  postgres = await startPostgres()
})

beforeEach(async () => {
  url = await postgres.createDatabase()
  owner = await openTeamDatabase({ url, log })
  return () => owner.close()
})

afterAll(async () => {
  await postgres?.stop()
})

const item = (id: string, version = 1, goal = 'x'): SharedItem => ({
  kind: 'memory',
  id,
  projectId: 'p',
  version,
  by: 'ada',
  body: { goal, createdAt: version },
})
const deletion = (id: string, version = 9): SharedItem => ({ kind: 'memory', id, projectId: 'p', version, by: 'bob' })

const all = async (team = owner, project = 'p') => (await team.pull('memory', project, undefined, 1000)).items

async function rights(team: TeamDatabase, ...projectIds: string[]) {
  const survey = await team.survey(projectIds)
  return projectIds.map((id) => survey.get(id)?.rights)
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A role of its own on the server, which every test database shares. */
let logins = 0
async function newLogin(): Promise<{ login: string; url: string }> {
  const login = `member_${process.pid}_${++logins}`
  await asAdmin((client) => client.query(`create role ${login} login password 'open'`))
  return { login, url: Object.assign(new URL(url), { username: login, password: 'open' }).href }
}

describe('the team database', () => {
  it('gives back what was pushed, with who and when', async () => {
    await owner.push('p', [item('m1', 5, 'Größe 🌳')])
    expect(await all()).toEqual([item('m1', 5, 'Größe 🌳')])
    expect(await owner.pull('memory', 'q', undefined, 9)).toEqual({
      items: [],
      mark: { epoch: '', change: 0 },
      more: false,
      anew: false,
    })
  })

  it('tells the owner of a damaged counter how to repair it, in SQL that does', async () => {
    await owner.push('p', [item('m1')])
    await asAdmin((client) => client.query('update grove_team.projects set change = 9223372036854775807'))
    const { suggestion } = await owner.pull('memory', 'p', undefined, 9).then(
      () => ({ suggestion: '' }),
      (error: StorageError) => error,
    )
    await asAdmin((client) => client.query(/update .*(?=\.$)/.exec(suggestion)![0]))
    expect(await all()).toEqual([item('m1')])
  })

  it('reads on from where one stopped, page by page', async () => {
    await owner.push('p', [item('m1'), item('m2'), item('m3')])
    const first = await owner.pull('memory', 'p', undefined, 2)
    expect([first.items.map(({ id }) => id), first.more]).toEqual([['m1', 'm2'], true])
    const second = await owner.pull('memory', 'p', first.mark, 2)
    expect([second.items.map(({ id }) => id), second.more]).toEqual([['m3'], false])

    await owner.push('p', [item('m4')])
    expect((await owner.pull('memory', 'p', second.mark, 9)).items.map(({ id }) => id)).toEqual(['m4'])
  })

  it('reads large things a few at a time, and misses none', async () => {
    const large = Array.from({ length: 20 }, (_, at) => item(`m${at}`, 1, 'x'.repeat(200_000)))
    await owner.push('p', large)
    const pages: number[] = []
    for (let mark: PullMark | undefined, more = true; more; ) {
      const page = await owner.pull('memory', 'p', mark, 500)
      pages.push(page.items.length)
      ;({ mark, more } = page)
    }
    expect(pages).toEqual([11, 9])
  })

  it('changes nothing when the same is pushed again, or something older', async () => {
    await owner.push('p', [item('m1', 5, 'first')])
    const { mark } = await owner.pull('memory', 'p', undefined, 9)
    await owner.push('p', [item('m1', 5, 'again')])
    await owner.push('p', [item('m1', 4, 'older')])
    expect((await owner.pull('memory', 'p', mark, 9)).items).toEqual([])
    expect(await all()).toEqual([item('m1', 5, 'first')])
    await owner.push('p', [item('m1', 6, 'newer')])
    expect((await owner.pull('memory', 'p', mark, 9)).items).toEqual([item('m1', 6, 'newer')])
  })

  it('keeps the place of a deletion and nothing of its content, for good', async () => {
    await owner.push('p', [item('m1', 5, 'a secret slipped in')])
    await owner.push('p', [deletion('m1', 2)])
    await owner.push('p', [item('m1', 99, 'edited elsewhere')])
    expect(await all()).toEqual([deletion('m1', 2)])
    const stored = await asAdmin((client) => client.query('select items::text as row from grove_team.items'))
    expect(JSON.stringify(stored.rows)).not.toContain('secret')
  })

  it('numbers changes in the order they are committed, so that a reader misses none of twenty writers', async () => {
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      const team = await openTeamDatabase({ url, log })
      for (let n = 0; n < 10; n++) await team.push('p', [item(`w${writer}-${n}`), item(`w${writer}-${n}-b`)])
      await team.close()
    })
    let writing = true
    const done = Promise.all(writers).then(() => {
      writing = false
    })
    const seen = new Set<string>()
    let mark: Awaited<ReturnType<TeamDatabase['pull']>>['mark'] | undefined
    for (let last = false; !last; ) {
      last = !writing
      const page = await owner.pull('memory', 'p', mark, 50)
      for (const { id } of page.items) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
      }
      mark = page.mark
      if (page.more) last = false
    }
    await done
    expect(seen.size).toBe(400)
  })

  it('tells what an author wrote, and what came through the same login', async () => {
    const { login, url: theirs } = await newLogin()
    await grantAccess({ url, log }, { login, projectId: 'p', mayWrite: true })
    const member = await openTeamDatabase({ url: theirs, log })
    const by = (id: string, user: string | undefined): SharedItem => ({ ...item(id), body: { goal: 'x', user } })
    await member.push('p', [by('m1', 'ada'), by('m2', 'bob'), item('m3'), deletion('m4')])
    await owner.push('p', [by('m5', 'ada'), by('m6', 'carol')])
    const sent = await member.sentBy('p', 'ada')
    await member.close()
    expect(sent.map(({ id, author, isOurLogin }) => [id, author, isOurLogin])).toEqual([
      ['m1', 'ada', true],
      ['m2', 'bob', true],
      // Without a name of its own, by who made its last version.
      ['m3', 'ada', true],
      ['m5', 'ada', false],
    ])
    expect(await owner.projects()).toEqual(['p'])
  })

  it('says so when it was restored, and gives everything again', async () => {
    await owner.push('p', [item('m1'), item('m2')])
    const { mark } = await owner.pull('memory', 'p', undefined, 9)
    await asAdmin((client) => client.query(`update grove_team.projects set epoch = gen_random_uuid()`))
    const page = await owner.pull('memory', 'p', mark, 9)
    expect([page.anew, page.items.length]).toEqual([true, 2])
    // An older state of the same database is known by its counter.
    const older = await owner.pull('memory', 'p', { ...page.mark, change: 500 }, 9)
    expect([older.anew, older.items.length]).toEqual([true, 2])
    expect((await owner.pull('memory', 'p', page.mark, 9)).anew).toBe(false)
  })
})

describe('access to it', () => {
  it('is the owner’s alone until it is granted', async () => {
    const { url: theirs } = await newLogin()
    await expect(openTeamDatabase({ url: theirs, log })).rejects.toMatchObject({
      code: 'refused',
      suggestion: expect.stringContaining('grove team grant'),
    })
    const mistyped = Object.assign(new URL(theirs), { password: 'wrong' }).href
    await expect(openTeamDatabase({ url: mistyped, log })).rejects.toMatchObject({
      code: 'refused',
      suggestion: expect.stringContaining('Check user, password'),
    })
  })

  it('is by project: others are not even seen', async () => {
    const { login, url: theirs } = await newLogin()
    await owner.push('p', [item('m1')])
    await owner.push('secret', [{ ...item('m2'), projectId: 'secret' }])
    await grantAccess({ url, log }, { login, projectId: 'p', mayWrite: true })
    const member = await openTeamDatabase({ url: theirs, log })

    expect(await rights(member, 'p', 'secret')).toEqual(['write', 'none'])
    expect(await all(member)).toEqual([item('m1')])
    expect(await all(member, 'secret')).toEqual([])
    await member.push('p', [item('m3')])
    await expect(member.push('secret', [{ ...item('m4'), projectId: 'secret' }])).rejects.toMatchObject({
      code: 'refused',
    })
    expect(await all(owner, 'secret')).toHaveLength(1)
    await member.close()
  })

  it('holds for whoever talks to the server by hand', async () => {
    const { login, url: theirs } = await newLogin()
    await owner.push('p', [item('m1')])
    await owner.push('secret', [{ ...item('m2'), projectId: 'secret' }])
    await grantAccess({ url, log }, { login, projectId: 'p', mayWrite: true })
    const hand = new pg.Client({ connectionString: theirs })
    await hand.connect()
    const rows = async (text: string) => (await hand.query(text)).rowCount
    expect(await rows('select from grove_team.items')).toBe(1)
    expect(await rows('select from grove_team.projects')).toBe(1)
    expect(await rows("update grove_team.items set body = '{}' where project_id = 'secret'")).toBe(0)
    for (const text of [
      "update grove_team.items set project_id = 'secret'",
      "insert into grove_team.projects (id, change) values ('secret2', 1)",
      'delete from grove_team.items',
      'truncate grove_team.items',
      'select from grove_team.access',
      `insert into grove_team.access values ('${login}', '*', true)`,
      'alter table grove_team.items disable row level security',
      'drop policy reading on grove_team.items',
      'create table grove_team.x (y int)',
      'set role grove',
      'set session authorization grove',
    ]) {
      await expect(hand.query(text), text).rejects.toThrow(/permission denied|row-level security|must be owner/)
    }
    await hand.query("update grove_team.items set pushed_by = 'somebody'")
    await hand.end()
    const { rows: sent } = await asAdmin((client) =>
      client.query("select pushed_by from grove_team.items where id = 'm1'"),
    )
    expect(sent).toEqual([{ pushed_by: login }])
    expect(await all(owner, 'secret')).toHaveLength(1)
  })

  it('lets nobody count for the others, by hand either', async () => {
    const { login, url: theirs } = await newLogin()
    await owner.push('p', [item('m1')])
    await grantAccess({ url, log }, { login, projectId: '*', mayWrite: true })
    const hand = new pg.Client({ connectionString: theirs })
    await hand.connect()
    for (const text of [
      'update grove_team.projects set change = 9223372036854775807',
      'update grove_team.projects set change = 0',
      'update grove_team.projects set epoch = gen_random_uuid()',
      "insert into grove_team.projects (id, change) values ('new', 9223372036854775807)",
      'update grove_team.items set change = 9007199254740993',
      'update grove_team.items set change = -1',
    ]) {
      await expect(hand.query(text), text).rejects.toThrow(/counted|epoch/)
    }
    await hand.end()
    const member = await openTeamDatabase({ url: theirs, log })
    await member.push('p', [item('m2'), item('m3')])
    await member.push('new', [{ ...item('m4'), projectId: 'new' }])
    await member.close()
    expect(await all()).toHaveLength(3)
    expect(await all(owner, 'new')).toHaveLength(1)
  })

  it('cuts off names that are too long before they are sent', async () => {
    await owner.push('p', [{ ...item('m1'), by: 'x'.repeat(1_000_000) }])
    const [one] = await all()
    expect(one?.by?.length).toBe(201)
  })

  it('may come with a group', async () => {
    const [group, ada] = [await newLogin(), await newLogin()]
    await asAdmin((client) => client.query(`grant ${group.login} to ${ada.login}`))
    await grantAccess({ url, log }, { login: group.login, projectId: 'p', mayWrite: true })
    const member = await openTeamDatabase({ url: ada.url, log })
    await member.push('p', [item('m1')])
    expect(await rights(member, 'p', 'q')).toEqual(['write', 'none'])
    await member.close()
  })

  it('may be to read only', async () => {
    const { login, url: theirs } = await newLogin()
    await owner.push('p', [item('m1')])
    await grantAccess({ url, log }, { login, projectId: '*', mayWrite: false })
    const member = await openTeamDatabase({ url: theirs, log })
    expect(await rights(member, 'p', 'any')).toEqual(['read', 'read'])
    expect(await all(member)).toHaveLength(1)
    await expect(member.push('p', [item('m2')])).rejects.toMatchObject({ code: 'refused' })
    await member.close()
  })

  it('is noted with each change: who really sent it cannot be made up', async () => {
    const { login, url: theirs } = await newLogin()
    await grantAccess({ url, log }, { login, projectId: '*', mayWrite: true })
    const member = await openTeamDatabase({ url: theirs, log })
    await member.push('p', [item('m1')])
    await member.close()
    const { rows } = await asAdmin((client) => client.query('select author, pushed_by from grove_team.items'))
    expect(rows).toEqual([{ author: 'ada', pushed_by: login }])
  })

  it('is listed, and ends when it is revoked', async () => {
    const { login, url: theirs } = await newLogin()
    await grantAccess({ url, log }, { login, projectId: 'p', mayWrite: true })
    await grantAccess({ url, log }, { login, projectId: 'p', mayWrite: false })
    expect(await members({ url, log })).toEqual([{ login, projectId: 'p', mayWrite: false }])
    const member = await openTeamDatabase({ url: theirs, log })
    expect(await rights(member, 'p')).toEqual(['read'])
    await revokeAccess({ url, log }, login)
    expect(await members({ url, log })).toEqual([])
    await expect(all(member)).rejects.toMatchObject({ code: 'refused' })
    await member.close()
  })
})
