import { redact } from '../redact/redact.ts'
import type { ActionKind } from '../step.ts'
import type { ToolUse } from '../turn.ts'
import { isScratch, removedBy } from './removals.ts'

/** What a tool use does, in words that do not depend on the tool, and without secrets. */
export interface Action {
  kind: ActionKind
  /** Relative to the working directory where they lie in it, else absolute; always with forward slashes. */
  files: string[]
  /** The folders of those files, and folders named by themselves. */
  folders: string[]
  /** Files and folders that are taken away or moved, as a whole and scratch aside; `.` is the whole working directory. */
  removes?: string[]
  command?: string
  query?: string
  /** The first changed lines, marked `-` and `+`, or the first words of a longer text. */
  excerpt?: string
}

/** What one tool says about its use; paths are still as the agent wrote them. */
interface Told {
  kind: ActionKind
  files?: string[]
  folders?: string[]
  removes?: string[]
  command?: string
  query?: string
  excerpt?: string
}

type Input = Record<string, unknown>

/** The drift scorer learned from excerpts of this length. */
const EXCERPT_CHARS = 260
/** Longer than any secret that begins in the excerpt. */
const READ_CHARS = 5000

const tools: Record<string, (input: Input) => Told> = {
  Read: (input) => ({ kind: 'read', ...paths(input.file_path) }),
  NotebookRead: (input) => ({ kind: 'read', ...paths(input.notebook_path) }),
  Write: (input) => ({ kind: 'write', ...paths(input.file_path), excerpt: diff('', text(input.content)) }),
  Edit: (input) => ({ kind: 'edit', ...paths(input.file_path), excerpt: editsOf([input]) }),
  MultiEdit: (input) => ({ kind: 'edit', ...paths(input.file_path), excerpt: editsOf(list(input.edits)) }),
  NotebookEdit: (input) => ({ kind: 'edit', ...paths(input.notebook_path), excerpt: diff('', text(input.new_source)) }),
  Bash: (input) => shell(text(input.command)),
  PowerShell: (input) => ({ kind: 'bash', command: redact(text(input.command)) }),
  Monitor: (input) => shell(text(input.command)),
  Grep: (input) => ({
    kind: 'search',
    query: text(input.pattern),
    ...searched(input.path ?? literalFolder(text(input.glob))),
  }),
  Glob: (input) => ({
    kind: 'search',
    query: text(input.pattern),
    ...searched(input.path ?? literalFolder(text(input.pattern))),
  }),
  LS: (input) => ({ kind: 'search', folders: strings(input.path) }),
  WebFetch: (input) => ({ kind: 'web', query: text(input.url), excerpt: text(input.prompt) }),
  WebSearch: (input) => ({ kind: 'web', query: text(input.query) }),
  Agent: (input) => ({ kind: 'agent', query: text(input.description), excerpt: text(input.prompt) }),
  Task: (input) => ({ kind: 'agent', query: text(input.description), excerpt: text(input.prompt) }),
  TodoWrite: (input) => ({
    kind: 'other',
    excerpt: list(input.todos)
      .map((todo) => text(todo.content))
      .join('\n'),
  }),
  TaskCreate: (input) => ({ kind: 'other', query: text(input.subject), excerpt: text(input.description) }),
  TaskUpdate: (input) => ({ kind: 'other', query: text(input.subject), excerpt: text(input.description) }),
  Skill: (input) => ({ kind: 'other', query: text(input.skill), excerpt: text(input.args) }),
}

/** What the agent did or is about to do with a tool. Unknown tools are understood by the names of their inputs. */
export function actionOf({ name, input }: ToolUse, cwd?: string): Action {
  const told = Object.hasOwn(tools, name) ? tools[name]!(input) : guess(name, input)
  const files = unique((told.files ?? []).map((path) => redact(placed(path, cwd))))
  const folders = unique([...(told.folders ?? []).map((path) => redact(placed(path, cwd))), ...files.map(folderOf)])
  const removes = placesOf(told.removes ?? [], cwd)
  // Before it is cut: half a secret is not recognised any more.
  const excerpt = told.excerpt && redact(told.excerpt.slice(0, READ_CHARS)).slice(0, EXCERPT_CHARS)
  return {
    kind: told.kind,
    files: files.filter((path) => path !== ''),
    folders: folders.filter((path) => path !== ''),
    ...(removes.length > 0 && { removes }),
    ...(told.command && { command: told.command }),
    ...(told.query && { query: redact(told.query) }),
    ...(excerpt && { excerpt }),
  }
}

