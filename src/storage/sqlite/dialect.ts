import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { mayBeLost } from '#core/lost-locks.ts'
import type { SqliteDatabase, SqliteStatement } from './driver.ts'
import { isAlreadyRolledBack, isDamage } from './errors.ts'
import { whileBusy } from './while-busy.ts'

/** Where a connection gets its database from, at first and again when the file was moved or turned out damaged. */
export interface SqliteSource {
  open(): Promise<SqliteDatabase>
  /** Whether the file that was opened is no longer the one at its path. */
  wasReplaced(): boolean
  /** Whether the file was cut to nothing while it was open. */
  wasEmptied?: () => boolean
  /** Called with the damaged database closed, where there is a file to set aside. */
  setAsideIfDamaged?: () => Promise<void>
  explain(error: unknown): unknown
}

/** Kysely's SQLite, with a connection that waits its turn among processes and survives the loss of its file. */
export function sqliteDialect(source: SqliteSource): Dialect {
  return {
    createDriver: () => new SqliteDriver(source),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** A database that the caller opened and will close; used while the schema is brought up to date. */
export function borrowed(database: SqliteDatabase): SqliteSource {
  return {
    open: async () => database,
    wasReplaced: () => false,
    explain: (error) => error,
  }
}

/** One connection, handed out first come, first served. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection
  #queue: Promise<void> = Promise.resolve()
  /** Ends the turn of each caller that has the connection or waits for it; the first one has it. */
  readonly #leaves: (() => void)[] = []
  readonly #forget: () => void

  constructor(source: SqliteSource) {
    this.#connection = new SqliteConnection(source)
    this.#forget = mayBeLost(() => {
      const leave = this.#leaves[0]
      return () => {
        if (leave !== undefined && this.#leaves[0] === leave) void this.#giveBack()
      }
    })
  }

  async init() {
    await this.#connection.open()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#queue
    const { promise, resolve } = turn()
    this.#queue = promise
    this.#leaves.push(resolve)
    await before
    return this.#connection
  }

  async releaseConnection() {
    this.#leaves.shift()?.()
  }

  /** Rolls back and releases the connection for a caller that the watchdog has ended. */
  async #giveBack() {
    if (this.#connection.inTransaction) await this.rollbackTransaction().catch(() => undefined)
    await this.releaseConnection()
  }

  // IMMEDIATE takes the write lock at once: a transaction that starts as a reader can be refused when it wants to write.
  async beginTransaction() {
    await this.#connection.execute('begin immediate')
    this.#connection.inTransaction = true
  }

  async commitTransaction() {
    await this.#connection.execute('commit')
    this.#connection.inTransaction = false
  }

  async rollbackTransaction() {
    try {
      await this.#connection.execute('rollback')
    } catch (error) {
      // After a full disk or the like SQLite has rolled back by itself; the first error is the one to report.
      if (!isAlreadyRolledBack(error)) throw error
    } finally {
      this.#connection.inTransaction = false
    }
  }

  /** Waits until every caller in the queue has had its turn. */
  async destroy() {
    await this.#queue
    this.#forget()
    this.#connection.close()
  }
}

const MOST_STATEMENTS = 200

class SqliteConnection implements DatabaseConnection {
  inTransaction = false
  readonly #source: SqliteSource
  #database: SqliteDatabase | undefined
  #metDamage = false
  readonly #statements = new Map<string, { statement: SqliteStatement; returnsRows: boolean }>()

  constructor(source: SqliteSource) {
    this.#source = source
  }

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute<Row>(sql, parameters)
  }

  async execute<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    try {
      if (!this.inTransaction) await this.#makeReady()
      return await this.#run<Row>(sql, parameters)
    } catch (error) {
      this.#metDamage ||= isDamage(error) && this.#source.setAsideIfDamaged !== undefined
      if (this.inTransaction || !this.#metDamage) throw this.#source.explain(error)
    }
    try {
      await this.#makeReady()
      return await this.#run<Row>(sql, parameters)
    } catch (error) {
      throw this.#source.explain(error)
    }
  }

  // biome-ignore lint/correctness/useYield: part of Kysely's interface; no query of ours is large enough to stream.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The SQLite connection does not stream.')
  }

  async open() {
    this.#database ??= await this.#source.open()
    return this.#database
  }

  close() {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
  }

  /** Leaves a file behind that is not ours any more or was found damaged; the next query opens what is there then. */
  async #makeReady() {
    if (this.#source.wasReplaced()) this.close()
    this.#metDamage ||= this.#source.wasEmptied?.() === true
    if (!this.#metDamage) return
    this.close()
    await this.#source.setAsideIfDamaged?.()
    this.#metDamage = false
  }

  async #run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const database = this.#database ?? (await this.open())
    const values = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    return whileBusy(() => {
      const { statement, returnsRows } = this.#prepare(database, sql)
      if (returnsRows) return { rows: statement.all(...values) as Row[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    })
  }

  #prepare(database: SqliteDatabase, sql: string) {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear()
    const statement = database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

function turn() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
