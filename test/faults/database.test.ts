import { rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Log } from '../../src/core/ports/runtime.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { TeamLoop } from '../../src/supervisor/memory/team-loop.ts'
import { launchPostgres, type OwnPostgres } from '../support/postgres.ts'
import { knownTo, memoryOf, sharingWith } from '../support/team-memories.ts'

// A team's database that is killed at any moment, again and again, while two members write into it.

const ROUNDS = Math.min(Number(process.env.GROVE_FAULTS ?? 3), 40)
const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

let postgres: OwnPostgres
let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'grove-faults-')))
  postgres = await launchPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('a team whose database is killed while two write loses nothing and doubles nothing', {
  timeout: 120_000 + ROUNDS * 60_000,
}, async ({ onTestFinished }) => {
  const url = await postgres.createDatabase()
  const member = async (name: string): Promise<Store> => {
    const store = await openSqliteStore({ file: join(folder, name, 'grove.db') })
    const loop = new TeamLoop({
      team: async () => ({
        ...(await sharingWith(store, url)),
        url,
        open: () => openTeamDatabase({ url, log, patienceMs: 5_000 }),
      }),
      states: store.states,
      clock: { now: Date.now },
      log,
      random: () => 0,
      everyMs: 20,
    })
    onTestFinished(async () => {
      await loop.stop()
      await store.close()
    })
    loop.start()
    return store
  }
  const [ada, bob] = [await member('ada'), await member('bob')]

  let written = 0
  for (let round = 0; round < ROUNDS; round++) {
    const batch = (who: string) => Array.from({ length: 30 }, (_, n) => memoryOf(`${who}-${round}-${n}`, n, who))
    await Promise.all([ada.memories.put(...batch('ada')), bob.memories.put(...batch('bob'))])
    written += 60
    // In some rounds at once, in others when the first of them have come through.
    if (round % 3 > 0) await expect.poll(() => ada.sharing.waiting()).not.toHaveLength(30)
    await postgres.kill()
    await ada.memories.put(memoryOf(`ada-without-${round}`, round, 'ada'))
    written++
    await postgres.startAgain()
  }

  const all = { timeout: 120_000, interval: 200 }
  await expect.poll(async () => (await knownTo(ada)).size, all).toBe(written)
  await expect.poll(async () => (await knownTo(bob)).size, all).toBe(written)
  await expect.poll(() => ada.sharing.waiting(), all).toEqual([])
  expect(await knownTo(ada)).toEqual(await knownTo(bob))
})
