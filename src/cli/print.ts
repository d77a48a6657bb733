import { environment } from '#config/load.ts'

/** Plain, aligned text for terminals. */

/** Writes one block of text to stdout, folded to the width of the terminal. */
export function print(text: string): void {
  printAsIs(fold(text, widthOf(process.stdout)))
}

/** Writes to stdout what a program reads, or what must keep its lines. */
export function printAsIs(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes a note for the person to stderr, so that stdout stays usable in a pipe. */
export function note(text: string): void {
  process.stderr.write(`${fold(text, widthOf(process.stderr))}\n`)
}

export function printJson(value: unknown): void {
  printAsIs(JSON.stringify(value, null, 2))
}

const NARROWEST = 40

/** The columns of a terminal, or what COLUMNS says where there is none; undefined where lines may be of any length. */
function widthOf({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | undefined {
  const said = isTTY ? columns : Number(environment().COLUMNS)
  return said && said > 0 ? Math.max(NARROWEST, said) : undefined
}

/** Breaks lines that are longer between words, and indents what follows like the beginning. */
export function fold(text: string, width: number | undefined): string {
  if (width === undefined) return text
  return text
    .split('\n')
    .map((line) => (textWidth(line) > width && !TO_BE_COPIED.test(line) ? foldLine(line, width) : line))
    .join('\n')
}

/** A line to copy: long ones are left for the terminal to wrap, without line breaks of ours. */
const TO_BE_COPIED = /^\s+(?:grove|git|npm|npx|claude) /

function foldLine(line: string, width: number): string {
  const [before] = /^\s*(?:[-•→] )?/.exec(line)!
  return before + hanging(line.slice(before.length), before.length, width)
}

/** Text that follows a label: its further lines are indented to where it began. */
function hanging(text: string, indent: number, width: number): string {
  const [first = '', ...words] = text.split(/(?<=\S)(?= )/)
  const lines = [first]
  for (const word of words) {
    const longer = lines.at(-1)! + word
    if (indent + textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word.trimStart())
  }
  return lines.join(`\n${' '.repeat(indent)}`)
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
  /** Is never cut: what it shows is typed elsewhere. */
  whole?: boolean
  /** Left out where the line is too short for all; the highest goes first. */
  droppable?: number
}

const GAP = '  '
/** What a column that stretches needs at least. */
const LEAST = 16
/** What it gets before the others have more than they need. */
const ENOUGH = 32
/** As far as the others are cut. */
const SHORTEST = 12
const WIDTH_WITHOUT_TERMINAL = 140

/** Rows under a head, cut to the width of the terminal. */
export function table<Row>(rows: Row[], columns: Column<Row>[], paint: Paint, width = terminalWidth()): string {
  const shown = fitting(rows, columns, width)
  if (shown.length < columns.length) return table(rows, shown, paint, width)
  const cells = rows.map((row) => columns.map((column) => clean(column.cell(row))))
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...cells.map((line) => textWidth(line[i]!))))
  const stretched = columns.findIndex(({ stretch }) => stretch)
  const needed = Math.min(widths[stretched] ?? 0, ENOUGH)
  const fixed = () => widths.reduce((sum, w, i) => sum + (i === stretched ? 0 : w) + GAP.length, -GAP.length)
  for (let most = Math.max(...widths); fixed() + needed > width && most >= SHORTEST; most--)
    for (const [i, { align, whole }] of columns.entries())
      if (i !== stretched && align !== 'right' && !whole) widths[i] = Math.min(widths[i]!, most)
  if (stretched >= 0) widths[stretched] = Math.min(widths[stretched]!, Math.max(LEAST, width - fixed()))
  const layout = (line: string[]) =>
    line
      .map((text, i) => pad(cut(text, widths[i]!), widths[i]!, columns[i]!.align))
      .join(GAP)
      .trimEnd()
  return [paint.dim(layout(columns.map(({ head }) => head))), ...cells.map(layout)].join('\n')
}

/** Drops one column at a time until the line fits. */
function fitting<Row>(rows: Row[], columns: Column<Row>[], width: number): Column<Row>[] {
  const needs = ({ head, cell, stretch }: Column<Row>, stretched: number) =>
    Math.max(head.length, ...rows.map((row) => Math.min(textWidth(clean(cell(row))), stretch ? stretched : width)))
  const needed = (stretched: number) =>
    columns.reduce((sum, column) => sum + needs(column, stretched) + GAP.length, -GAP.length)
  if (needed(width) <= width) return columns
  // An empty column takes no room from those that are cut.
  const empty = columns.findLastIndex(({ cell }) => rows.every((row) => cell(row) === ''))
  if (empty > 0) return columns.toSpliced(empty, 1)
  const least = Math.max(0, ...columns.map(({ droppable = 0 }) => droppable))
  if (needed(LEAST) <= width || least === 0) return columns
  const dropped = columns.findLastIndex(({ droppable }) => droppable === least)
  return columns.toSpliced(dropped, 1)
}

/** Names and values in two columns, the second folded to the width of the terminal. */
export function pairs(entries: [string, string][], indent = '', width = widthOf(process.stdout)): string {
  const names = Math.max(0, ...entries.map(([name]) => textWidth(name)))
  const before = indent.length + names + GAP.length
  const folded = (value: string) => {
    const [inner] = /^ */.exec(value)!
    return width === undefined ? value : inner + hanging(value.trimStart(), before + inner.length, width)
  }
  return entries.map(([name, value]) => `${indent}${pad(name, names)}${GAP}${folded(value)}`.trimEnd()).join('\n')
}

function terminalWidth(): number {
  return widthOf(process.stdout) ?? WIDTH_WITHOUT_TERMINAL
}

/** Removes control characters: texts of agents and users must not steer the terminal. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
  return text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** The same line by line: tabs and the ends of lines stay. */
export function cleanLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(clean).join('\t'))
    .join('\n')
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\x1b\[[\d;]*m/g

function textWidth(text: string): number {
  let width = 0
  for (const { segment } of letters.segment(text.replace(COLOUR, ''))) width += WIDE.test(segment) ? 2 : 1
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

/** `1 line`, `1,234 lines`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** How long ago, in the largest unit that fits. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}
