/** The memory index in SQLite, one scope (a project) per instance. FTS5's row lists are summed here, see `sqlite-schema.ts`. */
import type { Candidate, FileHistory, FileStats, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import { baseName, fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/memory/index-terms.ts'
import type { SqliteDatabase, SqliteStatement } from '../sql/sqlite-driver.ts'
import { STATEMENTS } from './sqlite-schema.ts'

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
  touches: number
  first_at: number
  last_at: number
}

export class SqliteMemoryIndex implements MemoryIndex {
  private readonly db: SqliteDatabase
  private readonly sql: Statements
  private readonly scope: number

  /** The tables of `MEMORY_INDEX_SQL` must exist. */
  constructor(db: SqliteDatabase, scope: string) {
    this.db = db
    this.sql = Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)])) as Statements
    this.scope = (this.sql.scope.get(scope) as { row: number }).row
  }

  /** All or none; an id already there is left as it is. */
  add(entries: IndexEntry[]): void {
    this.atomically(() => {
      const added = entries.filter((entry) => this.addText(entry))
      this.addTouches(added)
      this.sql.grow.run(added.length, this.scope)
    })
  }

  private addText({ id, at, group, files, ...text }: IndexEntry): boolean {
    const fields = fieldTerms(text)
    const columns = [files.join('\n'), fields.title.join(' '), fields.body.join(' ')]
    const inserted = this.sql.insert.get(this.scope, id, at, group ?? null, ...columns) as { row: number } | undefined
    if (inserted) this.sql.insertTerms.run(inserted.row, this.tokens(indexTerms(fields, files)))
    return inserted !== undefined
  }

  private addTouches(entries: IndexEntry[]): void {
    const touches = entries.flatMap(({ id, at, files }) => [...new Set(files)].map((path) => ({ path, id, at })))
    const touched = new Map<string, { path: string; count: number; first: number; last: number }>()
    for (const { path, at } of touches) {
      const { count, first, last } = touched.get(path) ?? { count: 0, first: at, last: at }
      touched.set(path, { path, count: count + 1, first: Math.min(first, at), last: Math.max(last, at) })
    }
    const rows = new Map(this.filesAt([...touched.keys()]).map(({ path, row }) => [path, row]))
    const known = [...touched.values()].filter(({ path }) => rows.has(path))
    this.sql.touchFiles.run(JSON.stringify(known.map(({ path, count, first, last }) => [rows.get(path), count, first, last])))
    for (const { path, count, first, last } of touched.values()) {
      if (rows.has(path)) continue
      const { row } = this.sql.insertFile.get(this.scope, path, tail(path), count, first, last) as { row: number }
      this.sql.insertPath.run(row, this.tokens([...pathTerms(path), baseName(path).toLowerCase()]))
      rows.set(path, row)
    }
    this.sql.insertTouches.run(JSON.stringify(touches.map(({ path, id, at }) => [rows.get(path), at, id])))
  }

  remove(ids: string[]): void {
    this.atomically(() => {
      const removed = ids.filter((id) => this.removeOne(id)).length
      this.sql.grow.run(-removed, this.scope)
    })
  }

  private removeOne(id: string): boolean {
    const entry = this.sql.find.get(this.scope, id) as Pick<EntryRow, 'row' | 'at' | 'files'> | undefined
    if (!entry) return false
    this.sql.removeTerms.run(entry.row)
    this.sql.removeEntry.run(entry.row)
    for (const file of this.filesAt(list(entry.files))) {
      this.sql.removeTouch.run(file.row, entry.at, id)
      const { touches } = this.sql.recount.get(file.row) as { touches: number }
      if (touches > 0) continue
      this.sql.removePath.run(file.row)
      this.sql.removeFile.run(file.row)
    }
    return true
  }

  /** A savepoint nests in whatever transaction the caller holds. */
  private atomically(work: () => void): void {
    this.db.exec('SAVEPOINT memory_index')
    try {
      work()
      this.db.exec('RELEASE memory_index')
    } catch (error) {
      this.db.exec('ROLLBACK TO memory_index; RELEASE memory_index')
      throw error
    }
  }

  private tokens(terms: Iterable<string>): string {
    let tokens = ''
    for (const term of terms) tokens += `${this.scope}~${term} `
    return tokens
  }

  async size() {
    return (this.sql.size.get(this.scope) as { entries: number }).entries
  }

  async frequencies(terms: string[]) {
    const known = new Map<string, number>()
    for (const term of terms) {
      const found = this.sql.frequency.get(`${this.scope}~${term}`) as { doc: number } | undefined
      if (found) known.set(term, found.doc)
    }
    return known
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    const rows = this.heaviest(this.sql.holders, this.sql.ages, terms, limit)
    const entries = new Map((this.sql.byRows.all(JSON.stringify(rows)) as EntryRow[]).map((entry) => [entry.row, candidate(entry)]))
    return rows.map((row) => entries.get(row)!)
  }

  async byIds(ids: string[]) {
    const entries = new Map((this.sql.byIds.all(this.scope, JSON.stringify(ids)) as EntryRow[]).map((row) => [row.id, candidate(row)]))
    return ids.flatMap((id) => entries.get(id) ?? [])
  }

  async recent(limit: number) {
    return (this.sql.recent.all(this.scope, limit) as EntryRow[]).map(candidate)
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    const rows = this.heaviest(this.sql.pathHolders, this.sql.fileAges, terms, limit)
    const paths = new Map((this.sql.fileAges.all(JSON.stringify(rows)) as { row: number; key: string }[]).map(({ row, key }) => [row, key]))
    return rows.map((row) => paths.get(row)!)
  }

  /** Rows by the sum of the weights of their terms; only rows that could make the list have their age and key looked up. */
  private heaviest(holders: SqliteStatement, ages: SqliteStatement, terms: WeightedTerm[], limit: number): number[] {
    const sums = new Map<number, number>()
    for (const { term, weight } of terms) {
      const { rows } = holders.get(`"${this.scope}~${term}"`) as { rows: string | null }
      for (const row of rows?.split(',') ?? []) sums.set(Number(row), (sums.get(Number(row)) ?? 0) + weight)
    }
    const least = nthLargest([...sums.values()], limit)
    const possible = [...sums.keys()].filter((row) => sums.get(row)! >= least)
    const aged = ages.all(JSON.stringify(possible)) as { row: number; at: number; key: string }[]
    aged.sort((a, b) => sums.get(b.row)! - sums.get(a.row)! || b.at - a.at || (a.key < b.key ? -1 : 1))
    return aged.slice(0, limit).map(({ row }) => row)
  }

  async fileStats(paths: string[]) {
    return this.filesAt(paths).map(({ path, touches, last_at }): FileStats => ({ path, touches, lastAt: last_at }))
  }

  async histories(paths: string[], perFile: number) {
    return this.filesAt(paths).map((file): FileHistory => {
      const earlier = this.sql.earlierPaths.all(this.scope, file.tail, file.path, file.first_at) as FileRow[]
      const recent = this.sql.touches.all(file.row, perFile) as Touch[]
      const before = earlier.length && recent.length < perFile ? this.earlierTouches(earlier, perFile - recent.length) : []
      const oldest = earlier.length ? earlier : [file]
      return {
        path: file.path,
        touches: earlier.reduce((sum, { touches }) => sum + touches, file.touches),
        recent: [...recent, ...before].map(({ id, at }) => ({ id, at })),
        first: { ...(this.sql.firstTouch.get(JSON.stringify(oldest.map(({ row }) => row))) as Touch) },
      }
    })
  }

  private earlierTouches(files: FileRow[], limit: number): Touch[] {
    return this.sql.earlierTouches.all(JSON.stringify(files.map(({ row }) => row)), limit) as Touch[]
  }

  private filesAt(paths: string[]): FileRow[] {
    const files = new Map((this.sql.files.all(this.scope, JSON.stringify(paths)) as FileRow[]).map((file) => [file.path, file]))
    return paths.flatMap((path) => files.get(path) ?? [])
  }
}

function candidate({ id, at, grp, files, title, body }: EntryRow): Candidate {
  return { id, at, files: list(files), title: words(title), body: words(body), ...(grp !== null && { group: grp }) }
}

const list = (text: string) => (text === '' ? [] : text.split('\n'))
const words = (text: string) => (text === '' ? [] : text.split(' '))

function nthLargest(values: number[], n: number): number {
  if (values.length <= n) return 0
  return values.sort((a, b) => b - a)[n - 1] ?? 0
}
