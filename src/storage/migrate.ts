import type { Kysely } from 'kysely'
import { StorageError } from './storage-error.ts'

/** One step of a schema's history. Once released it never changes; a mistake is corrected by the next one. */
export interface Migration {
  name: string
  up(db: Kysely<unknown>): Promise<void>
}

/** A schema's whole history, and what SQLite and PostgreSQL spell differently about it. */
export interface SchemaHistory {
  /** In order and complete: a database's version is how many of these it has. */
  migrations: readonly Migration[]
  hasTable(db: Kysely<unknown>, name: string): Promise<boolean>
  /** Inside the transaction: makes every other process that migrates wait for its end. */
  lock?(db: Kysely<unknown>): Promise<void>
}

interface MigrationTable {
  migrations: { version: number; name: string }
}

/** Brings the schema up to date; any number of processes may try at once. */
export async function migrate(db: Kysely<unknown>, history: SchemaHistory): Promise<void> {
  const { migrations, lock } = history
  if ((await versionOf(db, history)) === migrations.length) return

  await db.transaction().execute(async (trx) => {
    await lock?.(trx)
    const version = await versionOf(trx, history)
    if (version === 0) await createMigrationTable(trx)
    for (const [index, { name, up }] of migrations.entries()) {
      if (index < version) continue
      await up(trx)
      await (trx as Kysely<MigrationTable>)
        .insertInto('migrations')
        .values({ version: index + 1, name })
        .execute()
    }
  })
}

async function versionOf(db: Kysely<unknown>, { migrations, hasTable }: SchemaHistory): Promise<number> {
  if (!(await hasTable(db, 'migrations'))) return 0
  const latest = await (db as Kysely<MigrationTable>)
    .selectFrom('migrations')
    .select('version')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const version = latest?.version ?? 0
  if (version <= migrations.length) return version
  throw new StorageError(
    'newer',
    `The database was last used by a newer Grove (schema ${version}, this one knows ${migrations.length}).`,
    'Upgrade Grove (npm install -g grovekeeper@latest). Nothing was changed.',
  )
}

async function createMigrationTable(db: Kysely<unknown>) {
  await db.schema
    .createTable('migrations')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute()
}
