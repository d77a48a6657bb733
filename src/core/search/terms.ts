/**
 * Which terms an entry is found by, and which of a query's terms are worth looking up.
 * One term space for everything: stems of words, whole identifiers with their humps and underscores taken out
 * (`limit_connections` and `limitConnections` meet in `limitconnections`), and file names with their ending (`labels.go`).
 */

import { identifierParts, identifierPattern, identifiers, stem } from '../text/words.ts'
import { asciiTerms, MAX_WHOLE, MAX_WORD, STOP_WORDS } from './terms-ascii.ts'

/** A remembered piece of work as the index sees it: a memory, a file's reasoning or a learning. Times are in milliseconds. */
export interface IndexEntry {
  id: string
  at: number
  title: string
  body: string
  files: string[]
  /** Entries of the asking group (an agent session) are never offered back to it. */
  group?: string
}

export interface FieldTerms {
  title: string[]
  body: string[]
}

const FILE_NAME = /(?<![\w.-])[\w.-]*\w\.[a-z]\w{0,4}(?![\w/])/gi
const MAY_NAME_FILE = /\w\.[a-z]/i
const REFERENCE = /\(?#\d+\)?|https?:\/\/\S+/g
const MAX_FIELD_CHARS = 4000

/** All terms of a text in order, with repetitions. */
export function terms(text: string): string[] {
  return cut(termText(text))
}

/** The same, with a space before each: what stores write, and much quicker to build than a list. */
function termText(text: string): string {
  const ascii = asciiTerms(text) ?? asciiTerms(text.replace(FOREIGN_SIGNS, ' '))
  if (ascii !== undefined) return ascii
  let all = ''
  for (const identifier of identifiers(text)) all += known.get(identifier) ?? learn(identifier)
  return all
}

const cut = (spaced: string) => (spaced === '' ? [] : spaced.slice(1).split(' '))

/** Curly quotes, dashes, arrows, emoji: what is neither ASCII nor part of a word. */
const FOREIGN_SIGNS = /[^\p{L}\p{N}\0-\x7f]+/gu

/** Terms by identifier, for texts beyond ASCII: few make up most of any text, and cutting them is most of the work. */
const known = new Map<string, string>()
const MAX_KNOWN = 50_000

function learn(identifier: string): string {
  if (known.size >= MAX_KNOWN) known.clear()
  const parts = identifierParts(identifier)
  const all = [...parts.filter(isWord).map(stem), wholeTerm(parts)].filter((term) => term !== undefined)
  const spaced = compact(all.map((term) => ` ${term}`).join(''))
  known.set(compact(identifier), spaced)
  return spaced
}

/** A copy that neither holds on to the text it was cut from nor is as wide as that text's widest letter. */
function compact(text: string): string {
  return String.fromCharCode(...Array.from(text, (_, at) => text.charCodeAt(at)))
}

function wholeTerm(parts: string[]): string | undefined {
  if (parts.length < 2) return undefined
  const whole = parts.join('')
  return whole.length > 2 && whole.length <= MAX_WHOLE ? stem(whole) : undefined
}

/** Words of two letters count (`db`, `io`); numbers from three digits on (`404`); scripts without spaces have short words. */
function isWord(part: string): boolean {
  if (part.length > MAX_WORD || STOP_WORDS.has(part)) return false
  return part.length > 2 || (part.length === 2 && !/^\d/.test(part)) || part > '\u0fff'
}

/** File names written in a text, without their folders and in lower case: `pkg/labels.go:165` → labels.go. */
export function fileNames(text: string): string[] {
  if (!MAY_NAME_FILE.test(text)) return []
  return [...new Set((text.match(FILE_NAME) ?? []).map((name) => name.toLowerCase().replace(/^[.-]+/, '')))]
}

const knownPaths = new Map<string, string[]>()
const MAX_KNOWN_PATHS = 20_000

/** The words of a path and its file name; remembered, since a project's work comes back to the same few hundred paths. */
export function pathTerms(path: string): string[] {
  const remembered = knownPaths.get(path)
  if (remembered) return remembered
  if (knownPaths.size >= MAX_KNOWN_PATHS) knownPaths.clear()
  const found = [
    ...new Set([
      ...terms(path),
      baseName(path)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}._-]+/gu, '_'),
    ]),
  ]
  knownPaths.set(compact(path), found)
  return found
}

