import type { Kysely } from 'kysely'
import type { InjectionStore, StateStore, Store, StoreCounts } from '#core/ports/store.ts'
import { driftEventStore } from './drift-event-store.ts'
import { injectionStore } from './injection-store.ts'
import { memoryStore } from './memory-store.ts'
import { memoryUseStore } from './memory-use-store.ts'
import { projectStore } from './project-store.ts'
import type { Schema } from './schema.ts'
import { sessionStore } from './session-store.ts'
import { sharingStore } from './sharing-store.ts'
import { stateStore } from './state-store.ts'
import { stepStore } from './step-store.ts'
import { taskStore } from './task-store.ts'
import { turnStore } from './turn-store.ts'

/** All that the local database keeps: the store, and what supervising a live session needs beside it. */
export interface LocalStore extends Store {
  states: StateStore
  injections: InjectionStore
}

/** The store over a database whose schema is up to date. */
export function localStore(db: Kysely<Schema>): LocalStore {
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
    states: stateStore(db),
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

    async close() {
      await db.destroy()
    },
  }
}
