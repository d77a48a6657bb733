import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { changed } from '../../src/core/memory/memory.ts'
import { teamAt } from '../../src/core/memory/shares.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { syncTeam } from '../../src/supervisor/memory/sync-team.ts'
import { findSent, takeBack } from '../../src/supervisor/memory/take-back.ts'
import { TeamLoop } from '../../src/supervisor/memory/team-loop.ts'
import { log, teamHomes } from '../support/team-homes.ts'
import { knownTo, memoryOf, PROJECT, sharesOf, syncingWith } from '../support/team-memories.ts'

type WhenFinished = (work: () => Promise<void>) => void

let url: string
const { home, newFile, sync } = teamHomes((fresh) => {
  url = fresh
})

describe('consent', () => {
  const OTHER = 'example.com/team/other'

  async function inDatabase(text: string) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<{ id: string }>(text)).rows.map(({ id }) => id)
    } finally {
      await client.end()
    }
  }
  const sentIds = () => inDatabase('select id from grove_team.items where body is not null order by id')

  /** A home that synchronises all the time, as the daemon does, with what is shared in its store. */
  function daemonOf(whenFinished: WhenFinished, store: Store): { rounds: () => number } {
    let rounds = 0
    const running = new TeamLoop({
      team: async () => {
        rounds++
        const needs = syncingWith(store, url)
        if ((await needs.shared()).length === 0) return undefined
        return { ...needs, url, open: () => openTeamDatabase({ url, log }) }
      },
      states: store.states,
      clock: { now: Date.now },
      log,
      random: () => 0,
      everyMs: 5,
    })
    whenFinished(() => running.stop())
    running.start()
    return { rounds: () => rounds }
  }

  it('is asked project by project: nothing of another is sent, also not of one that is new tomorrow', async ({
    onTestFinished,
  }) => {
    const ada = await home(onTestFinished)
    const daemon = daemonOf(onTestFinished, ada)
    await ada.memories.put(memoryOf('early', 1, 'ada'), memoryOf('secret', 1, 'ada', { projectId: OTHER }))
    await expect.poll(daemon.rounds).toBeGreaterThan(3)
    // Nobody has even connected.
    expect(await inDatabase("select nspname as id from pg_namespace where nspname = 'grove_team'")).toEqual([])

    await sharesOf(ada).share(PROJECT, teamAt(url))
    await ada.memories.put(memoryOf('late', 2, 'ada'), memoryOf('new', 2, 'ada', { projectId: 'example.com/new' }))
    await expect.poll(() => sentIds().catch(() => [])).toEqual(['early', 'late'])
    const before = daemon.rounds()
    await expect.poll(daemon.rounds).toBeGreaterThan(before + 3)
    expect(await sentIds()).toEqual(['early', 'late'])
    expect(await inDatabase('select id from grove_team.projects')).toEqual([PROJECT])
  })

  it('ends at once: a daemon that runs sends nothing after it was taken back', async ({ onTestFinished }) => {
    const file = newFile()
    const ada = await home(onTestFinished, file)
    await sharesOf(ada).share(PROJECT, teamAt(url))
    const daemon = daemonOf(onTestFinished, ada)
    // The command line is another process, with a connection of its own.
    const command = await home(onTestFinished, file)
    let made = 0
    let isWriting = true
    const write = async () => {
      while (isWriting) {
        await ada.memories.put(memoryOf(`m-${String(++made).padStart(5, '0')}`, made, 'ada'))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    }
    const writing = write()
    const stopWriting = async () => {
      isWriting = false
      await writing
    }
    onTestFinished(stopWriting)
    await expect.poll(async () => (await sentIds().catch(() => [])).length).toBeGreaterThan(20)
    await sharesOf(command).stop()
    const sent = await sentIds()
    const [rounds, written] = [daemon.rounds(), made]
    await expect.poll(() => daemon.rounds() > rounds + 3 && made > written + 20).toBe(true)
    await stopWriting()
    expect(await sentIds()).toEqual(sent)
    expect((await knownTo(ada)).size).toBe(made)
  })

  it('can be taken back: what a member sent goes from the team and from its members, and stays with its author', async ({
    onTestFinished,
  }) => {
    const [ada, bob] = [await home(onTestFinished), await home(onTestFinished)]
    await ada.memories.put(memoryOf('mine', 1, 'ada'), memoryOf('changed', 1, 'ada'), memoryOf('commit', 1, 'carol'))
    await sync(ada)
    await bob.memories.put(memoryOf('his', 1, 'bob'))
    await sync(bob)
    await bob.memories.put(changed((await bob.memories.get('changed'))!, { goal: 'by bob' }, 50, 'bob'))
    await sync(bob)

    const team = await openTeamDatabase({ url, log })
    onTestFinished(() => team.close())
    const [found] = await findSent(team, 'ada', undefined)
    expect(found).toMatchObject({ projectId: PROJECT, own: [{ id: 'mine' }, { id: 'changed' }] })
    // They all use one login here, so what carries another name cannot be told apart.
    expect(found!.unclear.map(({ id, author }) => [id, author])).toEqual([
      ['commit', 'carol'],
      ['his', 'bob'],
    ])
    const needs = { shares: sharesOf(ada), team, clock: { now: Date.now } }
    await takeBack(needs, { projectId: PROJECT, items: found!.own, by: 'ada' })

    expect(await sentIds()).toEqual(['commit', 'his'])
    await sync(bob)
    expect([...(await knownTo(bob)).keys()]).toEqual(['commit', 'his'])
    expect(await syncTeam(syncingWith(ada, url), team)).toEqual([])
    expect([...(await knownTo(ada)).keys()]).toEqual(['changed', 'commit', 'mine'])

    // Shared again, it stays here and is not sent again.
    await ada.sharing.unmark(PROJECT)
    await ada.sharing.resend(PROJECT)
    await sync(ada)
    expect([...(await knownTo(ada)).keys()]).toEqual(['changed', 'commit', 'his', 'mine'])
    expect(await sentIds()).toEqual(['commit', 'his'])
  })
})
