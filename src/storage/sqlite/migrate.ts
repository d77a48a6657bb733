import type { Kysely } from 'kysely'
import type { Flavour } from './flavour.ts'
import { sessions } from './migrations/001-sessions.ts'
import { tasks } from './migrations/002-tasks.ts'
import { memories } from './migrations/003-memories.ts'
import { live } from './migrations/004-live.ts'
import { sharing } from './migrations/005-sharing.ts'
import { outboxOrder } from './migrations/006-outbox-order.ts'
import { settledUses } from './migrations/007-settled-uses.ts'
import { StorageError } from './storage-error.ts'

/** One step of the schema's history. Once released it never changes; a mistake is mended by the next one. */
export interface Migration {
  name: string
  up(db: Kysely<unknown>, flavour: Flavour): Promise<void>
}

/** In order and complete: a database's version is how many of these it has. */
export const MIGRATIONS: readonly Migration[] = [sessions, tasks, memories, live, sharing, outboxOrder, settledUses]

interface MigrationTable {
  migrations: { version: number; name: string }
}

/** Brings the schema up to date; any number of processes may try at once. */
export async function migrate(db: Kysely<unknown>, flavour: Flavour, migrations: readonly Migration[]): Promise<void> {
  if ((await versionOf(db, flavour, migrations)) === migrations.length) return

  await db.transaction().execute(async (trx) => {
    await flavour.lockForMigration(trx)
    const version = await versionOf(trx, flavour, migrations)
    if (version === 0) await createMigrationTable(trx)
    for (const [index, { name, up }] of migrations.entries()) {
      if (index < version) continue
      await up(trx, flavour)
      await (trx as Kysely<MigrationTable>)
        .insertInto('migrations')
        .values({ version: index + 1, name })
        .execute()
    }
  })
}

async function versionOf(db: Kysely<unknown>, flavour: Flavour, migrations: readonly Migration[]): Promise<number> {
  if (!(await flavour.hasTable(db, 'migrations'))) return 0
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
    'Upgrade Grove (npm install -g grove@latest). Nothing was changed.',
  )
}

async function createMigrationTable(db: Kysely<unknown>) {
  await db.schema
    .createTable('migrations')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute()
}
