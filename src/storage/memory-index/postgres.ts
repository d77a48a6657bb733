/** The memory index in PostgreSQL, one scope (a project) per instance; see `postgres-schema.ts`. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Candidate, FileHistory, FileStats, MemoryIndex, WeightedTerm } from '#core/memory/index-port.ts'
import { fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/memory/index-terms.ts'
import { POSTGRES_INDEX_SQL } from './postgres-schema.ts'

interface EntryRow {
  row: number
  id: string
  at: number
  grp: string | null
  files: string
  title: string
  body: string
}

interface Touches {
  file: number
  path: string
  tail: string
  /** Of entries, in the order they arrived. */
  rows: number[]
}

/** Opens a scope, making the tables when they are not there. */
export async function openPostgresIndex(db: Kysely<unknown>, name: string): Promise<PostgresMemoryIndex> {
  for (const statement of POSTGRES_INDEX_SQL) await sql.raw(statement).execute(db)
  const { rows } = await sql<{ scope: number }>`
    insert into grove_index.scope (name) values (${name})
    on conflict (name) do update set name = excluded.name returning scope`.execute(db)
  return new PostgresMemoryIndex(db, rows[0]!.scope)
}

export class PostgresMemoryIndex implements MemoryIndex {
  constructor(
    private readonly db: Kysely<unknown>,
    private readonly scope: number,
  ) {}

