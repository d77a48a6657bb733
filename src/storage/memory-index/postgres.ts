/** The memory index in PostgreSQL, one scope (a project) per instance; see `postgres-schema.ts`. */
import { type Kysely, sql } from 'kysely'
import type { Candidate, FileHistory, FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import { baseName, fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/memory/index-terms.ts'
import { POSTGRES_INDEX_SQL } from './postgres-schema.ts'

interface EntryRow {
  id: string
  at: number
  grp: string | null
  files: string
  title: string
  body: string
}

interface FileRow {
  row: number
  path: string
  tail: string
  touches: number
  first_at: number
  last_at: number
}

/** Opens a scope, making the tables when they are not there. */
export async function openPostgresIndex(db: Kysely<unknown>, scope: string): Promise<PostgresMemoryIndex> {
  for (const statement of POSTGRES_INDEX_SQL.split(';')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db)
  }
  const { rows } = await sql<{ row: number }>`
    insert into grove_index.scope (name) values (${scope})
    on conflict (name) do update set name = excluded.name returning row`.execute(db)
  return new PostgresMemoryIndex(db, rows[0]!.row)
}

export class PostgresMemoryIndex implements MemoryIndex {
  constructor(
    private readonly db: Kysely<unknown>,
    private readonly scope: number,
  ) {}

  /** All or none; an id already there is left as it is. */
  async add(entries: IndexEntry[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const rows = entries.map(({ id, at, group, files, ...text }) => {
        const fields = fieldTerms(text)
        return { id, at, grp: group ?? null, files, fields, tokens: this.tokens(indexTerms(fields, files)) }
      })
      const { rows: added } = await sql<{ id: string }>`
        with given as (
          select * from jsonb_to_recordset(${json(
            rows.map(({ id, at, grp, files, fields, tokens }) => ({
              id,
              at,
              grp,
              files: files.join('\n'),
              title: fields.title.join(' '),
              body: fields.body.join(' '),
              tokens,
            })),
          )}::jsonb) as g(id text, at bigint, grp text, files text, title text, body text, tokens text[])
        ), added as (
          insert into grove_index.entry (scope, id, at, grp, files, title, body)
          select ${this.scope}, id, at, grp, files, title, body from given
          on conflict (scope, id) do nothing returning row, id, at
        ), posted as (
          insert into grove_index.posting (row, at, id, terms)
          select added.row, added.at, added.id, array_to_tsvector(given.tokens) from added join given using (id)
        )
        select id from added`.execute(trx)
      const fresh = new Set(added.map(({ id }) => id))
      const news = rows.filter(({ id }) => fresh.delete(id))
      await this.count(
        trx,
        news.flatMap(({ tokens }) => tokens),
        1,
      )
      await this.touch(trx, news)
      await sql`update grove_index.scope set entries = entries + ${news.length} where row = ${this.scope}`.execute(trx)
    })
  }

  async remove(ids: string[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const { rows: gone } = await sql<{ tokens: string[] }>`
        with gone as (
          delete from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[]) returning row
        ), unposted as (
          delete from grove_index.posting where row in (select row from gone) returning terms
        )
        select tsvector_to_array(terms) as tokens from unposted`.execute(trx)
      await this.count(
        trx,
        gone.flatMap(({ tokens }) => tokens),
        -1,
      )
      const { rows: files } = await sql<{ file: number }>`
        delete from grove_index.touch using grove_index.file
        where touch.file = file.row and file.scope = ${this.scope} and touch.id = any(${ids}::text[])
        returning touch.file`.execute(trx)
      const touched = files.map(({ file }) => file)
      await sql`
        update grove_index.file set (touches, first_at, last_at) =
          (select count(*), coalesce(min(at), 0), coalesce(max(at), 0) from grove_index.touch where file = file.row)
        where row = any(${touched}::bigint[])`.execute(trx)
      await sql`delete from grove_index.file where row = any(${touched}::bigint[]) and touches = 0`.execute(trx)
      await sql`update grove_index.scope set entries = entries - ${gone.length} where row = ${this.scope}`.execute(trx)
    })
  }

  private async count(trx: Kysely<unknown>, tokens: string[], sign: 1 | -1) {
    const counts = new Map<string, number>()
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + sign)
    // In one order for everybody, or two writers could wait for each other.
    const sorted = [...counts]
      .map(([token, entries]) => ({ token, entries }))
      .sort((a, b) => (a.token < b.token ? -1 : 1))
    await sql`
      insert into grove_index.word as known (token, entries)
      select token, entries from jsonb_to_recordset(${json(sorted)}::jsonb) as w(token text, entries bigint)
      on conflict (token) do update set entries = known.entries + excluded.entries`.execute(trx)
    if (sign < 0) await sql`delete from grove_index.word where entries <= 0`.execute(trx)
  }

  private async touch(trx: Kysely<unknown>, entries: { id: string; at: number; files: string[] }[]) {
    const touches = entries.flatMap(({ id, at, files }) => [...new Set(files)].map((path) => ({ path, at, id })))
    const times = new Map<string, number[]>()
    for (const { path, at } of touches) times.set(path, [...(times.get(path) ?? []), at])
    const paths = [...times]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, all]) => {
        const tokens = this.tokens([...pathTerms(path), baseName(path).toLowerCase()])
        return { path, tail: tail(path), touches: all.length, first: Math.min(...all), last: Math.max(...all), tokens }
      })
    await sql`
      with given as (
        select * from jsonb_to_recordset(${json(paths)}::jsonb)
          as p(path text, tail text, touches bigint, first bigint, last bigint, tokens text[])
      ), touched as (
        insert into grove_index.file as known (scope, path, tail, touches, first_at, last_at, terms)
        select ${this.scope}, path, tail, touches, first, last, array_to_tsvector(tokens) from given
        on conflict (scope, path) do update set touches = known.touches + excluded.touches,
          first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
        returning row, path
      )
      insert into grove_index.touch (file, at, id)
      select touched.row, t.at, t.id from touched
      join jsonb_to_recordset(${json(touches)}::jsonb) as t(path text, at bigint, id text) using (path)`.execute(trx)
  }

  private tokens(terms: Iterable<string>): string[] {
    return [...new Set(terms)].map((term) => `${this.scope}~${term}`)
  }

  async size() {
    const { rows } = await sql<{ entries: number }>`
      select entries from grove_index.scope where row = ${this.scope}`.execute(this.db)
    return rows[0]!.entries
  }

  async frequencies(terms: string[]) {
    const { rows } = await sql<{ token: string; entries: number }>`
      select token, entries from grove_index.word where token = any(${this.tokens(terms)}::text[])`.execute(this.db)
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
        select posting.row, sum(weight) as score, posting.at, posting.id
        from ${this.asked(terms)} join grove_index.posting on posting.terms @@ asked.token
        group by posting.row order by score desc, posting.at desc, posting.id limit ${limit}
      )
      select entry.* from best join grove_index.entry using (row)
      order by best.score desc, best.at desc, best.id`.execute(this.db)
    return rows.map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<{ path: string }>`
      select path from ${this.asked(terms)} join grove_index.file on file.terms @@ asked.token
      group by file.row order by sum(weight) desc, last_at desc, path limit ${limit}`.execute(this.db)
    return rows.map(({ path }) => path)
  }

  /** One query per term, each answered by the index alone; a lexeme in quotes is taken as it is. */
  private asked(terms: WeightedTerm[]) {
    const quoted = terms.map(
      ({ term }) => `'${`${this.scope}~${term}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    )
    const weights = terms.map(({ weight }) => weight)
    return sql`(select unnest(${quoted}::text[])::tsquery as token, unnest(${weights}::bigint[]) as weight) asked`
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
      where scope = ${this.scope} and tail = ${file.tail} and path <> ${file.path} and last_at <= ${file.first_at}`.execute(
      this.db,
    )
    const before = earlier.map(({ row }) => row)
    const recent = await this.touches([file.row], perFile)
    const more = before.length > 0 && recent.length < perFile ? await this.touches(before, perFile - recent.length) : []
    const { rows: first } = await sql<Touch>`
      select id, at from grove_index.touch where file = any(${before.length > 0 ? before : [file.row]}::bigint[])
      order by at, id desc limit 1`.execute(this.db)
    return {
      path: file.path,
      touches: earlier.reduce((sum, { touches }) => sum + touches, file.touches),
      recent: [...recent, ...more],
      first: first[0]!,
    }
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

function json(value: unknown): string {
  return JSON.stringify(value)
}

function candidate({ id, at, grp, files, title, body }: EntryRow): Candidate {
  const words = (text: string) => (text === '' ? [] : text.split(' '))
  const list = files === '' ? [] : files.split('\n')
  return { id, at, files: list, title: words(title), body: words(body), ...(grp !== null && { group: grp }) }
}
