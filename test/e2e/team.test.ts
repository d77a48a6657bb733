import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changed } from '../../src/core/memory/memory.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { bundleProgram, type TestProgram } from '../../src/storage/testing/processes.ts'
import { lastTeamSync, TeamLoop } from '../../src/supervisor/memory/team-loop.ts'
import { startRelay } from '../support/relay.ts'
import { log, teamHomes } from '../support/team-homes.ts'
import { knownTo, memoryOf, PROJECT, sharingWith } from '../support/team-memories.ts'

// Several homes, one PostgreSQL: whatever breaks in between, in the end all homes know the same, each thing once.

type WhenFinished = (work: () => Promise<void>) => void

let url: string
const { home, newDatabase, newFile, sync } = teamHomes((fresh) => {
  url = fresh
})

let member: TestProgram
beforeAll(async () => {
  member = await bundleProgram(new URL('../support/team-member.ts', import.meta.url))
})
afterAll(() => member?.remove())

function loop(whenFinished: WhenFinished, store: Store, at: string, patienceMs = 15_000): TeamLoop {
  const running = new TeamLoop({
    team: async () => ({
      ...(await sharingWith(store, at)),
      url: at,
      open: () => openTeamDatabase({ url: at, log, patienceMs }),
    }),
    states: store.states,
    clock: { now: Date.now },
    log,
    random: () => 0,
    everyMs: 20,
  })
  whenFinished(() => running.stop())
  running.start()
  return running
}

async function expectAllEqual(stores: Store[]) {
  const [first, ...others] = await Promise.all(stores.map(knownTo))
  for (const other of others) expect(other).toEqual(first)
  for (const store of stores) expect(await store.sharing.waiting()).toEqual([])
  return first!
}