  /** All or none; an id already there is left as it is. */
  async add(entries: IndexEntry[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const known = new Set(
        (
          await this.entriesById(
            trx,
            entries.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      )
      const fresh = entries.filter(({ id }) => !known.has(id) && known.add(id))
      const files = await this.filesFor(
        trx,
        fresh.flatMap((entry) => entry.files),
      )
      const rows = fresh.map(({ id, at, group, files: paths, ...text }) => {
        const fields = fieldTerms(text)
        const terms = [...indexTerms(fields, paths)]
        const touched = [...new Set(paths)].map((path) => `~${files.get(path)}`)
        const columns = { files: paths.join('\n'), title: fields.title.join(' '), body: fields.body.join(' ') }
        return { id, at, grp: group ?? null, ...columns, terms: this.tokens([...terms, ...touched]) }
      })
      await sql`
        with given as (
          select * from jsonb_to_recordset(${JSON.stringify(rows.map((row, place) => ({ ...row, place })))}::jsonb)
            as g(place int, id text, at bigint, grp text, files text, title text, body text, terms text[])
        ), added as (
          insert into grove_index.entry (scope, id, at, grp, files, title, body)
          select ${this.scope}, id, at, grp, files, title, body from given order by place returning row, id
        )
        insert into grove_index.posting (row, terms)
        select added.row, array_to_tsvector(given.terms) from added join given using (id)`.execute(trx)
      await this.count(
        trx,
        rows.flatMap(({ terms }) => terms),
        1,
      )
      await this.grow(trx, rows.length)
    })
  }

  async remove(ids: string[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ terms: string[] }>`
        with gone as (
          delete from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[]) returning row
        ), unposted as (
          delete from grove_index.posting where row in (select row from gone) returning terms
        )
        select tsvector_to_array(terms) as terms from unposted`.execute(trx)
      await this.count(
        trx,
        rows.flatMap(({ terms }) => terms),
        -1,
      )
      await this.grow(trx, -rows.length)
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

  private async grow(trx: Kysely<unknown>, by: number) {
    await sql`update grove_index.scope set entries = entries + ${by} where scope = ${this.scope}`.execute(trx)
  }

  /** The rows of these paths; those never seen get one, in this order. */
  private async filesFor(trx: Kysely<unknown>, all: string[]): Promise<Map<string, number>> {
    const paths = [...new Set(all)].map((path, place) => {
      return { place, path, tail: tail(path), terms: this.tokens(pathTerms(path)) }
    })
    await sql`
      insert into grove_index.file (scope, path, tail, terms)
      select ${this.scope}, path, tail, array_to_tsvector(terms)
      from jsonb_to_recordset(${JSON.stringify(paths)}::jsonb) as f(place int, path text, tail text, terms text[])
      where not exists (select from grove_index.file known where known.scope = ${this.scope} and known.path = f.path)
      order by place on conflict (scope, path) do nothing`.execute(trx)
    const { rows } = await sql<{ row: number; path: string }>`
      select row, path from grove_index.file
      where scope = ${this.scope} and path = any(${paths.map(({ path }) => path)}::text[])`.execute(trx)
    return new Map(rows.map(({ row, path }) => [path, row]))
  }

  private tokens(terms: Iterable<string>): string[] {
    return [...new Set(terms)].map((term) => `${this.scope}~${term}`)
  }

  async size() {
    const { rows } = await sql<{ entries: number }>`
      select entries from grove_index.scope where scope = ${this.scope}`.execute(this.db)
    return rows[0]!.entries
  }

  async frequencies(terms: string[]) {
    const { rows } = await sql<{ token: string; entries: number }>`
      select token, entries from grove_index.word
      where token = any(${this.tokens(terms)}::text[]) and entries > 0`.execute(this.db)
    const counts = new Map(rows.map(({ token, entries }) => [token, entries]))
    return new Map(
      terms.flatMap((term) => {
        const count = counts.get(`${this.scope}~${term}`)
        return count === undefined ? [] : [[term, count] as const]
      }),
    )
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<EntryRow>`
      with best as (
        select posting.row, sum(weight) as score
        from ${this.asked(terms)} join grove_index.posting on posting.terms @@ asked.token
        group by posting.row order by score desc, row desc limit ${limit}
      )
      select entry.* from best join grove_index.entry using (row) order by score desc, row desc`.execute(this.db)
    return rows.map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<{ path: string }>`
      select path from ${this.asked(terms)} join grove_index.file on file.terms @@ asked.token
      group by file.row order by sum(weight) desc, file.row desc limit ${limit}`.execute(this.db)
    return rows.map(({ path }) => path)
  }

  /** One query per term, each answered by the index alone. */
  private asked(terms: WeightedTerm[]): RawBuilder<unknown> {
    const tokens = terms.map(({ term }) => quoted(`${this.scope}~${term}`))
    const weights = terms.map(({ weight }) => weight)
    return sql`(select unnest(${tokens}::text[])::tsquery as token, unnest(${weights}::bigint[]) as weight) asked`
  }

  async byIds(ids: string[]) {
    const entries = new Map((await this.entriesById(this.db, ids)).map((row) => [row.id, candidate(row)]))
    return ids.flatMap((id) => entries.get(id) ?? [])
  }

  private async entriesById(db: Kysely<unknown>, ids: string[]): Promise<EntryRow[]> {
    const { rows } = await sql<EntryRow>`
      select * from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[])`.execute(db)
    return rows
  }

  async recent(limit: number) {
    const { rows } = await sql<EntryRow>`
      select * from grove_index.entry where scope = ${this.scope} order by row desc limit ${limit}`.execute(this.db)
    return rows.map(candidate)
  }

  async fileStats(paths: string[]) {
    const touched = await this.touchesOf(sql`file.path = any(${paths}::text[])`)
    const last = await this.known(touched.map(({ rows }) => rows.at(-1)!))
    const stats = touched.map(({ path, rows }): FileStats => {
      return { path, touches: rows.length, lastAt: last.get(rows.at(-1)!)!.at }
    })
    return inOrder(paths, stats)
  }

  async histories(paths: string[], perFile: number) {
    const own = await this.touchesOf(sql`file.path = any(${paths}::text[])`)
    const alike = await this.touchesOf(sql`file.tail = any(${own.map((file) => file.tail)}::text[])`)
    const found = own.map((file) => {
      const earlier = alike.filter(
        (other) => other.tail === file.tail && other.file !== file.file && other.rows.at(-1)! < file.rows[0]!,
      )
      const before = earlier.flatMap(({ rows }) => rows).sort((a, b) => a - b)
      return { path: file.path, rows: [...new Set([...before, ...file.rows])] }
    })
    const ids = await this.known(found.flatMap(({ rows }) => [rows[0]!, ...rows.slice(-perFile)]))
    const histories = found.map(({ path, rows }): FileHistory => {
      const recent = rows.slice(-perFile).reverse()
      return { path, touches: rows.length, recent: recent.map((row) => ids.get(row)!), first: ids.get(rows[0]!)! }
    })
    return inOrder(paths, histories)
  }

  /** Files that some entry touches, with those entries. */
  private async touchesOf(wanted: RawBuilder<unknown>): Promise<Touches[]> {
    const { rows } = await sql<Omit<Touches, 'rows'> & { rows: string[] }>`
      select file.row as file, path, tail, array_agg(posting.row order by posting.row)::text[] as rows
      from grove_index.file join grove_index.posting
        on posting.terms @@ (quote_literal(${String(this.scope)} || '~~' || file.row))::tsquery
      where file.scope = ${this.scope} and ${wanted} group by file.row`.execute(this.db)
    return rows.map((file) => ({ ...file, rows: file.rows.map(Number) }))
  }

  private async known(entryRows: number[]): Promise<Map<number, { id: string; at: number }>> {
    const { rows } = await sql<{ row: number; id: string; at: number }>`
      select row, id, at from grove_index.entry where row = any(${[...new Set(entryRows)]}::bigint[])`.execute(this.db)
    return new Map(rows.map(({ row, id, at }) => [row, { id, at }]))
  }
}

/** A lexeme in quotes is taken as it is. */
function quoted(token: string): string {
  return `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function inOrder<T extends { path: string }>(paths: string[], found: T[]): T[] {
  const byPath = new Map(found.map((one) => [one.path, one]))
  return paths.flatMap((path) => byPath.get(path) ?? [])
}

function candidate({ id, at, grp, files, title, body }: EntryRow): Candidate {
  const words = (text: string) => (text === '' ? [] : text.split(' '))
  const paths = files === '' ? [] : files.split('\n')
  return { id, at, files: paths, title: words(title), body: words(body), ...(grp !== null && { group: grp }) }
}
