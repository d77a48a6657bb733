/** Files of one scope and who touched them, read from the row lists of FTS5; see `sqlite-schema.ts`. */
import type { FileHistory, Touch } from '#core/memory/index-port.ts'
import { ordered } from './sqlite-rows.ts'
import { matching, remember, type Statements } from './sqlite-schema.ts'

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

/** What is read again with nearly every question holds until somebody writes. */
export class SqliteFiles {
  private readonly counts = new Map<number, TouchCount>()
  private readonly newest = new Map<number, { asked: number; rows: number[] }>()
  private readonly touches = new Map<number, Touch>()

  constructor(
    private readonly sql: Statements,
    private readonly scope: number,
  ) {}

  forget(): void {
    this.counts.clear()
    this.newest.clear()
    this.touches.clear()
  }

  /** Without files nobody touches any more; they keep their rows. */
  lastTouchedFirst(rows: number[]): string[] {
    const newest = new Map(rows.flatMap((row) => this.newestRows(row, 1).map((last) => [row, last])))
    const times = this.touchesAt([...newest.values()])
    const files = (this.sql.paths.all(JSON.stringify([...newest.keys()])) as FileRow[]).map(({ row, path }) => {
      return { path, lastAt: times.get(newest.get(row)!)!.at }
    })
    return files.sort((a, b) => b.lastAt - a.lastAt || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
  }

  /** Leaves out files nobody touches any more. */
  touched(files: FileRow[]): TouchedFile[] {
    const found = files.flatMap((file) => {
      const { count, last } = this.counts.get(file.row) ?? this.countTouches(file.row)
      return count > 0 ? [{ ...file, touches: count, last }] : []
    })
    const times = this.touchesAt(found.map(({ last }) => last))
    return found.flatMap(({ last, ...file }) => {
      const touch = times.get(last)
      // Another process may take a row away between two statements.
      return touch ? [{ ...file, lastAt: touch.at }] : []
    })
  }

  private countTouches(file: number): TouchCount {
    const counted = this.sql.touches.get(matching(this.scope, `~${file}`)) as TouchCount
    remember(this.counts, file, counted)
    return counted
  }

  private newestRows(file: number, limit: number): number[] {
    const known = this.newest.get(file)
    if (known && (known.asked >= limit || known.rows.length < known.asked)) return known.rows.slice(0, limit)
    const found = this.sql.newestRows.all(matching(this.scope, `~${file}`), limit) as { row: number }[]
    const rows = found.map(({ row }) => row)
    remember(this.newest, file, { asked: limit, rows })
    return rows
  }

  private oldestRow(file: number): number {
    return (this.sql.oldestRow.get(matching(this.scope, `~${file}`)) as { row: number }).row
  }

  histories(paths: string[], perFile: number): FileHistory[] {
    const trails = this.touched(this.at(paths)).map((file) => this.trail(file, perFile))
    const touches = this.touchesAt(trails.flatMap(({ recent, first }) => [...recent, first]))
    return trails.map(({ recent, first, ...file }) => {
      return { ...file, recent: recent.map((row) => touches.get(row)!), first: touches.get(first)! }
    })
  }

  /** A history in rows. */
  private trail(file: TouchedFile, perFile: number) {
    const own = this.newestRows(file.row, perFile)
    const oldest = own.length < perFile ? own.at(-1)! : this.oldestRow(file.row)
    const namesakes = this.touched(this.sql.sameTail.all(this.scope, file.tail, file.path) as FileRow[])
    const since = namesakes.length > 0 ? this.touchesAt([oldest]).get(oldest)!.at : 0
    const earlier = namesakes.filter(({ lastAt }) => lastAt <= since)
    const before =
      own.length < perFile ? earlier.flatMap(({ row }) => this.newestRows(row, perFile)).sort((a, b) => b - a) : []
    return {
      path: file.path,
      touches: [file, ...earlier].reduce((sum, { touches }) => sum + touches, 0),
      recent: [...own, ...before].slice(0, perFile),
      first: earlier.length > 0 ? Math.min(...earlier.map(({ row }) => this.oldestRow(row))) : oldest,
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
    const read = this.sql.ids.all(JSON.stringify(unknown)) as ({ row: number } & Touch)[]
    for (const { row, id, at } of read) {
      found.set(row, { id, at })
      remember(this.touches, row, { id, at })
    }
    return found
  }
}
