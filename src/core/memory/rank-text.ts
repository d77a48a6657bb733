/** How well an entry's words match the query's: BM25 over three fields, and the plain facts behind it. */
import type { Candidate } from './index-port.ts'
import { pathTerms, type QueryTerm, rarity } from './index-terms.ts'

export interface TermStats {
  size: number
  frequencies: Map<string, number>
}

interface KnownTerm {
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
  pairs: Map<string, number>
  /** First five letters of long terms: `serializer` meets `serialization`. */
  prefixes: Map<string, number>
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
    if (holders) known.set(term, { word, idf, worth: idf * weight, head, exact })
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
    prefixMass: [...prefixes.values()].reduce((sum, worth) => sum + worth, 0) || 1,
  }
}

/** A form the store has never seen may still share its beginning with one it has; it counts for less. */
const UNSEEN = 0.6
const MAX_SEQUENCE = 300

function pairsOf(sequence: string[], known: Map<string, KnownTerm>): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < Math.min(sequence.length, MAX_SEQUENCE); i++) {
    const [a, b] = [known.get(sequence[i]!), known.get(sequence[i + 1]!)]
    if (a && b && a !== b) pairs.set(`${sequence[i]} ${sequence[i + 1]}`, Math.min(a.idf, b.idf))
  }
  return pairs
}

/** Field weights and the lengths at which a field counts as ordinary, in terms (paths: in files). */
const TITLE = { boost: 2.2, length: 10, slope: 0.3, k: 0.6 }
const BODY = { boost: 1, length: 60, slope: 0.3, k: 1.2 }
const PATH = { boost: 0.8, length: 3, slope: 0.5, k: 1.2 }
const K = 1.2

export function matchText(query: TextQuery, entry: Candidate): TextMatch {
  const found = new Map<string, Found>()
  const pairs = count(query, entry.title, TITLE, entry.title.length, 'title', found)
  const morePairs = count(query, entry.body, BODY, entry.body.length, 'body', found)
  for (const path of entry.files) count(query, pathTerms(path), PATH, entry.files.length, 'path', found)
  const match = { total: 0, title: 0, body: 0, path: 0, head: 0, coverage: 0, rarest: 0, exact: 0, matched: 0 }
  let dot = 0
  for (const { known, title, body, path } of found.values()) {
    const { idf, worth, head, exact } = known
    const weighed = TITLE.boost * title + BODY.boost * body + PATH.boost * path
    const score = (worth * weighed) / (weighed + K)
    match.total += score
    match.title += (worth * title) / (title + TITLE.k)
    match.body += (worth * body) / (body + BODY.k)
    match.path += (worth * path) / (path + PATH.k)
    if (head) match.head += score
    if (exact) match.exact += worth
    if (title || body) {
      match.coverage += worth
      match.rarest = Math.max(match.rarest, idf)
      match.matched++
      dot += worth * idf
    }
  }
  const titleWords = new Set(entry.title)
  const cosine = dot / query.norm / Math.sqrt(10 + titleWords.size + entry.body.length)
  return {
    ...match,
    cosine,
    titleCover: titleCover(query, titleWords),
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

/** Counts a field's share of the query's terms, and sums what its neighbouring pairs are worth. */
function count(
  query: TextQuery,
  terms: string[],
  field: typeof TITLE,
  length: number,
  name: 'title' | 'body' | 'path',
  found: Map<string, Found>,
): number {
  const unit = 1 / (1 - field.slope + (field.slope * length) / field.length)
  let pairs = 0
  let before: string | undefined
  for (const term of terms) {
    const known = query.terms.get(term)
    if (!known) {
      before = undefined
      continue
    }
    let counted = found.get(term)
    if (!counted) {
      counted = { known, title: 0, body: 0, path: 0 }
      found.set(term, counted)
    }
    counted[name] += unit
    if (before !== undefined) pairs += query.pairs.get(`${before} ${term}`) ?? 0
    before = term
  }
  return pairs
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
      if (term.length < PREFIX) continue
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

function raise(map: Map<string, number>, key: string, value: number): void {
  map.set(key, Math.max(map.get(key) ?? 0, value))
}
