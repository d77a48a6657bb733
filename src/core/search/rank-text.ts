/** How well an entry's words match the query's: BM25 over three fields, and the plain facts behind it. */
import type { Candidate } from '../ports/search-index.ts'
import { pathTerms, type QueryTerm, rarity } from './terms.ts'

export interface TermStats {
  size: number
  frequencies: Map<string, number>
}

interface KnownTerm {
  /** Its place among the known ones. */
  at: number
  word: string
  /** Rarity. */
  idf: number
  /** Rarity times what place and number of mentions make of it. */
  worth: number
  head: boolean
  exact: boolean
}

/** The query with the store's statistics: what its known terms are worth, alone and together. */
export interface TextQuery {
  size: number
  terms: Map<string, KnownTerm>
  mass: number
  headMass: number
  exactMass: number
  norm: number
  /** Share of the query's weight that lies on terms the store has never seen. */
  unknown: number
  /** Neighbouring terms, and the rarity of the commoner of the two. */
  pairs: Map<number, number>
  /** First five letters of long terms: `serializer` meets `serialization`. */
  prefixes: Map<string, number>
  /** Which letters those begin with, a bit for each, to leave most words alone. */
  initials: number
  prefixMass: number
}

export interface TextMatch {
  total: number
  title: number
  body: number
  path: number
  head: number
  coverage: number
  rarest: number
  exact: number
  matched: number
  titleCover: number
  cosine: number
  phrase: number
  soft: number
}

export function textQuery(terms: QueryTerm[], sequence: string[], stats: TermStats): TextQuery {
  const known = new Map<string, KnownTerm>()
  const prefixes = new Map<string, number>()
  let total = 0
  let missing = 0
  for (const { term, word, weight, head, exact } of terms) {
    const holders = stats.frequencies.get(term)
    total += weight
    if (!holders) missing += weight
    const idf = rarity(holders ?? 0, stats.size)
    if (holders) known.set(term, { at: known.size, word, idf, worth: idf * weight, head, exact })
    if (isLong(term)) raise(prefixes, prefix(term), weight * (holders ? idf : UNSEEN * idf))
  }
  const all = [...known.values()]
  const mass = (some: KnownTerm[]) => some.reduce((sum, { worth }) => sum + worth, 0)
  return {
    size: stats.size,
    terms: known,
    mass: mass(all) || 1,
    headMass: mass(all.filter(({ head }) => head)) || 1,
    exactMass: mass(all.filter(({ exact }) => exact)) || 1,
    norm: Math.sqrt(all.reduce((sum, { worth }) => sum + worth ** 2, 0)) || 1,
    unknown: total ? missing / total : 1,
    pairs: pairsOf(sequence, known),
    prefixes,
    initials: [...prefixes.keys()].reduce((letters, start) => letters | initial(start), 0),
    prefixMass: [...prefixes.values()].reduce((sum, worth) => sum + worth, 0) || 1,
  }
}

/** A form the store has never seen may still share its beginning with one it has; it counts for less. */
const UNSEEN = 0.6
const MAX_SEQUENCE = 300

function pairsOf(sequence: string[], known: Map<string, KnownTerm>): Map<number, number> {
  const pairs = new Map<number, number>()
  for (let i = 0; i + 1 < Math.min(sequence.length, MAX_SEQUENCE); i++) {
    const [a, b] = [known.get(sequence[i]!), known.get(sequence[i + 1]!)]
    if (a && b && a !== b) pairs.set(pairOf(a, b), Math.min(a.idf, b.idf))
  }
  return pairs
}

/** One number for a pair of terms: a query has far fewer than 10,000. */
function pairOf(first: KnownTerm, second: KnownTerm): number {
  return first.at * 10_000 + second.at
}

/** Field weights and the lengths at which a field counts as ordinary, in terms (paths: in files). */
const TITLE = { boost: 2.2, length: 10, slope: 0.3, k: 0.6 }
const BODY = { boost: 1, length: 60, slope: 0.3, k: 1.2 }
const PATH = { boost: 0.8, length: 3, slope: 0.5, k: 1.2 }
const K = 1.2

