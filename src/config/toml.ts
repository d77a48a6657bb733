import { parse, TomlError } from 'smol-toml'
import { readPlain } from './plain-file.ts'
import { describeFound, maskPassword, nearest, type Problem, type Source } from './problem.ts'
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
    return sort(parse(text), { file, text, leaves })
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
  text: string
  leaves: Leaf[]
}

/** Tells known settings from unknown ones. */
function sort(table: object, at: File, prefix = ''): FileLayer {
  const layer: FileLayer = { given: new Map(), problems: [] }
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name
    const source = { kind: 'file', file: at.file, ...lineOf(at.text, key) } as const
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
function lineOf(text: string, key: string): { line: number } | object {
  for (let name = key; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const line = writtenOn(text, name)
    if (line !== undefined) return { line }
  }
  return {}
}

/** May miss a key inside a multi-line text, but never names a wrong line. */
function writtenOn(text: string, key: string): number | undefined {
  let table = ''
  for (const [index, raw] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(raw)
    if (header) {
      table = `${plain(header[1]!)}.`
      if (table.startsWith(`${key}.`)) return index + 1
      continue
    }
    const assignment = /^([\w."'\s-]+)=/.exec(raw)
    const written = assignment && table + plain(assignment[1]!)
    if (written === key || written?.startsWith(`${key}.`)) return index + 1
  }
  return undefined
}

function plain(key: string): string {
  return key.replace(/["'\s]/g, '')
}
