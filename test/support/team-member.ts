/** A member of a team as its own process, to be killed at any moment: works on a home and keeps it in step with the team. */
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { syncTeam } from '../../src/supervisor/memory/sync-team.ts'
import { memoryOf, sharingWith } from './team-memories.ts'

const [file = '', url = '', name = '', from = '0'] = process.argv.slice(2)
const log = { debug() {}, info() {}, warn() {}, error() {} }
const store = await openSqliteStore({ file })
const team = await openTeamDatabase({ url, log })
const needs = await sharingWith(store, url)

// Says aloud what it was told is kept, and ends only by being killed.
for (let n = Number(from); ; n++) {
  const memories = Array.from({ length: 5 }, (_, at) => memoryOf(`${name}-${n}-${at}`, 1_000 + n, name))
  await store.memories.put(...memories)
  for (const { id } of memories) process.stdout.write(`kept ${id}\n`)
  await syncTeam(needs, team, () => process.stdout.write('step\n'))
}
