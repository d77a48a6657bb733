/** Files of one scope and who touched them, read from the row lists of FTS5; see `schema.ts`. */
import type { FileHistory, Touch } from '#core/ports/search-index.ts'
import type { SqliteStatement } from '../sqlite/driver.ts'
import { ordered } from './rows.ts'
import { matching, remember, type Statements } from './schema.ts'

interface FileRow {
  row: number
  path: string
  tail: string
}

interface TouchedFile extends FileRow {
  touches: number
  lastAt: number
}

interface TouchCount {
  count: number
  /** The newest row. */
  last: number
}

/** What is read again with nearly every question holds until the next write. */
export class SqliteFiles {
  private readonly counts = new Map<number, TouchCount>()
  private readonly newest = new Map<number, { asked: number; rows: number[] }>()
  /** A row is written once and never taken again, so this holds for good. */
  private readonly touches = new Map<number, Touch>()

  constructor(
    private readonly sql: Statements,
    private readonly scope: number,
  ) {}

  forget(): void {
    this.counts.clear()
    this.newest.clear()
  }

  lastTouchedFirst(rows: number[]): string[] {
    const files = this.touched(this.sql.paths.all(JSON.stringify(rows)) as FileRow[])
    return files.sort((a, b) => b.lastAt - a.lastAt || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
  }

  /** Leaves out files that are not touched any more; they keep their rows. */
  touched(files: FileRow[]): TouchedFile[] {
    const counts = this.touchCounts(files.map(({ row }) => row))
    const found = files.flatMap((file) => {
      const { count, last } = counts.get(file.row)!
      return count > 0 ? [{ ...file, touches: count, last }] : []
    })
    const times = this.touchesAt(found.map(({ last }) => last))
    return found.flatMap(({ last, ...file }) => {
      const touch = times.get(last)
      // Another process may take a row away between two statements.
      return touch ? [{ ...file, lastAt: touch.at }] : []
    })
  }

  private touchCounts(files: number[]): ReadonlyMap<number, TouchCount> {
    const known = files.flatMap((file) => {
      const count = this.counts.get(file)
      return count ? [[file, count] as const] : []
    })
    const found = new Map(known)
    for (const [file, numbers] of this.ofEach(
      this.sql.touchCounts,
      files.filter((file) => !found.has(file)),
    )) {
      const [count = 0, last = 0] = numbers
      found.set(file, { count, last })
      remember(this.counts, file, { count, last })
    }
    return found
  }

  /** The rows that last touched each file, the newest first. */
  private newestRows(files: number[], limit: number): ReadonlyMap<number, number[]> {
    const known = files.flatMap((file) => {
      const newest = this.newest.get(file)
      const isEnough = newest && (newest.asked >= limit || newest.rows.length < newest.asked)
      return isEnough ? [[file, newest.rows.slice(0, limit)] as const] : []
    })
    const found = new Map(known)
    for (const [file, rows] of this.ofEach(
      this.sql.newestRows,
      files.filter((file) => !found.has(file)),
      limit,
    )) {
      rows.sort((a, b) => b - a)
      found.set(file, rows)
      remember(this.newest, file, { asked: limit, rows })
    }
    return found
  }

  /** What a statement says of each file, in numbers. */
  private ofEach(statement: SqliteStatement, files: number[], ...more: number[]): [number, number[]][] {
    if (files.length === 0) return []
    const { list } = statement.get(`${this.scope}~~`, ...more, JSON.stringify(files)) as { list: string }
    return list.split(',').map((numbers) => {
      const [file, ...rest] = numbers.split(' ').map(Number)
      return [file!, rest]
    })
  }

  private oldestRow(file: number): number {
    return (this.sql.oldestRow.get(matching(this.scope, `~${file}`)) as { row: number }).row
  }

  histories(paths: string[], perFile: number): FileHistory[] {
    const files = this.touched(this.at(paths))
    const newest = this.newestRows(
      files.map(({ row }) => row),
      perFile,
    )
    const trails = files.map((file) => this.trail(file, newest.get(file.row)!, perFile))
    const touches = this.touchesAt(trails.flatMap(({ recent, first }) => [...recent, first]))
    return trails.map(({ recent, first, ...file }) => {
      return { ...file, recent: recent.map((row) => touches.get(row)!), first: touches.get(first)! }
    })
  }

  /** A history in rows. */
  private trail(file: TouchedFile, own: number[], perFile: number) {
    const oldest = own.length < perFile ? own.at(-1)! : this.oldestRow(file.row)
    const namesakes = this.touched(this.sql.sameTail.all(this.scope, file.tail, file.path) as FileRow[])
    const since = namesakes.length > 0 ? this.touchesAt([oldest]).get(oldest)!.at : 0
    const earlier = namesakes.filter(({ lastAt }) => lastAt <= since)
    const moved = own.length < perFile ? earlier.map(({ row }) => row) : []
    const before = [...this.newestRows(moved, perFile).values()].flat().sort((a, b) => b - a)
    return {
      path: file.path,
      touches: [file, ...earlier].reduce((sum, { touches }) => sum + touches, 0),
      recent: [...own, ...before].slice(0, perFile),
      first: earlier.reduce(
        (first, { row }) => Math.min(first, this.oldestRow(row)),
        earlier.length > 0 ? Number.POSITIVE_INFINITY : oldest,
      ),
    }
  }

  at(paths: string[]): FileRow[] {
    return ordered(paths, this.sql.files.all(this.scope, JSON.stringify(paths)) as FileRow[], ({ path }) => path)
  }

  private touchesAt(rows: number[]): ReadonlyMap<number, Touch> {
    const found = new Map<number, Touch>()
    const unknown = rows.filter((row) => {
      const touch = this.touches.get(row)
      if (touch) found.set(row, touch)
      return !touch
    })
    if (unknown.length === 0) return found
    const { list } = this.sql.touchesAt.get(JSON.stringify(unknown)) as { list: string }
    for (const [row, id, at] of JSON.parse(list) as [number, string, number][]) {
      found.set(row, { id, at })
      remember(this.touches, row, { id, at })
    }
    return found
  }
}
