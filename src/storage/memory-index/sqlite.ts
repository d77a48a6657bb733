/** The memory index in SQLite, one scope (a project) per instance. FTS5's row lists are summed here, see `sqlite-schema.ts`. */
import type { FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import { type IndexEntry, pathTerms, tail } from '#core/memory/index-terms.ts'
import type { SqliteDatabase, SqliteStatement } from '../sql/sqlite-driver.ts'
import { SqliteFiles } from './sqlite-files.ts'
import {
  candidate,
  type EntryRow,
  numbers,
  oldestFirst,
  ordered,
  type Stored,
  spaced,
  storedEntry,
  storedRow,
} from './sqlite-rows.ts'
import { matching, ROWS_PER_SCOPE, remember, STATEMENTS, type Statements } from './sqlite-schema.ts'

const MAX_KNOWN_FILES = 50_000
const MOVED_AT_ONCE = 500
const LONG_LIST = 1_000

export class SqliteMemoryIndex implements MemoryIndex {
  private readonly db: SqliteDatabase
  private readonly sql: Statements
  readonly scope: number
  /** Rows of a scope lie together, from here on. */
  readonly firstRow: number
  private readonly files: SqliteFiles
  /** A path's row and terms, as tokens. Its row never changes and is never given up, so what is remembered stays true. */
  private readonly knownFiles = new Map<string, string>()
  private readonly counted = new Map<string, number>()
  /** SQLite's mark of what other connections have written. */
  private countedAt = -1

  /** The tables of `MEMORY_INDEX_SQL` must exist. */
  constructor(db: SqliteDatabase, scope: string) {
    this.db = db
    this.sql = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]),
    ) as Statements
    this.scope = (this.sql.scope.get(scope) as { scope: number }).scope
    this.firstRow = this.scope * ROWS_PER_SCOPE
    this.files = new SqliteFiles(this.sql, this.scope)
  }

  /**
   * All or none; an id already there is left as it is. Rows follow time, so entries newer than those added move to new rows:
   * nothing to do for work as it happens, cheap for a late one, and a reason to bring in history oldest first.
   */
  add(entries: IndexEntry[]): void {
    this.atomically(() => {
      const { last } = this.sql.lock.get(this.scope) as { last: number }
      const added = this.unknown(entries).sort(oldestFirst)
      if (added.length === 0) return
      const moved = this.newerThan(added[0]!, last)
      for (const entry of moved) this.erase(entry)
      const all = [...added.map(storedEntry), ...moved.map(storedRow)]
      if (moved.length > 0) all.sort(oldestFirst)
      all.forEach((entry, i) => {
        this.write(this.firstRow + last + 1 + i, entry)
      })
      this.sql.grow.run(added.length, last + all.length, this.scope)
    })
  }

  private unknown(entries: IndexEntry[]): IndexEntry[] {
    const known = this.sql.known.all(this.scope, JSON.stringify(entries.map(({ id }) => id))) as { id: string }[]
    const seen = new Set(known.map(({ id }) => id))
    return entries.filter(({ id }) => !seen.has(id) && seen.add(id))
  }

  private newerThan(entry: Touch, last: number): EntryRow[] {
    const rows: number[] = []
    let below = this.firstRow + last
    for (let chunk = 1; ; chunk = MOVED_AT_ONCE) {
      const newest = this.sql.newest.all(this.firstRow, below, chunk) as { row: number; id: string; at: number }[]
      const newer = newest.filter((other) => oldestFirst(other, entry) > 0)
      rows.push(...newer.map(({ row }) => row))
      if (newer.length < chunk) break
      below = newer.at(-1)!.row - 1
    }
    return this.sql.byRows.all(JSON.stringify(rows)) as EntryRow[]
  }

  private write(row: number, { id, at, group, files, title, body }: Stored): void {
    this.sql.insert.run(row, this.scope, id, at, group, files.join('\n'), title, body)
    this.sql.insertTerms.run(row, this.entryTokens(title, body, files))
  }

  remove(ids: string[]): void {
    this.atomically(() => {
      const { last } = this.sql.lock.get(this.scope) as { last: number }
      const found = this.sql.byIds.all(this.scope, JSON.stringify(ids)) as EntryRow[]
      for (const entry of found) this.erase(entry)
      this.sql.grow.run(-found.length, last, this.scope)
    })
  }

  private erase(entry: EntryRow): void {
    const { title, body, files } = storedRow(entry)
    this.sql.removeTerms.run(entry.row, this.entryTokens(title, body, files))
    this.sql.remove.run(entry.row)
  }

  /** A savepoint nests in whatever transaction the caller holds. */
  private atomically(work: () => void): void {
    this.forget()
    this.db.exec('SAVEPOINT memory_index')
    try {
      work()
      this.db.exec('RELEASE memory_index')
    } catch (error) {
      this.knownFiles.clear()
      this.db.exec('ROLLBACK TO memory_index; RELEASE memory_index')
      throw error
    }
  }

  private entryTokens(title: string, body: string, files: string[]): string {
    let all = this.scoped(title + body)
    for (const path of files.length > 1 ? new Set(files) : files)
      all += this.knownFiles.get(path) ?? this.fileTokens(path)
    return all
  }

  /** Each term, known by the space before it, marked as this scope's. */
  private scoped(spacedTerms: string): string {
    return spacedTerms.replaceAll(' ', ` ${this.scope}~`)
  }

  private fileTokens(path: string): string {
    if (this.knownFiles.size >= MAX_KNOWN_FILES) this.knownFiles.clear()
    const row = this.files.at([path])[0]?.row ?? this.addFile(path)
    const tokens = this.scoped(` ~${row}${spaced(pathTerms(path))}`)
    this.knownFiles.set(path, tokens)
    return tokens
  }

  private addFile(path: string): number {
    const { row } = this.sql.nextFile.get() as { row: number }
    this.sql.insertFile.run(row, this.scope, path, tail(path))
    this.sql.insertPath.run(row, this.scoped(spaced(pathTerms(path))))
    return row
  }

  async size() {
    return (this.sql.size.get(this.scope) as { entries: number }).entries
  }

  async frequencies(terms: string[]) {
    this.forgetOutdated()
    const known = new Map<string, number>()
    for (const term of terms) {
      const holders = this.counted.get(term) ?? this.holderCount(term)
      if (holders) known.set(term, holders)
    }
    return known
  }

  /** What was counted holds until somebody writes. */
  private forgetOutdated(): void {
    const { data_version } = this.sql.version.get() as { data_version: number }
    if (data_version !== this.countedAt) this.forget()
    this.countedAt = data_version
  }

  private forget(): void {
    this.counted.clear()
    this.files.forget()
  }

  /** FTS5 counts by walking the list, so what took long is remembered. */
  private holderCount(term: string): number {
    const holders = (this.sql.frequency.get(`${this.scope}~${term}`) as { doc: number } | undefined)?.doc ?? 0
    if (holders > LONG_LIST) remember(this.counted, term, holders)
    return holders
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    const sums = this.sums(this.sql.holders, terms, this.firstRow)
    const best = largest(sums, limit).sort((a, b) => sums.get(b)! - sums.get(a)! || b - a)
    const rows = best.slice(0, limit).map((row) => this.firstRow + row)
    return ordered(rows, this.sql.byRows.all(JSON.stringify(rows)) as EntryRow[], ({ row }) => row).map(candidate)
  }

  async byIds(ids: string[]) {
    return ordered(ids, this.sql.byIds.all(this.scope, JSON.stringify(ids)) as EntryRow[], ({ id }) => id).map(
      candidate,
    )
  }

  async recent(limit: number) {
    return (this.sql.recent.all(this.firstRow, this.firstRow + ROWS_PER_SCOPE - 1, limit) as EntryRow[]).map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    this.forgetOutdated()
    const bySum = new Map<number, number[]>()
    for (const [row, sum] of this.sums(this.sql.pathHolders, terms, 0)) {
      const rows = bySum.get(sum)
      if (rows) rows.push(row)
      else bySum.set(sum, [row])
    }
    const paths: string[] = []
    for (const sum of [...bySum.keys()].sort((a, b) => b - a)) {
      if (paths.length >= limit) break
      paths.push(...this.files.lastTouchedFirst(bySum.get(sum)!))
    }
    return paths.slice(0, limit)
  }

  /** What each row's terms weigh together; rows are counted from `first`. */
  private sums(holders: SqliteStatement, terms: WeightedTerm[], first: number): Map<number, number> {
    const sums = new Map<number, number>()
    for (const { term, weight } of terms) {
      const { rows } = holders.get(first, matching(this.scope, term)) as { rows: string | null }
      for (const row of numbers(rows ?? '')) sums.set(row, (sums.get(row) ?? 0) + weight)
    }
    return sums
  }

  async fileStats(paths: string[]) {
    this.forgetOutdated()
    const files = this.files.touched(this.files.at(paths))
    return files.map(({ path, touches, lastAt }): FileStats => ({ path, touches, lastAt }))
  }

  async histories(paths: string[], perFile: number) {
    this.forgetOutdated()
    return this.files.histories(paths, perFile)
  }
}

/** The rows of the largest sums, and those that tie with the least of them: far fewer to sort than all. */
function largest(sums: Map<number, number>, limit: number): number[] {
  const rows = [...sums.keys()]
  if (rows.length <= limit) return rows
  const least = Float64Array.from(sums.values()).sort()[rows.length - limit]!
  return rows.filter((row) => sums.get(row)! >= least)
}
