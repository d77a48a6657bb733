/** The memory index in SQLite, one scope (a project) per instance. FTS5's row lists are summed here, see `sqlite-schema.ts`. */
import type { Candidate, FileHistory, FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import { fieldText, type IndexEntry, pathTerms, tail } from '#core/memory/index-terms.ts'
import type { SqliteDatabase, SqliteStatement } from '../sql/sqlite-driver.ts'
import { ROWS_PER_SCOPE, STATEMENTS } from './sqlite-schema.ts'

type Statements = Record<keyof typeof STATEMENTS, SqliteStatement>

interface EntryRow {
  row: number
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
}

const MAX_KNOWN_FILES = 50_000
const MOVED_AT_ONCE = 500

export class SqliteMemoryIndex implements MemoryIndex {
  private readonly db: SqliteDatabase
  private readonly sql: Statements
  private readonly scope: number
  private readonly firstRow: number
  /** A path's row and terms, as tokens. Its row never changes and is never given up, so what is remembered stays true. */
  private readonly knownFiles = new Map<string, string>()

  /** The tables of `MEMORY_INDEX_SQL` must exist. */
  constructor(db: SqliteDatabase, scope: string) {
    this.db = db
    this.sql = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]),
    ) as Statements
    this.scope = (this.sql.scope.get(scope) as { scope: number }).scope
    this.firstRow = this.scope * ROWS_PER_SCOPE
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
    let all = title + body
    for (const path of files.length > 1 ? new Set(files) : files)
      all += this.knownFiles.get(path) ?? this.fileTokens(path)
    return this.scoped(all)
  }

  /** Each term, known by the space before it, marked as this scope's. */
  private scoped(spacedTerms: string): string {
    return spacedTerms.replaceAll(' ', ` ${this.scope}~`)
  }

  private fileTokens(path: string): string {
    if (this.knownFiles.size >= MAX_KNOWN_FILES) this.knownFiles.clear()
    const row = this.filesAt([path])[0]?.row ?? this.addFile(path)
    const tokens = ` ~${row}${spaced(pathTerms(path))}`
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
    const known = new Map<string, number>()
    for (const term of terms) {
      const holders = this.holderCount(term)
      if (holders) known.set(term, holders)
    }
    return known
  }

  private holderCount(term: string): number {
    return (this.sql.frequency.get(`${this.scope}~${term}`) as { doc: number } | undefined)?.doc ?? 0
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    const sums = this.sums(this.sql.holders, terms)
    const rows = [...sums.keys()].sort((a, b) => sums.get(b)! - sums.get(a)! || b - a).slice(0, limit)
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
    const sums = this.sums(this.sql.pathHolders, terms)
    const least = nthLargest([...sums.values()], limit)
    const rows = [...sums.keys()].filter((row) => sums.get(row)! >= least)
    const files = this.sql.paths.all(JSON.stringify(rows)) as FileRow[]
    const scored = this.withLastTouch(files).map((file) => ({ ...file, sum: sums.get(file.row)! }))
    scored.sort((a, b) => b.sum - a.sum || b.last.at - a.last.at || (a.path < b.path ? -1 : 1))
    return scored.slice(0, limit).map(({ path }) => path)
  }

  private sums(holders: SqliteStatement, terms: WeightedTerm[]): Map<number, number> {
    const sums = new Map<number, number>()
    for (const { term, weight } of terms)
      for (const row of this.rowsOf(holders, term)) sums.set(row, (sums.get(row) ?? 0) + weight)
    return sums
  }

  private rowsOf(holders: SqliteStatement, term: string): number[] {
    const { rows } = holders.get(this.match(term)) as { rows: string | null }
    return rows === null ? [] : rows.split(',').map(Number)
  }

  private match(term: string): string {
    return `"${this.scope}~${term}"`
  }

  async fileStats(paths: string[]) {
    const files = this.withLastTouch(this.filesAt(paths))
    return files.map(
      ({ path, row, last }): FileStats => ({ path, touches: this.holderCount(`~${row}`), lastAt: last.at }),
    )
  }

  /** Leaves out files nobody touches any more. */
  private withLastTouch(files: FileRow[]): (FileRow & { last: Touch })[] {
    const touched = files.flatMap((file) => {
      const last = this.sql.lastTouch.get(this.match(`~${file.row}`)) as { row: number } | undefined
      return last ? [{ file, last: last.row }] : []
    })
    const touches = this.touchesAt(touched.map(({ last }) => last))
    return touched.map(({ file, last }) => ({ ...file, last: touches.get(last)! }))
  }

  async histories(paths: string[], perFile: number) {
    return this.filesAt(paths).flatMap((file) => {
      const own = this.rowsOf(this.sql.holders, `~${file.row}`)
      return own.length > 0 ? [this.history(file, own, perFile)] : []
    })
  }

  private history(file: FileRow, own: number[], perFile: number): FileHistory {
    const firstOwn = this.touchesAt([own[0]!]).get(own[0]!)!
    const others = this.withLastTouch(this.sql.sameTail.all(this.scope, file.tail, file.path) as FileRow[])
    const ended = others.filter(({ last }) => last.at <= firstOwn.at)
    const before = ended.flatMap(({ row }) => this.rowsOf(this.sql.holders, `~${row}`)).sort((a, b) => a - b)
    const rows = [...own.reverse(), ...before.reverse()]
    const touches = this.touchesAt([...rows.slice(0, perFile), rows.at(-1)!])
    const recent = rows.slice(0, perFile).map((row) => touches.get(row)!)
    return { path: file.path, touches: rows.length, recent, first: touches.get(rows.at(-1)!)! }
  }

  private filesAt(paths: string[]): FileRow[] {
    return ordered(paths, this.sql.files.all(this.scope, JSON.stringify(paths)) as FileRow[], ({ path }) => path)
  }

  private touchesAt(rows: number[]): Map<number, Touch> {
    const found = this.sql.ids.all(JSON.stringify(rows)) as { row: number; id: string; at: number }[]
    return new Map(found.map(({ row, id, at }) => [row, { id, at }]))
  }
}

/** The order of rows: the reverse of "the newest first, then by id". */
function oldestFirst(a: Touch, b: Touch): number {
  return a.at - b.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}

/** An entry as it is written: title and body are terms with a space before each. */
interface Stored extends Touch {
  group: string | null
  files: string[]
  title: string
  body: string
}

function storedEntry({ id, at, group, files, ...text }: IndexEntry): Stored {
  const { title, body } = fieldText(text)
  return { id, at, group: group ?? null, files, title, body }
}

function storedRow({ id, at, grp, files, title, body }: EntryRow): Stored {
  return { id, at, group: grp, files: files === '' ? [] : files.split('\n'), title, body }
}

function candidate(row: EntryRow): Candidate {
  const { id, at, group, files, title, body } = storedRow(row)
  return { id, at, files, title: unspaced(title), body: unspaced(body), ...(group !== null && { group }) }
}

const spaced = (terms: string[]) => (terms.length > 0 ? ` ${terms.join(' ')}` : '')
const unspaced = (text: string) => (text === '' ? [] : text.slice(1).split(' '))

/** What was found, in the order it was asked for. */
function ordered<K, T>(keys: K[], found: T[], keyOf: (item: T) => K): T[] {
  const byKey = new Map(found.map((item) => [keyOf(item), item]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

function nthLargest(values: number[], n: number): number {
  return values.length > n ? values.sort((a, b) => b - a)[n - 1]! : 0
}