/** Name and last folder: what stays when a tree is moved, so a file keeps its history through most renames. */
export function tail(path: string): string {
  const name = path.lastIndexOf('/')
  return path.slice(path.lastIndexOf('/', name - 1) + 1)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function fieldTerms(entry: Pick<IndexEntry, 'title' | 'body'>): FieldTerms {
  const { title, body } = fieldText(entry)
  return { title: cut(title), body: cut(body) }
}

/** Title and body as their terms, each with a space before it. */
export function fieldText({ title, body }: Pick<IndexEntry, 'title' | 'body'>): { title: string; body: string } {
  return { title: spacedTerms(title), body: spacedTerms(body.startsWith(title) ? body.slice(title.length) : body) }
}

function spacedTerms(text: string): string {
  const clean = withoutReferences(text.length > MAX_FIELD_CHARS ? text.slice(0, MAX_FIELD_CHARS) : text)
  let all = termText(clean)
  for (const name of fileNames(clean)) all += ` ${name}`
  return all
}

/** Issue numbers and addresses name other places; they are not what the text is about. */
function withoutReferences(text: string): string {
  return text.includes('#') || text.includes('://') ? text.replace(REFERENCE, ' ') : text
}

/** What an entry is indexed under, with repetitions: its text, and the words and names of its files. */
export function indexTerms(fields: FieldTerms, files: string[]): string[] {
  return [...fields.title, ...fields.body, ...files.flatMap(pathTerms)]
}

export interface QueryTerm {
  term: string
  /** The term as the query first writes it, for people to read. */
  word: string
  /** How much the place and number of its mentions count, before rarity. */
  weight: number
  /** Stands in the first sentence or line. */
  head: boolean
  /** A whole identifier or file name, not a word. */
  exact: boolean
}

const HEAD = /^[\s#>*-]*(?![\s#>*-])([^\n]{12,}?(?:[.!?](?=\s)|\n|$))/
const MAX_QUERY_CHARS = 6000

export function queryTerms(text: string): QueryTerm[] {
  const clean = withoutReferences(text.slice(0, MAX_QUERY_CHARS))
  const headEnd = HEAD.exec(clean)?.[0].length ?? Math.min(clean.length, 200)
  const found = new Map<string, Omit<QueryTerm, 'weight'> & { count: number }>()
  const see = (term: string, word: string, at: number, exact: boolean) => {
    const known = found.get(term)
    if (known) found.set(term, { ...known, count: known.count + 1, exact: known.exact || exact })
    else found.set(term, { term, word, count: 1, head: at < headEnd, exact })
  }
  for (const { 0: identifier, index } of clean.matchAll(identifierPattern(clean))) {
    const parts = identifierParts(identifier)
    for (const part of parts) if (isWord(part)) see(stem(part), part, index, false)
    const whole = wholeTerm(parts)
    if (whole) see(whole, identifier, index, true)
  }
  for (const name of fileNames(clean)) see(name, name, clean.toLowerCase().indexOf(name), true)
  return [...found.values()].map(({ count, ...term }) => ({
    ...term,
    weight: (1 + Math.log(count)) * (term.head ? 1 : 0.6),
  }))
}

export interface TermLimits {
  /** At most so many terms are looked up. */
  terms: number
  /** Looking up stops when the entries behind the terms would exceed this; the rarest term always counts. */
  postings: number
}

/** The terms worth looking up, best first, with whole-number weights so that every store sums them alike. */
export function pruneTerms(query: QueryTerm[], frequencies: Map<string, number>, size: number, limits: TermLimits) {
  const weighed = query
    .flatMap(({ term, weight }) => {
      const holders = frequencies.get(term)
      return holders ? [{ term, holders, weight: Math.round(100 * weight * rarity(holders, size)) }] : []
    })
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
  const kept: { term: string; weight: number }[] = []
  let postings = 0
  for (const { term, weight, holders } of weighed) {
    if (kept.length >= limits.terms) break
    if (kept.length > 0 && postings + holders > limits.postings) continue
    postings += holders
    kept.push({ term, weight })
  }
  return kept
}

/** Inverse document frequency: the fewer hold a term, the more it tells; about 0 for one that all of them hold. */
export function rarity(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5))
}
