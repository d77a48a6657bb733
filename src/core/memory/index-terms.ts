/**
 * Which terms an entry is found by, and which of a query's terms are worth looking up.
 * One term space for everything: stems of words, whole identifiers with their humps and underscores taken out
 * (`limit_connections` and `limitConnections` meet in `limitconnections`), and file names with their ending (`labels.go`).
 */
import { identifierParts, identifiers, stem } from '../text/words.ts'

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

const FILE_NAME = /[\w.-]*\w\.[a-z]\w{0,4}(?![\w/])/gi
const REFERENCE = /\(?#\d+\)?|https?:\/\/\S+/g
const MAX_FIELD_TERMS = 400

/** All terms of a text in order, with repetitions. */
export function terms(text: string): string[] {
  const found: string[] = []
  for (const identifier of identifiers(text)) for (const term of termsOf(identifier)) found.push(term)
  return found
}

const known = new Map<string, string[]>()
const MAX_KNOWN = 50_000

/** Remembered, since few identifiers make up most of any text and cutting them is most of the work. */
function termsOf(identifier: string): string[] {
  const cut = known.get(identifier)
  if (cut) return cut
  if (known.size >= MAX_KNOWN) known.clear()
  const parts = identifierParts(identifier)
  const whole = wholeTerm(parts)
  const result = [...parts.filter(isWord).map(stem), ...(whole ? [whole] : [])]
  known.set(identifier, result)
  return result
}

function wholeTerm(parts: string[]): string | undefined {
  if (parts.length < 2) return undefined
  const whole = parts.join('')
  return whole.length > 2 && whole.length <= 60 ? stem(whole) : undefined
}

const STOP = new Set(
  (
    'the and for with that this from are was were not but you can has have had its also into when then than which what there ' +
    'will would should could does did just only some any all our your they them their more very been being about after before ' +
    'if in is it of on or to an as at be by do we so no up my me us he she who how why'
  ).split(' '),
)

/** Words of two letters count (`db`, `io`); numbers from three digits on (`404`); scripts without spaces have short words. */
function isWord(part: string): boolean {
  if (part.length > 40 || STOP.has(part)) return false
  return part.length > 2 || (part.length === 2 && !/^\d/.test(part)) || part > '\u0fff'
}

/** File names written in a text, without their folders and in lower case: `pkg/labels.go:165` → labels.go. */
export function fileNames(text: string): string[] {
  if (!text.includes('.')) return []
  return [...new Set((text.match(FILE_NAME) ?? []).map((name) => name.toLowerCase().replace(/^[.-]+/, '')))]
}

/** The words of a path; the same file or folder in another place shares them. */
export function pathTerms(path: string): string[] {
  return [...new Set(terms(path))]
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
  const title = entry.title.replace(REFERENCE, ' ')
  const rest = entry.body.startsWith(entry.title) ? entry.body.slice(entry.title.length) : entry.body
  const body = rest.replace(REFERENCE, ' ')
  return {
    title: [...terms(title), ...fileNames(title)].slice(0, MAX_FIELD_TERMS),
    body: [...terms(body), ...fileNames(body)].slice(0, MAX_FIELD_TERMS),
  }
}

/** The distinct terms an entry is indexed under: its text, and the words and names of its files. */
export function indexTerms(fields: FieldTerms, files: string[]): Set<string> {
  const all = new Set([...fields.title, ...fields.body])
  for (const file of files) {
    for (const term of terms(file)) all.add(term)
    all.add(baseName(file).toLowerCase())
  }
  return all
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

const HEAD = /^[\s#>*-]*([^\n]{12,}?(?:[.!?](?=\s)|\n|$))/
const MAX_QUERY_CHARS = 6000

export function queryTerms(text: string): QueryTerm[] {
  const clean = text.slice(0, MAX_QUERY_CHARS).replace(REFERENCE, ' ')
  const headEnd = HEAD.exec(clean)?.[0].length ?? Math.min(clean.length, 200)
  const found = new Map<string, Omit<QueryTerm, 'weight'> & { count: number }>()
  const see = (term: string, word: string, at: number, exact: boolean) => {
    const known = found.get(term)
    if (known) found.set(term, { ...known, count: known.count + 1, exact: known.exact || exact })
    else found.set(term, { term, word, count: 1, head: at < headEnd, exact })
  }
  for (const { 0: identifier, index } of clean.matchAll(IDENTIFIER)) {
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

const IDENTIFIER = /[\p{L}\p{N}_]+/gu

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

/** Inverse document frequency: 0 for a term everyone has. */
export function rarity(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5))
}
