/** What an action is about: its words, the names it coins or uses, and the file it concerns. */
import type { Invocation } from '#core/action/invocations.ts'
import type { Deed } from '#core/goal/limits/forbids.ts'
import { onFirstUse } from '#core/on-first-use.ts'
import { pathWords } from '#core/text/paths.ts'
import { identifierParts, identifiers, stem } from '#core/text/words.ts'
import lexicon from './lexicon.min.json' with { type: 'json' }

export interface DriftAction {
  kind: 'read' | 'edit' | 'write' | 'search' | 'cmd'
  path?: string
  cmd?: string
  /** What the command runs. */
  ran?: readonly Invocation[]
  query?: string
  diff?: string
  /** It takes something away that was there before. */
  destroys?: true
  /** The file was not there before. */
  creates?: true
}

export function deedOf({ destroys, creates }: DriftAction): Deed {
  return destroys ? 'removes' : creates ? 'creates' : 'edits'
}

export interface Gist {
  kind: DriftAction['kind']
  path: string
  role: 'source' | 'test' | 'docs' | 'config'
  /** The file's name without extension and without the marks of a test: `auth_test.go` → auth. */
  stem: string
  /** Word stems of the file name, of its folders, and of the diff, query or command. */
  base: string[]
  folder: string[]
  text: string[]
  /** Identifiers as a whole, in lower case, humps and underscores removed. */
  ids: string[]
}

const MOST_WORDS = 64
const MOST_NAMES = 40
const LONGEST_DIFF = 400

/** How telling a word is: 0 for a word in every file, 1 for one that general code does not use. */
export function weight(word: string): number {
  const rank = commonness.get(word) ?? (isSorted ? lexicon.length : lookUp(word))
  return rank / lexicon.length
}

const commonness = new Map<string, number>()
/** A process that asks for few words looks them up as they are asked for; to sort all of them would take longer. */
const FEW = 100
const lines = onFirstUse(() => lexicon.map((line) => ` ${line} `))
let isSorted = false

function lookUp(word: string): number {
  if (commonness.size >= FEW) sort()
  const line = lines().findIndex((words) => words.includes(` ${word} `))
  const rank = line < 0 ? lexicon.length : line
  commonness.set(word, rank)
  return rank
}

function sort() {
  lexicon.forEach((line, rank) => {
    for (const word of line.split(' ')) commonness.set(word, rank)
  })
  isSorted = true
}

export function stems(text: string): string[] {
  const found = new Set<string>()
  for (const identifier of identifiers(text)) {
    for (const part of identifierParts(identifier)) {
      if (part.length > 1 && part.length < 30 && !/^\d/.test(part)) found.add(stem(part))
    }
  }
  return [...found]
}

/** Coined names: several parts, or one part that general code does not use. */
export function names(text: string): string[] {
  const found = new Set<string>()
  for (const identifier of identifiers(text)) {
    if (identifier.length < 4 || identifier.length > 60 || /^\d/.test(identifier)) continue
    const parts = identifierParts(identifier).filter((part) => part.length > 1)
    if (parts.length > 1 || (parts[0] && weight(stem(parts[0])) > 0.6)) found.add(parts.join(''))
  }
  return [...found]
}

// Words of the tools themselves: they say how the agent works, not on what.
const TOOLS = new Set(
  (
    'git npm npx yarn pnpm node cargo go python pytest pip uv tox make mise rg grep find ls cat head tail sed awk wc echo ' +
    'cd pwd mkdir rm cp mv run test build lint fmt format check install vet status diff log add commit show stash push ' +
    'pull checkout branch nextest vitest jest tsc eslint prettier biome mypy ruff black golangci race count verbose all ' +
    'workspace features bash sh sort uniq xargs true false exit code dev null tmp'
  )
    .split(' ')
    .map(stem),
)

/** By action: each check of one asks for it. */
const known = new WeakMap<DriftAction, { gist: Gist | undefined }>()

/** Nothing for a command that belongs to any task (`git status`, `npm test`): it says nothing about drift. */
export function gistOf(action: Readonly<DriftAction>): Gist | undefined {
  const found = known.get(action) ?? { gist: readGist(action) }
  known.set(action, found)
  return found.gist
}

function readGist(action: DriftAction): Gist | undefined {
  const query = action.query ?? ''
  const command = action.kind === 'cmd' ? (action.cmd ?? '') : ''
  const path = tidy(action.path || pathIn(command) || (query.includes('/') ? query : ''))
  const said = `${startOf(action.diff ?? '')}\n${query.slice(0, LONGEST_DIFF)}\n${command.slice(0, LONGEST_DIFF)}`
  const text = stems(said).filter((word) => action.kind !== 'cmd' || !TOOLS.has(word))
  if (action.kind === 'cmd' && !path && !text.some((word) => weight(word) > 0.3)) return undefined

  const { dirs, file } = splitPath(path)
  const bare = bareName(file.replace(/\.\w+$/, ''), dirs)
  return {
    kind: action.kind,
    path,
    role: roleOf(path, file),
    stem: identifierParts(bare).join(''),
    base: stems(bare),
    folder: stems(dirs.join('/')),
    text: text.slice(0, MOST_WORDS),
    ids: names(said).slice(0, MOST_NAMES),
  }
}

export function splitPath(path: string): { dirs: string[]; file: string } {
  const parts = path.split('/')
  const last = parts.at(-1) ?? ''
  const isFile = /\.\w+$|^[A-Z]\w+file$/.test(last)
  return { dirs: (isFile ? parts.slice(0, -1) : parts).filter(Boolean), file: isFile ? last : '' }
}

/** The first path inside the repository that a command names. */
function pathIn(command: string): string {
  return pathWords(command).find((path) => !path.startsWith('/') && tidy(path)) ?? ''
}

function tidy(path: string): string {
  const parts = path.replace(/\*+/g, '').split('/')
  return parts.filter((part) => part && !/^\.+$/.test(part)).join('/')
}

const EVERYWHERE = new Set(['index', 'mod', 'lib', 'main', '__init__', 'init', 'doc', 'readme'])

/** `auth.test` and `test_auth` are about auth, and so is `auth/mod`. */
function bareName(name: string, dirs: string[]): string {
  const bare =
    name.replace(/^tests?[_-]+|[._-](tests?|specs?|test-d|bench|stories|d)$|(?<=[a-z])(Tests?|Spec)$/, '') || name
  return EVERYWHERE.has(bare.toLowerCase()) ? (dirs.at(-1) ?? bare) : bare
}

function roleOf(path: string, file: string): Gist['role'] {
  if (/(^|[/._-])(tests?|specs?|__tests__|testsuite|testdata|e2e)([/._-]|$)/i.test(path)) return 'test'
  if (/\.(mdx?|rst|txt|adoc)$/i.test(file) || /(^|\/)docs?\//i.test(path)) return 'docs'
  if (/\.(json|ya?ml|toml|lock|cfg|ini|sum|mod|config\.\w+)$/i.test(file)) return 'config'
  return 'source'
}

/**
 * The first few changed lines: enough to see what an edit is about, and the amount the model was trained on. A whole
 * rewritten file would otherwise share words with everything.
 */
function startOf(diff: string): string {
  if (diff.length <= LONGEST_DIFF) return diff
  const changed = diff.split('\n').filter((line) => /^[+-]\s*\S{2}/.test(line) && !/^(\+\+\+|---) /.test(line))
  return (changed.length ? changed.join('\n') : diff).slice(0, LONGEST_DIFF)
}
