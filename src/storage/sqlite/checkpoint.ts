import { existsSync } from 'node:fs'
import { loadSqlite } from './driver.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Puts what still lies in the write-ahead log into the database file, so that a copy of that file made after Grove was
 * stopped has everything. The driver package does so only when its statements happen to be collected in time.
 */
export async function checkpointLog(file: string): Promise<void> {
  if (!existsSync(`${file}-wal`)) return
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  try {
    await whileBusy(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  } finally {
    database.close()
  }
}