/** Paths as the project knows them, scratch aside. */
export function placesOf(paths: string[], cwd: string | undefined): string[] {
  return unique(paths.map((path) => redact(placed(path, cwd)) || '.')).filter((path) => !isScratch(path))
}

/** Its paths are looked for without its secrets: a password in it may look like a path. */
function shell(written: string): Told {
  const command = redact(written)
  return { kind: 'bash', command, ...commandPaths(command) }
}

function guess(name: string, input: Input): Told {
  const file = text(input.file_path ?? input.notebook_path ?? input.path ?? input.uri).replace(/^file:\/\//, '')
  return {
    kind: name.startsWith('mcp__') ? 'mcp' : 'other',
    ...(looksLikePath(file) && searched(file)),
    query: text(input.query ?? input.pattern ?? input.url ?? input.q),
    excerpt: text(input.prompt ?? input.text ?? input.content ?? input.description),
  }
}

function paths(path: unknown): { files: string[] } {
  return { files: strings(path) }
}

/** A search looks at one file or into a folder; a name with an extension is taken for a file. */
function searched(path: unknown): { files?: string[]; folders?: string[] } {
  const [where] = strings(path)
  if (where === undefined) return {}
  return isFileName(where) ? { files: [where] } : { folders: [where] }
}

/** The part of a glob before its first wildcard: `src/core/**\/*.ts` looks into `src/core`. */
function literalFolder(glob: string): string | undefined {
  const wildcard = glob.search(/[*?[{]/)
  return (wildcard < 0 ? glob : glob.slice(0, wildcard)).match(/^(.*)\//)?.[1] || undefined
}

function editsOf(edits: Input[]): string {
  return edits.map((edit) => diff(text(edit.old_string), text(edit.new_string))).join('\n')
}

/** The lines that went and came, without those that only moved. */
function diff(old: string, now: string): string {
  const before = trimmedLines(old)
  const after = trimmedLines(now)
  const kept = new Set(after.filter((line) => before.includes(line)))
  const changed = (lines: string[], mark: string) => lines.filter((line) => !kept.has(line)).map((line) => mark + line)
  return [...changed(before, '-'), ...changed(after, '+')].join('\n')
}

/** More lines than an excerpt can show are not looked at. */
function trimmedLines(code: string): string[] {
  const lines = code.slice(0, 20_000).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 200)
}

/** Commands whose first plain argument is a pattern or a program, not a path. */
const PATTERN_FIRST = new Set(['grep', 'rg', 'ag', 'egrep', 'sed', 'awk', 'perl', 'jq'])
/** Commands whose plain arguments are folders or files, whatever they look like. */
const TAKES_FOLDERS = new Set(['ls', 'cd', 'find', 'tree', 'mkdir', 'rmdir', 'rm', 'cp', 'mv', 'du', 'pushd'])
const BARE_FILES = new Set(['Makefile', 'Dockerfile', 'Gemfile', 'Rakefile', 'Procfile', 'Justfile', 'LICENSE'])

/** A light look at a shell command: enough to know where it works, not to guard it. */
function commandPaths(command: string): { files: string[]; folders: string[]; removes: string[] } {
  const found = { files: [] as string[], folders: [] as string[], removes: [] as string[] }
  let here = ''
  for (const simple of simpleCommands(command)) {
    const [program = '', ...rest] = simple
    const removed = removedBy(program, rest).map((place) => under(here, place))
    const named = placesIn(program, rest).map((place) => under(here, place))
    const places = [...named, ...removed.filter((place) => !/[*?[]/.test(place))]
    if (program === 'cd' || program === 'pushd') here = places[0] ?? here
    for (const place of places) (isFileName(place) ? found.files : found.folders).push(place)
    found.removes.push(...removed)
  }
  return found
}

/** The words of each command in a line of several; the bodies of here-documents are no commands. */
function simpleCommands(command: string): string[][] {
  const commands: string[][] = [[]]
  const code = command.slice(0, 4000).replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n[ \t]*\2\b|$)/g, '$3\n')
  for (const [token] of code.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[|;&\n]+|[^\s"'|;&]+/g)) {
    if (/^[|;&\n]/.test(token)) commands.push([])
    else commands.at(-1)!.push(bare(token))
  }
  return commands.map((words) => words.slice(words.findIndex((word) => !/^(\w+=|sudo$|time$|env$)/.test(word))))
}

/** Without its quotes, and without the brackets of a subshell that it begins or ends. */
function bare(token: string): string {
  const word = token.replace(/^(["'])(.*)\1$/s, '$2')
  if (word !== token) return word
  if (!word.includes(')')) return word.replace(/^\(+/, '')
  return word.includes('(') ? word : word.replace(/\)+$/, '')
}

function placesIn(program: string, rest: string[]): string[] {
  const args = program === 'git' ? rest.slice(rest.indexOf('--') + 1) : rest
  const plain = args.filter((arg) => !arg.startsWith('-') && !/^\d*[<>]/.test(arg))
  const skipped = PATTERN_FIRST.has(program) && !args.some((arg) => /^-\w*[ef]$/.test(arg)) ? plain[0] : undefined
  // `./pkg/...` is how some tools say: this folder and all below.
  const values = args.map((arg) => arg.replace(/^--?[\w-]+=|^\d*[<>]+&?|\/\.{3}$/g, ''))
  const candidates = looksLikePath(program) && isFileName(program) ? [program, ...values] : values
  return candidates.filter((arg) => {
    if (arg === skipped || arg.startsWith('-') || /\s/.test(arg)) return false
    if (TAKES_FOLDERS.has(program)) return /^[\w@.~/-]+$/.test(arg) && arg !== '.'
    return looksLikePath(arg) && !(program === 'git' && !isFileName(arg))
  })
}

function looksLikePath(word: string): boolean {
  if (!/^[\w@.~+/:\\[\]() -]+$/.test(word) || /^@|:\/\/|^\/dev\/|^\d+([./]\d+)*$|\.\.[^/.]|\.{3}/.test(word))
    return false
  return word.includes('/') || isFileName(word)
}

/** `a.ts`, `.env`, `src/Makefile`; not `v1.2`, not `..`. */
function isFileName(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1)!
  return (
    BARE_FILES.has(name) || /^\.?[\w@+()[\]-][\w@+.()[\] -]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[A-Za-z][\w.-]+$/.test(name)
  )
}

/** A path as the project knows it. The working directory itself is the empty path. */
function placed(path: string, cwd: string | undefined): string {
  if (cwd === undefined) return tidy(path)
  const root = tidy(cwd)
  const whole = tidy(isAbsolute(path) || path.startsWith('~') ? path : `${root}/${path}`)
  if (whole === root) return ''
  const prefix = root.endsWith('/') ? root : `${root}/`
  return whole.startsWith(prefix) ? whole.slice(prefix.length) : whole
}

function under(folder: string, path: string): string {
  return folder === '' || isAbsolute(path) || path.startsWith('~') ? path : `${folder}/${path}`
}

/** Forward slashes, no `.` and no `..` but leading ones. */
function tidy(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^([a-z]):\//, (_, drive: string) => `${drive.toUpperCase()}:/`)
  const parts: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !slashed.startsWith('/')) parts.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + parts.join('/')
}

function isAbsolute(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(path)
}

function folderOf(file: string): string {
  const slash = file.lastIndexOf('/')
  return slash > 0 ? file.slice(0, slash) : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function strings(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : []
}

function list(value: unknown): Input[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}