describe('a team', () => {
  it('loses nothing and doubles nothing while the line breaks again and again', async ({ onTestFinished }) => {
    const [ada, bob] = [await home(onTestFinished), await home(onTestFinished)]
    const relay = await startRelay(url)
    onTestFinished(relay.close)
    loop(onTestFinished, ada, relay.through(url))
    loop(onTestFinished, bob, url)

    let made = 0
    for (let cuts = 0; cuts < 4; cuts++) {
      const batch = Array.from({ length: 40 }, () => memoryOf(`ada-${++made}`, made, 'ada'))
      await ada.memories.put(...batch)
      await bob.memories.put(memoryOf(`bob-${cuts}`, cuts, 'bob'))
      await relay.sent(2_000 * (cuts + 1))
      await relay.cut()
      await ada.memories.put(memoryOf(`ada-offline-${cuts}`, cuts, 'ada'))
      await expect
        .poll(() => lastTeamSync(ada.states), { timeout: 20_000 })
        .toMatchObject({ error: expect.any(String) })
      await relay.mend()
    }
    const all = 160 + 4 + 4
    await expect.poll(async () => (await knownTo(ada)).size).toBe(all)
    await expect.poll(async () => (await knownTo(bob)).size).toBe(all)
    await expect.poll(() => ada.sharing.waiting()).toEqual([])
    expect((await expectAllEqual([ada, bob])).size).toBe(all)
  })

  it('loses nothing and doubles nothing when the line goes dead without a word', async ({ onTestFinished }) => {
    const [ada, bob] = [await home(onTestFinished), await home(onTestFinished)]
    const relay = await startRelay(url)
    onTestFinished(relay.close)
    loop(onTestFinished, ada, relay.through(url), 400)
    for (let round = 0; round < 3; round++) {
      await ada.memories.put(...Array.from({ length: 120 }, (_, n) => memoryOf(`ada-${round}-${n}`, n, 'ada')))
      await bob.memories.put(memoryOf(`bob-${round}`, round, 'bob'))
      await sync(bob)
      await relay.sent(1_000)
      relay.freeze()
      await expect
        .poll(() => lastTeamSync(ada.states), { timeout: 20_000 })
        .toMatchObject({ error: expect.stringContaining('cannot be reached') })
      await relay.mend()
      await expect.poll(() => ada.sharing.waiting()).toEqual([])
    }
    await sync(bob)
    await expect.poll(async () => (await knownTo(ada)).size).toBe(3 * 121)
    expect((await expectAllEqual([ada, bob])).size).toBe(3 * 121)
  })

  it('loses nothing and doubles nothing when members are killed while they push and pull', async ({
    onTestFinished,
  }) => {
    const files = [newFile(), newFile()]
    const kept = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const running = files.map((file, who) => member.start(file, url, `m${who}`, String(round * 1000)))
      await Promise.all(running.map((child, who) => killedAfter(child, 15 + 13 * round + 7 * who, kept)))
    }
    expect(kept.size).toBeGreaterThan(50)

    const stores = await Promise.all(files.map((file) => home(onTestFinished, file)))
    const fresh = await home(onTestFinished)
    for (const store of [...stores, ...stores, fresh]) await sync(store)
    const all = await expectAllEqual([...stores, fresh])
    for (const id of kept) expect(all.has(id), `${id} was said to be kept`).toBe(true)
  })

  it('agrees in the end although twenty write, change and delete at once', async ({ onTestFinished }) => {
    const stores = await Promise.all(Array.from({ length: 20 }, () => home(onTestFinished)))
    const seed = Array.from({ length: 10 }, (_, n) => memoryOf(`seed-${n}`, n, 'seed'))
    await stores[0]!.memories.put(...seed)
    for (const store of stores) await sync(store)

    await Promise.all(
      stores.map(async (store, who) => {
        for (let n = 0; n < 5; n++) {
          await store.memories.put(memoryOf(`w${who}-${n}`, n, `w${who}`))
          const shared = await store.memories.get(`seed-${(who + n) % 10}`)
          if (shared) await store.memories.put(changed(shared, { goal: `said by ${who}` }, 1_000 + n, `w${who}`))
          if (n === 4 && who % 4 === 0) await store.memories.remove(`seed-${who / 4}`, { at: 5_000, by: `w${who}` })
          await sync(store)
        }
      }),
    )
    for (const store of stores) await sync(store)
    for (const store of stores) await sync(store)
    const all = await expectAllEqual(stores)
    expect(all.size).toBe(20 * 5 + 10 - 5)
    expect([...all.keys()].filter((id) => id.startsWith('seed'))).toEqual([5, 6, 7, 8, 9].map((n) => `seed-${n}`))
  })

  it('takes back a member who was away for long, without loss, doubles or the return of what was deleted', async ({
    onTestFinished,
  }) => {
    const [ada, bob] = [await home(onTestFinished), await home(onTestFinished)]
    const before = Array.from({ length: 300 }, (_, n) => memoryOf(`old-${n}`, n, 'ada'))
    await ada.memories.put(...before)
    await sync(ada)
    await sync(bob)

    // Bob is away. Both go on, and both touch the same things.
    for (let n = 0; n < 100; n++) {
      await ada.memories.put(memoryOf(`ada-${n}`, 10_000 + n, 'ada'))
      await bob.memories.put(memoryOf(`bob-${n}`, 10_000 + n, 'bob'))
      const mine = (await ada.memories.get(`old-${n}`))!
      const his = (await bob.memories.get(`old-${n}`))!
      // Later by the clock wins; on a tie, whoever told the team first.
      await ada.memories.put(changed(mine, { goal: 'by ada' }, n < 50 ? 20_000 : 30_000, 'ada'))
      await bob.memories.put(changed(his, { goal: 'by bob' }, n < 25 ? 40_000 : 30_000, 'bob'))
      await ada.memories.remove(`old-${200 + (n % 50)}`, { at: 20_000, by: 'ada' })
      const deletedByAda = await bob.memories.get(`old-${200 + (n % 50)}`)
      if (deletedByAda) await bob.memories.put(changed(deletedByAda, { goal: 'still alive' }, 90_000, 'bob'))
      if (n % 10 === 0) await sync(ada)
    }
    await bob.memories.remove('old-299', { at: 99_000, by: 'bob' })

    await sync(ada)
    await sync(bob)
    await sync(ada)
    const all = await expectAllEqual([ada, bob])
    expect(all.size).toBe(300 - 50 - 1 + 200)
    expect([all.get('old-0')?.goal, all.get('old-30')?.goal, all.get('old-70')?.goal]).toEqual([
      'by bob',
      'by bob',
      'by ada',
    ])
    expect([...all.values()].some(({ goal }) => goal === 'still alive')).toBe(false)
  })

  it('gets back from its members what its database lost', async ({ onTestFinished }) => {
    const [ada, bob] = [await home(onTestFinished), await home(onTestFinished)]
    await ada.memories.put(memoryOf('one', 1, 'ada'), memoryOf('two', 2, 'ada'))
    await sync(ada)
    await sync(bob)
    // The database is set up anew, empty.
    await newDatabase()
    await sync(ada)
    const fresh = await home(onTestFinished)
    await sync(fresh)
    await bob.memories.put(memoryOf('three', 3, 'bob'))
    for (const store of [bob, ada, fresh, bob]) await sync(store)
    expect([...(await expectAllEqual([ada, bob, fresh])).keys()]).toEqual(['one', 'three', 'two'])
  })
})

