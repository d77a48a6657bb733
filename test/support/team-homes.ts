import { rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Log } from '../../src/core/ports/runtime.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { StorageError } from '../../src/storage/storage-error.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { type ProjectSync, syncTeam } from '../../src/supervisor/memory/sync-team.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { sharingWith } from './team-memories.ts'

export const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

type WhenFinished = (work: () => Promise<void>) => void

/** Several homes and one PostgreSQL; each test of a file has a database of its own, whose address it is told. */
export function teamHomes(take: (url: string) => void) {
  let postgres: TestPostgres
  let folder: string
  let url: string
  let homes = 0

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'grove-team-')))
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const newDatabase = async () => {
    url = await postgres.createDatabase()
    take(url)
  }
  beforeEach(newDatabase)

  const newFile = () => join(folder, `home-${++homes}`, 'grove.db')
  return {
    newFile,
    /** From here on another one, empty. */
    newDatabase,
    async home(whenFinished: WhenFinished, file = newFile()): Promise<Store> {
      const store = await openSqliteStore({ file })
      whenFinished(() => store.close())
      return store
    },
    /** One synchronisation, as `grove team sync` does it; again where a busy machine lets the connection wait too long. */
    async sync(store: Store, at = url): Promise<ProjectSync[]> {
      for (;;) {
        try {
          return await syncOnce(store, at)
        } catch (error) {
          if (!(error instanceof StorageError) || error.code !== 'unreachable') throw error
        }
      }
    },
  }
}

async function syncOnce(store: Store, url: string): Promise<ProjectSync[]> {
  const team = await openTeamDatabase({ url, log })
  try {
    return await syncTeam(await sharingWith(store, url), team)
  } finally {
    await team.close()
  }
}
