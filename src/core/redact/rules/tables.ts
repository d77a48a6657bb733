import { MAY_NAME, MORE, nameOf, strengthOf, tellingPlaces, withPasswords } from '../names.ts'
import { isSecretValue } from '../values.ts'

/** Secrets in the column of a table whose head names them: Markdown, CSV, or columns that are set apart by tabs or spaces. */

const head = withPasswords(
  (passwords) => new RegExp(String.raw`^(?:[\w .-]{0,30}[ _.-])?${nameOf(passwords)}${MORE}s?$`, 'i'),
)
const LONGEST_LINE = 2000
/** What is drawn between the head and the rows, and below them: `----+-----`, `|---|:--:|`, `+----+`. */
const RULE = /^[-+|:=─┼├┤│ \t\r]{3,2000}$/

/** How the cells of a line are told apart. The first that finds two cells or more is the way of the whole table. */
const WAYS: RegExp[] = [/\|/, /\t/, /;/, /,/, / {2,}/]

interface Column {
  way: RegExp
  index: number
  width: number
  isStrong: boolean
}

export function tableSecrets(text: string, mask: string): string {
  if (!text.includes('\n')) return text
  const places = tellingPlaces(text)
  let columns: Column[] = []
  let result = ''
  let done = 0
  let next = 0
  for (let at = 0; at < text.length; ) {
    if (columns.length === 0) {
      // Outside of tables only lines matter that may name a column.
      while (next < places.length && places[next]! < at) next++
      if (next === places.length) break
      at = text.lastIndexOf('\n', places[next]!) + 1
    }
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (end - at <= LONGEST_LINE) {
      const line = text.slice(at, end)
      const found = columnsOf(line)
      const became = found.length > 0 ? line : inColumns(line, columns, mask)
      columns = found.length > 0 ? found : became === undefined ? [] : columns
      if (became !== undefined && became !== line) {
        result += text.slice(done, at) + became
        done = end
      }
    }
    at = end + 1
  }
  return result + text.slice(done)
}

/** The line with its cells of those columns masked; nothing where it has another shape, which ends a table. */
function inColumns(line: string, columns: readonly Column[], mask: string): string | undefined {
  if (columns.length === 0) return undefined
  if (RULE.test(line)) return line
  const cells = cellsOf(line, columns[0]!.way)
  if (cells.length !== columns[0]!.width) return undefined
  return columns.reduce((rest, column) => maskCell(rest, cells[column.index]!, column, mask), line)
}

function columnsOf(line: string): Column[] {
  const way = WAYS.find((each) => cellsOf(line, each).length > 1)
  if (!way) return []
  const cells = cellsOf(line, way)
  // The names of columns are short, and no values stand among them.
  if (!cells.every((cell) => /^[\p{L}\d _.()/*-]{0,30}$/u.test(bare(cell)))) return []
  return cells.flatMap((cell, index) => {
    const name = MAY_NAME.test(cell) ? head(cell).exec(bare(cell))?.[1] : undefined
    return name === undefined || /^(?:key|sig|signature|auth)$/i.test(bare(cell))
      ? []
      : [{ way, index, width: cells.length, isStrong: strengthOf(name) === 'strong' }]
  })
}

function cellsOf(line: string, way: RegExp): string[] {
  return line.trim().split(way)
}

function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^["'`*]+/, '')
    .replace(/(?<!["'`*])["'`*]+$/, '')
}

function maskCell(line: string, cell: string, { isStrong }: Column, mask: string): string {
  const value = bare(cell)
  if (!isSecretValue(value, isStrong ? 'strong' : 'weak', isStrong ? 'variable' : 'quoted')) return line
  const at = line.indexOf(cell) + cell.indexOf(value)
  return line.slice(0, at) + mask + line.slice(at + value.length)
}