export function matchText(query: TextQuery, entry: Candidate): TextMatch {
  const found: Found[] = []
  const pairs = count(query, entry.title, TITLE, entry.title.length, 'title', found)
  const morePairs = count(query, entry.body, BODY, entry.body.length, 'body', found)
  for (const path of entry.files) count(query, pathTerms(path), PATH, entry.files.length, 'path', found)
  let total = 0
  let title = 0
  let body = 0
  let path = 0
  let head = 0
  let exact = 0
  let coverage = 0
  let rarest = 0
  let matched = 0
  let dot = 0
  for (const { known, title: inTitle, body: inBody, path: inPath } of found) {
    const { idf, worth } = known
    const weighed = TITLE.boost * inTitle + BODY.boost * inBody + PATH.boost * inPath
    const score = (worth * weighed) / (weighed + K)
    total += score
    title += (worth * inTitle) / (inTitle + TITLE.k)
    body += (worth * inBody) / (inBody + BODY.k)
    path += (worth * inPath) / (inPath + PATH.k)
    if (known.head) head += score
    if (known.exact) exact += worth
    if (inTitle || inBody) {
      coverage += worth
      rarest = Math.max(rarest, idf)
      matched++
      dot += worth * idf
    }
  }
  const titleWords = new Set(entry.title)
  // One literal: to copy one and add to it takes longer than all of the above.
  return {
    total,
    title,
    body,
    path,
    head,
    coverage,
    rarest,
    exact,
    matched,
    titleCover: titleCover(query, titleWords),
    cosine: dot / query.norm / Math.sqrt(10 + titleWords.size + entry.body.length),
    phrase: pairs + morePairs,
    soft: softCover(query, entry),
  }
}

/** A term of the query in an entry: how much of it each field holds. */
interface Found {
  known: KnownTerm
  title: number
  body: number
  path: number
}

/** Counts a field's share of the query's terms, in the order they are met, and sums what its neighbouring pairs are worth. */
function count(
  query: TextQuery,
  terms: string[],
  field: typeof TITLE,
  length: number,
  name: 'title' | 'body' | 'path',
  found: Found[],
): number {
  const unit = 1 / (1 - field.slope + (field.slope * length) / field.length)
  let pairs = 0
  let before: KnownTerm | undefined
  for (const term of terms) {
    const known = query.terms.get(term)
    if (known) {
      counterOf(known, found)[name] += unit
      if (before) pairs += query.pairs.get(pairOf(before, known)) ?? 0
    }
    before = known
  }
  return pairs
}

/** An entry holds few of the query's terms. */
function counterOf(known: KnownTerm, found: Found[]): Found {
  for (const counter of found) if (counter.known === known) return counter
  const counter = { known, title: 0, body: 0, path: 0 }
  found.push(counter)
  return counter
}

/** What a title's own words are taken to be worth when the query does not hold them, so their rarity was never asked for. */
const USUAL_RARITY = 5

/** Share of the title that the query says too. */
function titleCover(query: TextQuery, title: Set<string>): number {
  let shared = 0
  let own = 0
  for (const term of title) {
    const idf = query.terms.get(term)?.idf
    shared += idf ?? 0
    own += idf ?? USUAL_RARITY
  }
  return own ? shared / own : 0
}

function softCover(query: TextQuery, entry: Candidate): number {
  const seen = new Set<string>()
  let sum = 0
  for (const field of [entry.title, entry.body])
    for (const term of field) {
      if (term.length < PREFIX || (query.initials & initial(term)) === 0) continue
      const start = prefix(term)
      const worth = query.prefixes.get(start)
      if (worth === undefined || seen.has(start)) continue
      seen.add(start)
      sum += worth
    }
  return sum / query.prefixMass
}

const PREFIX = 5
const isLong = (term: string) => term.length > PREFIX && !term.includes('.')
const prefix = (term: string) => term.slice(0, PREFIX)
/** A bit for the first letter; those beyond ASCII share one with others, which only costs a look. */
const initial = (term: string) => 1 << (term.charCodeAt(0) & 31)

function raise(map: Map<string, number>, key: string, value: number): void {
  map.set(key, Math.max(map.get(key) ?? 0, value))
}
