import { type Compilable, type CompiledQuery, type Kysely, type QueryResult, type Selectable, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * NUL and half a surrogate pair: SQLite would keep them, but the team's PostgreSQL refuses a document that has them. An
 * excerpt may well be cut inside a pair.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/u
const EVERY_UNSTORABLE = new RegExp(UNSTORABLE, 'gu')

/** The same value with every text in it fit to be stored and shared. */
export function storable<T>(value: T): T {
  return clean(value) as T
}

/** Copies only what has to change: nearly everything is fit as it is. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? value.replace(EVERY_UNSTORABLE, '\uFFFD') : value
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key]
    const after = clean(before)
    if (after === before) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[key] = after
  }
  return copy ?? value
}

export function toJson(value: readonly unknown[]): string {
  return JSON.stringify(value)
}

export function fromJson<T>(json: string): T[] {
  return JSON.parse(json) as T[]
}

type WithoutNulls<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** What a row does not know is absent from the value, not null. */
export function withoutNulls<T extends object>(row: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<T>
}

const compiledFor = new WeakMap<object, CompiledQuery<unknown>>()

/**
 * A statement that is compiled for the first row and run with the values of each: compiling takes longer than writing. Rows
 * have all columns, always in the same order, and `query` has no other parameters; it is known by itself, so that the stores
 * of later transactions need not compile it again.
 */
export function compiledOnce<Row extends object, Result>(
  db: Kysely<Schema>,
  query: (db: Kysely<Schema>, row: Row) => Compilable<Result>,
): (row: Row) => Promise<QueryResult<Result>> {
  return (row) => {
    const known = compiledFor.get(query) as CompiledQuery<Result> | undefined
    const compiled = known ?? query(db, row).compile()
    if (!known) compiledFor.set(query, compiled)
    return db.executeQuery({ ...compiled, parameters: Object.values(row) })
  }
}

/** The newest rows of an agent session, newest first; of one moment, the last written. */
export async function newestOf<Table extends 'steps' | 'drift_events' | 'injections'>(
  db: Kysely<Schema>,
  table: Table,
  sessionId: string,
  limit: number,
): Promise<Selectable<Schema[Table]>[]> {
  const newest = sql<Selectable<Schema[Table]>>`
    select * from ${sql.table(table)} where session_id = ${sessionId} order by at desc, seq desc limit ${limit}`
  return (await newest.execute(db)).rows
}
