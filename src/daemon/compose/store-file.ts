import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { Log } from '#core/ports/runtime.ts'

/** At the start of a daemon: moves a damaged database out of the way before anything is lost to it. */
export async function setDamagedStoreAside(config: Config, log: Log): Promise<void> {
  const { setAsideAtStart } = await import('#storage/sqlite/set-aside.ts')
  await setAsideAtStart({ file: pathsOf(config).database, log, now: Date.now })
}

/** At the end of a daemon, when the store is closed: puts the write-ahead log into the database file. */
export async function foldStoreLog(config: Config, log: Log): Promise<void> {
  const { checkpointLog } = await import('#storage/sqlite/checkpoint.ts')
  await checkpointLog(pathsOf(config).database).catch((err) =>
    log.info({ err }, 'the write-ahead log was left as it is'),
  )
}

/** The version of the schema that an opened store has: opening brings it up to date. */
export async function schemaVersion(): Promise<number> {
  const { MIGRATIONS } = await import('#storage/sqlite/migrations.ts')
  return MIGRATIONS.length
}

/** Fails with a way out where this Node has no SQLite that Grove can use. */
export async function tryDriver(): Promise<void> {
  const { loadSqlite } = await import('#storage/sqlite/driver.ts')
  await loadSqlite()
}
