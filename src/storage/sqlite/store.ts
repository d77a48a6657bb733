import type { Kysely } from 'kysely'
import type { Store, StoreCounts } from '#core/ports/store.ts'
import { stateStore } from '../states.ts'
import { driftEventStore } from './drift-event-store.ts'
import { injectionStore } from './injection-store.ts'
import { memoryStore } from './memory-store.ts'
import { memoryUseStore } from './memory-use-store.ts'
import { projectStore } from './project-store.ts'
import type { Schema } from './schema.ts'
import { sessionStore } from './session-store.ts'
import { sharingStore } from './sharing-store.ts'
import { type StateRows, stateRows } from './state-rows.ts'
import { stepStore } from './step-store.ts'
import { taskStore } from './task-store.ts'
import { turnStore } from './turn-store.ts'

/** The store, the rows below its states for a cache of their texts, and a way to write much at once. */
export interface LocalStore extends Store {
  stateRows: StateRows
  /** Does several writes in one transaction, on the store that it hands over; nothing in it may begin another. */
  together(work: (store: LocalStore) => Promise<void>): Promise<void>
}

/** The store over a database whose schema is up to date. */
export function localStore(db: Kysely<Schema>): LocalStore {
  const rows = stateRows(db)
  return {
    projects: projectStore(db),
    sessions: sessionStore(db),
    tasks: taskStore(db),
    steps: stepStore(db),
    driftEvents: driftEventStore(db),
    turns: turnStore(db),
    memories: memoryStore(db),
    memoryUses: memoryUseStore(db),
    sharing: sharingStore(db),
    states: stateStore(rows),
    stateRows: rows,
    injections: injectionStore(db),

    async counts() {
      const rowsOf = (table: keyof Schema) => db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))
      const counts = await db
        .selectNoFrom([
          rowsOf('projects').as('projects'),
          rowsOf('sessions').as('sessions'),
          rowsOf('tasks').as('tasks'),
          rowsOf('steps').as('steps'),
          rowsOf('drift_events').as('driftEvents'),
          rowsOf('turns').as('turns'),
          rowsOf('memories').as('memories'),
        ])
        // A subquery might find no row, as far as its type knows; a count never does.
        .$castTo<StoreCounts>()
        .executeTakeFirstOrThrow()
      return { ...counts }
    },

    together: (work) => db.transaction().execute((transaction) => work(localStore(transaction))),

    // Only a file has a log of its own to fold; see `open.ts`.
    async checkpointLog() {},

    async close() {
      await db.destroy()
    },
  }
}
