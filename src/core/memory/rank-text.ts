import type { Candidate } from './index-port.ts'
import { type QueryTerm, rarity, pathTerms, baseName } from './index-terms.ts'

export interface TermStats { size: number; frequencies: Map<string, number> }

export interface TextMatch {
  total: number; title: number; body: number; path: number; head: number
  coverage: number; best: number; exact: number; matched: number; titleCover: number; cosine: number
}

interface Known { idf: number; weight: number; head: boolean; exact: boolean }
export interface TextQuery { terms: Map<string, Known>; mass: number; headMass: number; exactMass: number; norm: number; size: number; frequencies: Map<string, number>; unknown: number }

export function textQuery(terms: QueryTerm[], stats: TermStats): TextQuery {
  const known = new Map<string, Known>()
  let mass = 0, headMass = 0, exactMass = 0, norm = 0, unknown = 0
  for (const { term, weight, head, exact } of terms) {
    const df = stats.frequencies.get(term)
    if (!df) { unknown += weight; continue }
    const idf = rarity(df, stats.size)
    known.set(term, { idf, weight, head, exact })
    mass += idf * weight
    if (head) headMass += idf * weight
    if (exact) exactMass += idf * weight
    norm += (idf * weight) ** 2
  }
  return { terms: known, mass: mass || 1, headMass: headMass || 1, exactMass, norm: Math.sqrt(norm) || 1, unknown, ...stats }
}

const pathCache = new Map<string, string[]>()
export function termsOfPath(path: string): string[] {
  let t = pathCache.get(path)
  if (!t) { if (pathCache.size > 50000) pathCache.clear(); t = [...pathTerms(path), baseName(path).toLowerCase()]; pathCache.set(path, t) }
  return t
}

const K = 1.2
export function matchText(query: TextQuery, entry: Candidate): TextMatch {
  const titleTf = count(query, entry.title), bodyTf = count(query, entry.body)
  const pathTf = new Map<string, number>()
  for (const f of entry.files) for (const t of termsOfPath(f)) if (query.terms.has(t)) pathTf.set(t, (pathTf.get(t) ?? 0) + 1)
  const lt = 1 - 0.3 + 0.3 * entry.title.length / 10
  const lb = 1 - 0.3 + 0.3 * entry.body.length / 60
  const lp = 1 - 0.5 + 0.5 * entry.files.length / 3
  const m: TextMatch = { total: 0, title: 0, body: 0, path: 0, head: 0, coverage: 0, best: 0, exact: 0, matched: 0, titleCover: 0, cosine: 0 }
  let dot = 0
  for (const [term, q] of query.terms) {
    const a = (titleTf.get(term) ?? 0) / lt, b = (bodyTf.get(term) ?? 0) / lb, c = (pathTf.get(term) ?? 0) / lp
    if (!a && !b && !c) continue
    const w = q.idf * q.weight
    const tf = 2.2 * a + b + 0.8 * c
    const s = w * tf / (tf + K)
    m.total += s
    if (a) m.title += w * a / (a + 0.6)
    if (b) m.body += w * b / (b + K)
    if (c) m.path += w * c / (c + K)
    if (q.head) m.head += s
    if (q.exact) m.exact += w
    if (a || b) { m.coverage += w; m.best = Math.max(m.best, q.idf); m.matched++; dot += w * q.idf }
  }
  const seen = new Set(entry.title); let own = 0, hit = 0
  for (const t of seen) { const q = query.terms.get(t); const idf = q ? q.idf : 0; hit += idf; own += q ? idf : DEFAULT }
  m.titleCover = own ? hit / own : 0
  m.cosine = dot / query.norm / Math.sqrt(10 + seen.size + entry.body.length)
  return m
}
const DEFAULT = 5

function count(query: TextQuery, list: string[]) {
  const tf = new Map<string, number>()
  for (const t of list) if (query.terms.has(t)) tf.set(t, (tf.get(t) ?? 0) + 1)
  return tf
}
