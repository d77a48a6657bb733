import type { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '#core/ports/runtime.ts'
import { explainPostgres, placeOf } from './errors.ts'

export interface TeamOptions {
  url: string
  log: Log
  /** How long to wait for an answer: a line that is cut without a word looks like a server that thinks. */
  patienceMs?: number
}

const BIGINT = 20
const JSONB = 3802

/** A pool of connections; the first query opens the first of them. The password in the URL appears in no error and no log line. */
export function connectPostgres({ url, log, patienceMs = 15_000 }: TeamOptions): Kysely<unknown> {
  const place = placeOf(url)
  const pool = new pg.Pool({
    Client: OneThatLetsGo,
    connectionString: fullyChecked(url),
    application_name: 'grove',
    max: 5,
    connectionTimeoutMillis: Math.min(5_000, patienceMs),
    query_timeout: patienceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  })
  // Without a listener a connection that the server closes would end the process.
  const lost = (error: Error) => {
    if (!pool.ending) log.warn({ place, reason: error.message }, 'lost a connection to the team database')
  }
  pool.on('error', lost)
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      lost(error)
      hangUp(client)
    }),
  )
  return new Kysely({ dialect: new PostgresDialect({ pool: explaining(pool, place) }) })
}

/**
 * The driver leaves a connection open that could not be made: to what is no PostgreSQL, and goes on talking, it would listen for
 * ever.
 */
class OneThatLetsGo extends pg.Client {
  override connect(): Promise<this>
  override connect(done: (error: Error) => void): void
  override connect(done?: (error: Error) => void): Promise<this> | undefined {
    if (!done) return super.connect() as Promise<this>
    super.connect((error: Error) => {
      if (error) hangUp(this)
      done(error)
    })
    return undefined
  }
}

function hangUp(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & { connection: { stream: Socket } }
  connection.stream.destroy()
}

/** The driver reads these as `verify-full` too, and says at length that one day it will not; here it always will. */
function fullyChecked(url: string): string {
  const at = new URL(url)
  const mode = at.searchParams.get('sslmode') ?? ''
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || at.searchParams.has('uselibpqcompat')) return url
  at.searchParams.set('sslmode', 'verify-full')
  return at.href
}

/** Versions and counters fit into numbers, and documents stay text until their reader parses them. */
function parserOf(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (type === BIGINT) return Number
  if (type === JSONB) return String
  return pg.types.getTypeParser(type, format as 'text')
}

async function connected(pool: pg.Pool, place: string): Promise<pg.PoolClient> {
  try {
    // What is wrong with the URL itself is thrown, not answered.
    return await pool.connect()
  } catch (error) {
    throw explainPostgres(error, place)
  }
}

/** The pool, with errors people can act on, and without keeping connections whose last query got no answer. */
function explaining(pool: pg.Pool, place: string): PostgresPool {
  return {
    async connect() {
      const client = await connected(pool, place)
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
