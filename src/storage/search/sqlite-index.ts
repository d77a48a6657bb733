/** The memory index in SQLite, one scope (a project) per instance. FTS5's row lists are summed here, see `schema.ts`. */
import type { FileStats, Touch, WeightedTerm } from '#core/ports/search-index.ts'
import { type IndexEntry, pathTerms, tail } from '#core/search/terms.ts'
import type { SqliteDatabase, SqliteStatement } from '../sqlite/driver.ts'
import { SqliteFiles } from './files.ts'
import type { Extent, StoredIndex } from './resident.ts'
import {
  candidate,
  columns,
  type EntryRow,
  numbers,
  oldestFirst,
  ordered,
  type Stored,
  spaced,
  storedEntry,
  storedRow,
} from './rows.ts'
import { matching, ROWS_PER_SCOPE, remember, STATEMENTS, type Statements, TOGETHER } from './schema.ts'

const MAX_KNOWN_FILES = 50_000
const MOVED_AT_ONCE = 500
const LONG_LIST = 1_000

export class SqliteMemoryIndex implements StoredIndex {
  private readonly db: SqliteDatabase
  private readonly sql: Statements
  readonly scope: number
  /** Rows of a scope lie together, from here on. */
  readonly firstRow: number
  private readonly files: SqliteFiles
  /** Goes before each term in place of its space. */
  private readonly mark: string
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
    // To its end: that a new name could not be kept, on a full disk, is said only there.
    const [noted] = this.sql.scope.all(scope) as { scope: number }[]
    this.scope = noted!.scope
    this.firstRow = this.scope * ROWS_PER_SCOPE
    this.mark = ` ${this.scope}~`
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
      this.erase(moved)
      const all = [...added.map(storedEntry), ...moved.map(storedRow)]
      if (moved.length > 0) all.sort(oldestFirst)
      const first = this.firstRow + last + 1
      this.write(first, all)
      this.sql.insertTerms.run(this.mark, JSON.stringify(this.fileTokens(all)), first)
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

  private write(first: number, entries: Stored[]): void {
    const rows = entries.map((entry, i) => [first + i, this.scope, ...columns(entry)])
    const together = rows.length - (rows.length % TOGETHER)
    for (let at = 0; at < together; at += TOGETHER) this.sql.insertMany.run(...rows.slice(at, at + TOGETHER).flat())
    for (const row of rows.slice(together)) this.sql.insert.run(...row)
  }

  remove(ids: string[]): void {
    this.atomically(() => {
      const { last } = this.sql.lock.get(this.scope) as { last: number }
      const found = this.sql.byIds.all(this.scope, JSON.stringify(ids)) as EntryRow[]
      this.erase(found)
      this.sql.grow.run(-found.length, last, this.scope)
    })
  }

  private erase(rows: EntryRow[]): void {
    const entries = rows.map(storedRow)
    const touches = this.fileTokens(entries)
    entries.forEach(({ title, body }, at) => {
      this.sql.removeTerms.run(rows[at]!.row, title + body + touches[at], this.mark)
      this.sql.remove.run(rows[at]!.row)
    })
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

  /** What each entry is found by for the sake of its files. */
  private fileTokens(entries: Stored[]): string[] {
    if (this.knownFiles.size > MAX_KNOWN_FILES) this.knownFiles.clear()
    const unknown = new Set<string>()
    for (const { files } of entries) for (const path of files) if (!this.knownFiles.has(path)) unknown.add(path)
    if (unknown.size > 0) this.learnFiles([...unknown])
    return entries.map(({ files }) => {
      let all = ''
      for (const path of files) all += this.knownFiles.get(path)
      return all
    })
  }

  /** Gives new files their rows. */
  private learnFiles(paths: string[]): void {
    for (const { path, row } of this.files.at(paths)) this.know(path, row)
    const fresh = paths.filter((path) => !this.knownFiles.has(path))
    if (fresh.length === 0) return
    const { row: first } = this.sql.nextFile.get() as { row: number }
    fresh.forEach((path, at) => {
      this.sql.insertFile.run(first + at, this.scope, path, tail(path))
      this.know(path, first + at)
    })
    this.sql.insertPaths.run(first, this.mark, JSON.stringify(fresh.map((path) => spaced(pathTerms(path)))))
  }

  private know(path: string, row: number): void {
    this.knownFiles.set(path, ` ~${row}${spaced(pathTerms(path))}`)
  }

  async size() {
    return (this.sql.size.get(this.scope) as { entries: number }).entries
  }

  async extent() {
    return this.sql.extent.get(this.scope) as Extent
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

  /** What was counted holds until the next write. */
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