/** Kills the member after so many lines of output, and notes what it said it had kept. */
function killedAfter(child: ReturnType<TestProgram['start']>, lines: number, kept: Set<string>): Promise<void> {
  let text = ''
  let seen = 0
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const complete = text.split('\n')
      text = complete.pop() ?? ''
      for (const line of complete) if (line.startsWith('kept ')) kept.add(line.slice(5))
      seen += complete.length
      if (seen >= lines) child.kill('SIGKILL')
    })
    let trouble = ''
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      trouble += chunk
    })
    child.once('close', (_code, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error(trouble))))
  })
}

describe('a hostile or broken row of a teammate', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const rows: [name: string, body: string][] = [
    ['lists in lists', `{"goal":"g","createdAt":1,"files":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['objects in objects', deep(500)],
    ['a megabyte of text', JSON.stringify({ goal: 'x'.repeat(1 << 20), createdAt: 1 })],
    ['a hundred thousand values', JSON.stringify({ goal: 'g', createdAt: 1, files: Array(100_000).fill('') })],
    ['a list', '[1,2,3]'],
    ['a text', '"gone"'],
    ['a time beyond all dates', JSON.stringify({ goal: 'g', createdAt: 1e300 })],
    ['no words', JSON.stringify({ createdAt: 1 })],
  ]

  it('is set aside and named, everything else goes on, and a mended one is taken', async ({ onTestFinished }) => {
    const [ada, ben] = [await home(onTestFinished), await home(onTestFinished)]
    for (let i = 0; i < 20; i++) await ada.memories.put(memoryOf(`good-${i}`, i, 'ada'))
    await sync(ada)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    for (const [i, [, body]] of rows.entries()) {
      await client.query(
        `with counted as (update grove_team.projects set change = change + 1 where id = $1 returning change)
         insert into grove_team.items (project_id, kind, id, version, author, body, change)
         select $1, 'memory', $2, 1, 'eve', $3::jsonb, change from counted`,
        [PROJECT, `bad-${i}`, body],
      )
    }
    await ada.memories.put(memoryOf('after', 99, 'ada'))
    await sync(ada)

    const [first] = await sync(ben)
    expect(first?.error).toBeUndefined()
    expect([...(await knownTo(ben)).keys()]).toHaveLength(21)
    expect(first?.setAside?.map(({ id }) => id).sort()).toEqual(rows.map((_, i) => `bad-${i}`))

    await client.query(`update grove_team.items set body = $1::jsonb where id = 'bad-4'`, [
      JSON.stringify({ goal: 'mended', createdAt: 5 }),
    ])
    const [second] = await sync(ben)
    expect((await knownTo(ben)).get('bad-4')?.goal).toBe('mended')
    expect(second?.setAside?.map(({ id }) => id)).not.toContain('bad-4')
  })
})
