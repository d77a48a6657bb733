/** The memory index in PostgreSQL, one scope (a project) per instance; see `postgres-schema.ts`. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FileHistory, FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import type { IndexEntry } from '#core/memory/index-terms.ts'
import { candidate, type EntryRow, type FileRow, fileRows, newRow } from './postgres-rows.ts'
import { POSTGRES_INDEX_SQL } from './postgres-schema.ts'

/** Opens a scope, making the tables when they are not there. */
export async function openPostgresIndex(db: Kysely<unknown>, name: string): Promise<PostgresMemoryIndex> {
  for (const statement of POSTGRES_INDEX_SQL) await sql.raw(statement).execute(db)
  const { rows } = await sql<{ scope: number }>`
    insert into grove_index.scope (name) values (${name})
    on conflict (name) do update set name = excluded.name returning scope`.execute(db)
  return new PostgresMemoryIndex(db, rows[0]!.scope)
}

export class PostgresMemoryIndex implements MemoryIndex {
  private readonly db: Kysely<unknown>
  private readonly scope: number

  constructor(db: Kysely<unknown>, scope: number) {
    this.db = db
    this.scope = scope
  }

  /** All or none; an id already there is left as it is. */
  async add(entries: IndexEntry[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const rows = entries.map((entry) => newRow(this.scope, entry))
      const { rows: added } = await sql<{ id: string }>`
        with given as (
          select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as g(id text, at bigint, grp text, files text, title text, body text, terms text[])
        ), added as (
          insert into grove_index.entry (scope, id, at, grp, files, title, body)
          select ${this.scope}, id, at, grp, files, title, body from given
          on conflict (scope, id) do nothing returning row, at, id
        ), posted as (
          insert into grove_index.posting (row, at, id, terms)
          select added.row, added.at, added.id, array_to_tsvector(given.terms) from added join given using (id)
        )
        select id from added`.execute(trx)
      const fresh = new Set(added.map(({ id }) => id))
      const news = rows.filter(({ id }) => fresh.delete(id))
      const tokens = news.flatMap(({ terms }) => terms)
      await this.count(trx, tokens, 1)
      await this.touch(trx, news)
      await this.grow(trx, news.length)
    })
  }

  async remove(ids: string[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const { rows: gone } = await sql<{ terms: string[] }>`
        with gone as (
          delete from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[]) returning row
        ), unposted as (
          delete from grove_index.posting where row in (select row from gone) returning terms
        )
        select tsvector_to_array(terms) as terms from unposted`.execute(trx)
      const { rows: touched } = await sql<{ file: number }>`
        delete from grove_index.touch using grove_index.file
        where touch.file = file.row and file.scope = ${this.scope} and touch.id = any(${ids}::text[])
        returning touch.file`.execute(trx)
      const files = touched.map(({ file }) => file)
      await sql`
        update grove_index.file set (touches, first_at, last_at) =
          (select count(*), coalesce(min(at), 0), coalesce(max(at), 0) from grove_index.touch where file = file.row)
        where row = any(${files}::bigint[])`.execute(trx)
      await sql`delete from grove_index.file where row = any(${files}::bigint[]) and touches = 0`.execute(trx)
      const tokens = gone.flatMap(({ terms }) => terms)
      await this.count(trx, tokens, -1)
      await this.grow(trx, -gone.length)
    })
  }

  private async count(trx: Kysely<unknown>, tokens: string[], sign: 1 | -1) {
    const counts = new Map<string, number>()
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + sign)
    // In one order for everybody, or two writers could wait for each other.
    const words = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([token, entries]) => ({ token, entries }))
    await sql`
      insert into grove_index.word as known (token, entries)
      select token, entries from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as w(token text, entries bigint)
      on conflict (token) do update set entries = known.entries + excluded.entries`.execute(trx)
  }

  private async touch(trx: Kysely<unknown>, entries: { id: string; at: number; files: string }[]) {
    const { files, touches } = fileRows(this.scope, entries)
    await sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
          as f(path text, tail text, touches bigint, first_at bigint, last_at bigint, terms text[])
      ), touched as (
        insert into grove_index.file as known (scope, path, tail, touches, first_at, last_at, terms)
        select ${this.scope}, path, tail, touches, first_at, last_at, array_to_tsvector(terms) from given order by path
        on conflict (scope, path) do update set touches = known.touches + excluded.touches,
          first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
        returning row, path
      )
      insert into grove_index.touch (file, at, id)
      select touched.row, t.at, t.id from touched
      join jsonb_to_recordset(${JSON.stringify(touches)}::jsonb) as t(path text, at bigint, id text)
        using (path)`.execute(trx)
  }

  private async grow(trx: Kysely<unknown>, by: number) {
    await sql`update grove_index.scope set entries = entries + ${by} where scope = ${this.scope}`.execute(trx)
  }

  async size() {
    const { rows } = await sql<{ entries: number }>`
      select entries from grove_index.scope where scope = ${this.scope}`.execute(this.db)
    return rows[0]!.entries
  }

  async frequencies(terms: string[]) {
    const tokens = terms.map((term) => `${this.scope}~${term}`)
    const { rows } = await sql<{ token: string; entries: number }>`
      select token, entries from grove_index.word where token = any(${tokens}::text[]) and entries > 0`.execute(this.db)
    const counts = new Map(rows.map(({ token, entries }) => [token, entries]))
    const known = terms.map((term, at) => [term, counts.get(tokens[at]!)] as const)
    return new Map(known.flatMap(([term, count]) => (count === undefined ? [] : [[term, count]])))
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<EntryRow>`
      with best as (
        select posting.row, sum(weight) as score
        from ${this.asked(terms)} join grove_index.posting on posting.terms @@ asked.token
        group by posting.row order by score desc, posting.at desc, posting.id limit ${limit}
      )
      select entry.* from best join grove_index.entry using (row) order by score desc, at desc, id`.execute(this.db)
    return rows.map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<{ path: string }>`
      select path from ${this.asked(terms)} join grove_index.file on file.terms @@ asked.token
      group by file.row order by sum(weight) desc, last_at desc, path limit ${limit}`.execute(this.db)
    return rows.map(({ path }) => path)
  }

  /** One look into the inverted index per term; a lexeme in quotes is taken as it is. */
  private asked(terms: WeightedTerm[]): RawBuilder<unknown> {
    const quote = (token: string) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    const tokens = terms.map(({ term }) => quote(`${this.scope}~${term}`))
    const weights = terms.map(({ weight }) => weight)
    return sql`(select unnest(${tokens}::text[])::tsquery as token, unnest(${weights}::bigint[]) as weight) asked`
  }

  async byIds(ids: string[]) {
    const { rows } = await sql<EntryRow>`
      select * from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[])`.execute(this.db)
    const entries = new Map(rows.map((row) => [row.id, candidate(row)]))
    return ids.flatMap((id) => entries.get(id) ?? [])
  }

  async recent(limit: number) {
    const { rows } = await sql<EntryRow>`
      select * from grove_index.entry where scope = ${this.scope} order by at desc, id limit ${limit}`.execute(this.db)
    return rows.map(candidate)
  }

  async fileStats(paths: string[]) {
    const files = await this.filesAt(paths)
    return files.map(({ path, touches, last_at }): FileStats => ({ path, touches, lastAt: last_at }))
  }

  async histories(paths: string[], perFile: number) {
    const files = await this.filesAt(paths)
    return Promise.all(files.map((file) => this.history(file, perFile)))
  }

  private async history(file: FileRow, perFile: number): Promise<FileHistory> {
    const { rows: earlier } = await sql<{ row: number; touches: number }>`
      select row, touches from grove_index.file
      where scope = ${this.scope} and tail = ${file.tail} and path <> ${file.path}
        and last_at <= ${file.first_at}`.execute(this.db)
    const before = earlier.map(({ row }) => row)
    const recent = await this.touches([file.row], perFile)
    const more = before.length > 0 && recent.length < perFile ? await this.touches(before, perFile - recent.length) : []
    const oldest = before.length > 0 ? before : [file.row]
    const { rows: first } = await sql<Touch>`
      select id, at from grove_index.touch where file = any(${oldest}::bigint[])
      order by at, id desc limit 1`.execute(this.db)
    const touches = earlier.reduce((sum, other) => sum + other.touches, file.touches)
    return { path: file.path, touches, recent: [...recent, ...more], first: first[0]! }
  }

  private async touches(files: number[], limit: number): Promise<Touch[]> {
    const { rows } = await sql<Touch>`
      select id, at from grove_index.touch where file = any(${files}::bigint[])
      order by at desc, id limit ${limit}`.execute(this.db)
    return rows
  }

  private async filesAt(paths: string[]): Promise<FileRow[]> {
    const { rows } = await sql<FileRow>`
      select row, path, tail, touches, first_at, last_at from grove_index.file
      where scope = ${this.scope} and path = any(${paths}::text[])`.execute(this.db)
    const files = new Map(rows.map((file) => [file.path, file]))
    return paths.flatMap((path) => files.get(path) ?? [])
  }
}
