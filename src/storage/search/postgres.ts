/** The memory index in PostgreSQL, one scope (a project) per instance; see `postgres-schema.ts`. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FileHistory, FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/ports/search-index.ts'
import { type IndexEntry, pathTerms, tail } from '#core/search/terms.ts'
import {
  candidate,
  type EntryRow,
  type FileRow,
  type FileSums,
  type FileTouch,
  fileRows,
  newRows,
  wordCounts,
} from './postgres-rows.ts'
import { ENTRY_TERMS, POSTGRES_INDEX_SQL } from './postgres-schema.ts'

const MAX_KNOWN_FILES = 50_000

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
  /** A file keeps its row for good, also when nobody touches it any more. */
  private readonly knownFiles = new Map<string, number>()

  constructor(db: Kysely<unknown>, scope: number) {
    this.db = db
    this.scope = scope
  }

  /** All or none; an id already there is left as it is. */
  async add(entries: IndexEntry[]): Promise<void> {
    const rows = newRows(entries)
    await this.changing(async (trx) => {
      const inserting = sql<{ id: string }>`
        insert into grove_index.entry (scope, id, at, grp, files, title, body, words)
        select ${this.scope}, * from unnest(${all(rows, 'id')}::text[], ${all(rows, 'at')}::bigint[], ${all(rows, 'grp')}::text[],
          ${all(rows, 'files')}::text[], ${all(rows, 'title')}::text[], ${all(rows, 'body')}::text[], ${all(rows, 'words')}::text[])
        on conflict (scope, id) do nothing returning id`.execute(trx)
      // Counted while the server is busy; mostly all of them are new.
      const sums = { words: wordCounts(rows), ...fileRows(rows) }
      const fresh = new Set((await inserting).rows.map(({ id }) => id))
      const news = rows.filter(({ id }) => fresh.has(id))
      const { words, files, touches } =
        news.length === rows.length ? sums : { words: wordCounts(news), ...fileRows(news) }
      await this.count(trx, words, 1)
      await this.touch(trx, files, touches)
      await this.grow(trx, news.length)
    })
  }

  async remove(ids: string[]): Promise<void> {
    await this.changing(async (trx) => {
      const { rows: gone } = await sql<EntryRow>`
        delete from grove_index.entry where scope = ${this.scope} and id = any(${ids}::text[]) returning *`.execute(trx)
      const { files, touches } = fileRows(gone)
      const rows = await this.fileNumbers(trx, all(files, 'path'))
      await sql`
        delete from grove_index.touch using ${touchList(touches, rows)}
        where touch.file = t.file and touch.at = t.at and touch.id = t.id`.execute(trx)
      await sql`
        update grove_index.file set (touches, first_at, last_at) =
          (select count(*), coalesce(min(at), 0), coalesce(max(at), 0) from grove_index.touch where file = file.row)
        where row = any(${rows}::bigint[])`.execute(trx)
      await this.count(trx, wordCounts(gone), -1)
      await this.grow(trx, -gone.length)
    })
  }

  /** Who writes into a scope does so alone: nobody waits for somebody who waits for him. */
  private async changing(work: (trx: Kysely<unknown>) => Promise<void>): Promise<void> {
    try {
      await this.db.transaction().execute(async (trx) => {
        await sql`select 1 from grove_index.scope where scope = ${this.scope} for update`.execute(trx)
        await work(trx)
      })
    } catch (error) {
      this.knownFiles.clear()
      throw error
    }
  }

  private async count(trx: Kysely<unknown>, words: Map<string, number>, sign: 1 | -1) {
    const terms = [...words.keys()].join(' ')
    const counts = [...words.values()].map((count) => sign * count).join(' ')
    await sql`
      insert into grove_index.word as known (token, entries)
      select ${`${this.scope}~`} || term, entries
      from unnest(string_to_array(${terms}, ' '), string_to_array(${counts}, ' ')::bigint[]) as w(term, entries)
      on conflict (token) do update set entries = known.entries + excluded.entries`.execute(trx)
  }

  private async touch(trx: Kysely<unknown>, files: FileSums[], touches: FileTouch[]) {
    if (files.length === 0) return
    const rows = await this.fileNumbers(trx, all(files, 'path'))
    await sql`
      update grove_index.file set touches = file.touches + f.touches,
        first_at = case file.touches when 0 then f.first_at else least(file.first_at, f.first_at) end,
        last_at = greatest(file.last_at, f.last_at)
      from unnest(${rows}::bigint[], ${all(files, 'touches')}::bigint[], ${all(files, 'first_at')}::bigint[],
        ${all(files, 'last_at')}::bigint[]) as f(row, touches, first_at, last_at)
      where file.row = f.row`.execute(trx)
    await sql`insert into grove_index.touch (file, at, id) select * from ${touchList(touches, rows)}`.execute(trx)
  }

  /** The rows of these files, new ones for those not seen before. */
  private async fileNumbers(trx: Kysely<unknown>, paths: string[]): Promise<number[]> {
    if (this.knownFiles.size > MAX_KNOWN_FILES) this.knownFiles.clear()
    const unknown = paths.filter((path) => !this.knownFiles.has(path))
    if (unknown.length > 0) {
      for (const { path, row } of await this.filesAt(unknown, trx)) this.knownFiles.set(path, row)
      await this.addFiles(
        trx,
        unknown.filter((path) => !this.knownFiles.has(path)),
      )
    }
    return paths.map((path) => this.knownFiles.get(path)!)
  }

  private async addFiles(trx: Kysely<unknown>, paths: string[]) {
    const terms = paths.map((path) => pathTerms(path).join(' '))
    const { rows } = await sql<{ path: string; row: number }>`
      insert into grove_index.file (scope, path, tail, terms)
      select ${this.scope}, path, tail,
        array_to_tsvector(string_to_array(${`${this.scope}~`} || replace(terms, ' ', ${` ${this.scope}~`}), ' '))
      from unnest(${paths}::text[], ${paths.map(tail)}::text[], ${terms}::text[]) as f(path, tail, terms)
      returning path, row`.execute(trx)
    for (const { path, row } of rows) this.knownFiles.set(path, row)
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
        select id, at, sum(weight) as score
        from ${this.asked(terms)} join grove_index.entry on ${sql.raw(ENTRY_TERMS)} @@ asked.token
        group by id, at order by score desc, at desc, id limit ${limit}
      )
      select entry.* from best join grove_index.entry on entry.scope = ${this.scope} and entry.id = best.id
      order by score desc, entry.at desc, entry.id`.execute(this.db)
    return rows.map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    if (terms.length === 0) return []
    const { rows } = await sql<{ path: string }>`
      select path from ${this.asked(terms)} join grove_index.file on file.terms @@ asked.token and touches > 0
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
    const files = await this.touchedAt(paths)
    return files.map(({ path, touches, last_at }): FileStats => ({ path, touches, lastAt: last_at }))
  }

  async histories(paths: string[], perFile: number) {
    const files = await this.touchedAt(paths)
    return Promise.all(files.map((file) => this.history(file, perFile)))
  }

  private async history(file: FileRow, perFile: number): Promise<FileHistory> {
    const { rows: earlier } = await sql<{ row: number; touches: number }>`
      select row, touches from grove_index.file
      where scope = ${this.scope} and tail = ${file.tail} and path <> ${file.path}
        and touches > 0 and last_at <= ${file.first_at}`.execute(this.db)
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

  private async touchedAt(paths: string[]): Promise<FileRow[]> {
    return (await this.filesAt(paths)).filter(({ touches }) => touches > 0)
  }

  private async filesAt(paths: string[], db = this.db): Promise<FileRow[]> {
    const { rows } = await sql<FileRow>`
      select row, path, tail, touches, first_at, last_at from grove_index.file
      where scope = ${this.scope} and path = any(${paths}::text[])`.execute(db)
    const files = new Map(rows.map((file) => [file.path, file]))
    return paths.flatMap((path) => files.get(path) ?? [])
  }
}

/** One column of many rows: arrays are what PostgreSQL reads fastest. */
function all<T, K extends keyof T>(rows: T[], column: K): T[K][] {
  return rows.map((row) => row[column])
}

/** Each with the row of its file. */
function touchList(touches: FileTouch[], rows: number[]): RawBuilder<unknown> {
  const files = touches.map(({ place }) => rows[place]!)
  return sql`unnest(${files}::bigint[], ${all(touches, 'at')}::bigint[], ${all(touches, 'id')}::text[]) as t(file, at, id)`
}
