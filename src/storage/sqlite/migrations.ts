import { sql } from 'kysely'
import type { Migration, SchemaHistory } from '../migrate.ts'
import { sessions } from './migrations/001-sessions.ts'
import { tasks } from './migrations/002-tasks.ts'
import { memories } from './migrations/003-memories.ts'
import { live } from './migrations/004-live.ts'
import { sharing } from './migrations/005-sharing.ts'
import { outboxOrder } from './migrations/006-outbox-order.ts'
import { settledUses } from './migrations/007-settled-uses.ts'
import { stepOutcomes } from './migrations/008-step-outcomes.ts'
import { projectFolders } from './migrations/009-project-folders.ts'
import { earlierWork } from './migrations/010-earlier-work.ts'
import { sessionStates } from './migrations/011-session-states.ts'

/** In order and complete: a file's version is how many of these it has. */
export const MIGRATIONS: readonly Migration[] = [
  sessions,
  tasks,
  memories,
  live,
  sharing,
  outboxOrder,
  settledUses,
  stepOutcomes,
  projectFolders,
  earlierWork,
  sessionStates,
]

/** How the local store's tables came about. No lock of its own: our transactions begin with the write lock in hand. */
export const LOCAL_SCHEMA: SchemaHistory = {
  migrations: MIGRATIONS,
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
}
