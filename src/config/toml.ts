import { parse, TomlError } from 'smol-toml'
import { maskPassword } from './mask-password.ts'
import { nearest } from './nearest-name.ts'
import { readPlain } from './plain-file.ts'
import { describeFound, type Problem, type Source } from './problem.ts'
import { isTable, type Leaf } from './setting.ts'
import { Trouble } from './trouble.ts'

/** A value that was given, and where. */
export interface Given {
  value: unknown
  source: Source
}

export interface FileLayer {
  given: Map<string, Given>
  problems: Problem[]
}

/** Reads one configuration file. A file that is not there is an empty one. */
export function readTomlFile(file: string, leaves: Leaf[]): FileLayer {
  const text = readIfThere(file)
  if (typeof text !== 'string') return { given: new Map(), problems: text }
  try {
    return sort(parse(text), { file, lines: linesIn(text), leaves })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason] = error.message.split('\n')
    const what = `not valid TOML: ${reason?.replace(/^Invalid TOML document: /, '')}\n${maskPassword(error.codeblock).trimEnd()}`
    return { given: new Map(), problems: [{ source: { kind: 'file', file, line: error.line }, what }] }
  }
}

function readIfThere(file: string): string | Problem[] {
  try {
    return readPlain(file, { most: 1024 * 1024 }).toString('utf8')
  } catch (error) {
    if (error instanceof Trouble) return [{ source: { kind: 'file', file }, what: error.message }]
    const { code } = error as NodeJS.ErrnoException
    // ENOTDIR: the home folder is a file, which the first write there will report better than we can here.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    return [{ source: { kind: 'file', file }, what: whyUnreadable(code) }]
  }
}

function whyUnreadable(code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM') {
    return `cannot be read: no permission (${code}); give yourself access, or set GROVE_HOME to a folder of your own`
  }
  return `cannot be read (${code})`
}

interface File {
  file: string
  /** Where a setting or a table is first written. */
  lines: Map<string, number>
  leaves: Leaf[]
}

/** A file may hold thousands of settings that are none, and names without end; all of them are not worth the time. */
const MOST_PROBLEMS = 20
const LONGEST_NAME = 200

/** Tells known settings from unknown ones. */
function sort(table: object, at: File, prefix = ''): FileLayer {
  const layer: FileLayer = { given: new Map(), problems: [] }
  const isNamed = (key: string) => at.leaves.some((leaf) => leaf.key === key || leaf.key.startsWith(`${key}.`))
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)
    if (layer.problems.length >= MOST_PROBLEMS && !isNamed(key)) continue
    const source = { kind: 'file', file: at.file, ...lineOf(at.lines, key) } as const
    if (at.leaves.some((leaf) => leaf.key === key)) {
      layer.given.set(key, { value, source })
      continue
    }
    const isSection = at.leaves.some((leaf) => leaf.key.startsWith(`${key}.`))
    if (!isSection) {
      layer.problems.push({ source, key, what: unknown(key, at.leaves) })
    } else if (isTable(value)) {
      const inner = sort(value, at, `${key}.`)
      for (const [innerKey, given] of inner.given) layer.given.set(innerKey, given)
      layer.problems.push(...inner.problems)
    } else {
      layer.problems.push({ source, key, what: `expected a table of settings, found ${describeFound(value)}` })
    }
  }
  return layer
}

function unknown(key: string, leaves: Leaf[]): string {
  const sections = leaves.flatMap((leaf) =>
    leaf.key
      .split('.')
      .slice(0, -1)
      .map((_, i, all) => all.slice(0, i + 1).join('.')),
  )
  const near = nearest(key, [...leaves.map((leaf) => leaf.key), ...new Set(sections)])
  if (near) return `unknown setting; did you mean ${near}?`
  const table = key.slice(0, key.lastIndexOf('.') + 1)
  const known = leaves.filter((leaf) => table !== '' && leaf.key.startsWith(table))
  const names = new Set(known.map((leaf) => leaf.key.slice(table.length).split('.')[0]))
  return names.size > 0 ? `unknown setting; [${table.slice(0, -1)}] has ${[...names].join(', ')}` : 'unknown setting'
}

/** The parser keeps no positions, so the line is looked for: its own, or that of the table it stands in. */
function lineOf(lines: Map<string, number>, key: string): { line: number } | object {
  for (let name = key; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const line = lines.get(name)
    if (line !== undefined) return { line }
  }
  return {}
}

/** May miss a key inside a multi-line text, but never names a wrong line. */
function linesIn(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  let table = ''
  for (const [index, raw] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(raw)?.[1]
    const assigned = header === undefined ? /^([\w."'\s-]+)=/.exec(raw)?.[1] : undefined
    if (header !== undefined) table = header.length > LONGEST_NAME ? '' : `${plain(header)}.`
    const written =
      header !== undefined ? table : assigned && assigned.length <= LONGEST_NAME && table + plain(assigned)
    const parts = written ? written.split('.').filter(Boolean) : []
    for (const [at] of parts.entries()) {
      const name = parts.slice(0, at + 1).join('.')
      if (!lines.has(name)) lines.set(name, index + 1)
    }
  }
  return lines
}

function plain(key: string): string {
  return key.replace(/["'\s]/g, '')
}
