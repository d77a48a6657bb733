/** Plain, aligned text for terminals. */

/** Writes one block of text to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes a note for the person to stderr, so that stdout stays usable in a pipe. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export type Paint = Record<'bold' | 'dim' | 'green' | 'yellow' | 'red', (text: string) => string>

export function painter(colour: boolean): Paint {
  const style = (open: number, close: number) => (text: string) =>
    colour ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return { bold: style(1, 22), dim: style(2, 22), green: style(32, 39), yellow: style(33, 39), red: style(31, 39) }
}

interface Column<Row> {
  head: string
  cell: (row: Row) => string
  align?: 'right'
  /** Takes what is left of the line, and is cut to it. */
  stretch?: boolean
  /** Left out where the line is too short for all; the highest goes first. */
  droppable?: number
}

const GAP = '  '
/** What a column that stretches needs at least. */
const LEAST = 16
const WIDTH_WITHOUT_TERMINAL = 140

/** Rows under a head, cut to the width of the terminal. */
export function table<Row>(rows: Row[], columns: Column<Row>[], paint: Paint, width = terminalWidth()): string {
  const shown = fitting(rows, columns, width)
  if (shown.length < columns.length) return table(rows, shown, paint, width)
  const cells = rows.map((row) => columns.map((column) => clean(column.cell(row))))
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...cells.map((line) => textWidth(line[i]!))))
  const fixed = widths.reduce((sum, w, i) => sum + (columns[i]!.stretch ? 0 : w) + GAP.length, -GAP.length)
  for (const [i, { stretch }] of columns.entries()) {
    if (stretch) widths[i] = Math.min(widths[i]!, Math.max(LEAST, width - fixed))
  }
  const layout = (line: string[]) =>
    line
      .map((text, i) => pad(cut(text, widths[i]!), widths[i]!, columns[i]!.align))
      .join(GAP)
      .trimEnd()
  return [paint.dim(layout(columns.map(({ head }) => head))), ...cells.map(layout)].join('\n')
}

/** The columns that have room, one fewer than before at a time. */
function fitting<Row>(rows: Row[], columns: Column<Row>[], width: number): Column<Row>[] {
  const needs = ({ head, cell, stretch }: Column<Row>) =>
    Math.max(head.length, ...rows.map((row) => Math.min(textWidth(clean(cell(row))), stretch ? LEAST : width)))
  const needed = columns.reduce((sum, column) => sum + needs(column) + GAP.length, -GAP.length)
  const least = Math.max(0, ...columns.map(({ droppable = 0 }) => droppable))
  if (needed <= width || least === 0) return columns
  const dropped = columns.findLastIndex(({ droppable }) => droppable === least)
  return columns.toSpliced(dropped, 1)
}

/** Names and values in two columns. */
export function pairs(entries: [string, string][], indent = ''): string {
  const width = Math.max(0, ...entries.map(([name]) => textWidth(name)))
  return entries.map(([name, value]) => `${indent}${pad(name, width)}${GAP}${value}`.trimEnd()).join('\n')
}

function terminalWidth(): number {
  return process.stdout.isTTY ? Math.max(60, process.stdout.columns) : WIDTH_WITHOUT_TERMINAL
}

/** What agents and users wrote goes to a terminal, so nothing in it may steer the terminal. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
  return text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

function textWidth(text: string): number {
  let width = 0
  for (const { segment } of letters.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (textWidth(kept + segment) >= width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

function pad(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** `1234567` → `1.2 MB`. */
export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

/** `12345` → `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** How long ago, in the largest unit that fits. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}
