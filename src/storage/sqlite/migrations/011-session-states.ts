import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

const RENAMED = { mind: 'live-session', 'mind-left': 'ended-session' }

/** What is known of a live session, and what is left of an ended one, under the names that code and glossary use. */
export const sessionStates: Migration = {
  name: '011-session-states',
  async up(db) {
    for (const [old, kind] of Object.entries(RENAMED))
      await sql`update states set kind = ${kind} where kind = ${old}`.execute(db)
  },
}
