import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '#core/ports.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { explainPostgres, placeOf } from './postgres-errors.ts'
import { POSTGRES, SCHEMA } from './postgres-flavour.ts'
import type { Schema } from './schema.ts'
import { type SqlStore, sqlStore } from './sql-store.ts'

export interface PostgresStoreOptions {
  url: string
  log: Log
}

const BIGINT = 20
const JSONB = 3802

/** Opens a store in PostgreSQL. The password in the URL appears in no error and no log line. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore> {
  const db = connectPostgres<Schema>(options).withSchema(SCHEMA)
  try {
    await migrate(db as unknown as Kysely<unknown>, POSTGRES, MIGRATIONS)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return sqlStore(db)
}

/** A pool of connections; the first query opens the first of them. */
export function connectPostgres<Tables>({ url, log }: PostgresStoreOptions): Kysely<Tables> {
  const place = placeOf(url)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'grove',
    max: 5,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  })
  // Without a listener a connection that the server closes would end the process.
  const lost = (error: Error) => {
    if (!pool.ending) log.warn({ place, reason: error.message }, 'lost a connection to the team database')
  }
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: explaining(pool, place) }) })
}

/** Bigints fit into numbers here, and JSON stays text: then one mapping serves both databases. */
function parserOf(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (type === BIGINT) return Number
  if (type === JSONB) return String
  return pg.types.getTypeParser(type, format as 'text')
}

/** The pool, with errors people can act on, and without keeping connections whose last query got no answer. */
function explaining(pool: pg.Pool, place: string): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw explainPostgres(error, place)
      })
      let broken = false
      const query = async (text: string, values: readonly unknown[]) => {
        try {
          return await client.query(text, [...values])
        } catch (error) {
          broken ||= !(error instanceof pg.DatabaseError)
          throw explainPostgres(error, place)
        }
      }
      return {
        // Kysely's type also allows a cursor, which we never hand it.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(broken),
      }
    },
    end: () => pool.end(),
  }
}
