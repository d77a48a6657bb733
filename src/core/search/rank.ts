/**
 * The ranking of memory, in one formula. For a candidate with features x (words, files, time, what is open):
 *
 *   score = Σ_r regime_r · (w_r · z(x))  +  Σ trees(x)  +  prior
 *
 * z standardises a feature; a regime says how much a way of keeping memory applies (see `regimes`); the trees correct the
 * linear part; the prior is log-odds from outside (outcome, how often a hit was used, an embedding's similarity).
 * Then p(answer) = σ(a · facts about the whole list), p(hit) = σ(b · [ln softmax(score), logit p(answer)]).
 */
import type { Candidate } from '../ports/search-index.ts'
import { answerFeatures, type ConfidenceWeights, hitFeatures, probability, softmax } from './rank-confidence.ts'
import { type Evidence, features, laterThan, regimes } from './rank-features.ts'
import { DAY } from './rank-files.ts'
import { type Model, scoreAll } from './rank-model.ts'
import { pathTerms } from './terms.ts'

export interface Weights {
  files: Model
  entries: Model
  confidence: ConfidenceWeights
}

export interface Hit {
  id: string
  score: number
  /** How likely this hit is relevant. */
  confidence: number
  why: Reason
}

/** Why a hit is one, in parts a person can check. */
export interface Reason {
  /** The query's words it shares, the most telling first. */
  words: string[]
  /** Those that stand in the paths of its files alone. */
  inPaths: string[]
  /** The files it touched that this work probably touches too, and how many later entries touched each. */
  files: { path: string; open: boolean; later: number }[]
  ageInDays: number
}

export interface Ranking {
  /** How likely the first five hold a relevant entry. */
  answer: number
  /** Best first. */
  hits: Hit[]
}

export interface RankOptions {
  limit: number
  /** Added to the scores, by entry id. */
  priors?: Map<string, number>
  /** Leaves out near copies of better hits. */
  diverse?: boolean
}

export function rank(evidence: Evidence, weights: Weights, { limit, priors, diverse }: RankOptions): Ranking {
  const { pool } = evidence
  const scores = scorePool(evidence, weights.entries, priors)
  const answer = pool.length ? probability(weights.confidence.answer, answerFeatures(evidence, scores)) : 0
  const shares = softmax(scores)
  const order = pool.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || before(pool[a]!.entry, pool[b]!.entry))
  const kept = diverse ? withoutCopies(order, (i) => pool[i]!.entry, limit) : order.slice(0, limit)
  const explain = explainer(evidence)
  const hits = kept.map((i) => ({
    id: pool[i]!.entry.id,
    score: scores[i]!,
    confidence: probability(weights.confidence.hit, hitFeatures(shares[i]!, answer)),
    why: explain(pool[i]!.entry),
  }))
  return { answer, hits }
}

/** The formula above, for every candidate in the pool's order. */
export function scorePool(evidence: Evidence, model: Model, priors?: Map<string, number>): number[] {
  const scores = scoreAll(model, features(evidence), regimes(evidence))
  return priors ? scores.map((score, i) => score + (priors.get(evidence.pool[i]!.entry.id) ?? 0)) : scores
}

function before(a: Candidate, b: Candidate): number {
  return b.at - a.at || (a.id < b.id ? -1 : 1)
}

const SAME = 0.8

function withoutCopies(order: number[], entryAt: (i: number) => Candidate, limit: number): number[] {
  const kept: { i: number; terms: Set<string> }[] = []
  for (const i of order) {
    if (kept.length >= limit) break
    const terms = new Set([...entryAt(i).title, ...entryAt(i).body])
    if (kept.every((better) => overlap(better.terms, terms) < SAME)) kept.push({ i, terms })
  }
  return kept.map(({ i }) => i)
}

function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length
  return a.size + b.size === 0 ? 0 : shared / (a.size + b.size - shared)
}

const MAX_WORDS = 6
const MAX_FILES = 3
const LIKELY = 0.03

function explainer({ query, guesses, histories, open, now }: Evidence): (entry: Candidate) => Reason {
  const shares = new Map(guesses.map(({ path, share }) => [path, share]))
  const trails = new Map(
    [...open.histories, ...histories].map((history) => {
      const isOpen = open.paths.includes(history.path)
      return [history.path, { history, isOpen, share: isOpen ? 1 : (shares.get(history.path) ?? 0) }]
    }),
  )
  return (entry) => {
    const said = new Set([...entry.title, ...entry.body])
    const named = new Set(entry.files.flatMap(pathTerms))
    const known = [...query.terms].sort(([, a], [, b]) => b.worth - a.worth)
    const wordsAmong = (own: (term: string) => boolean) =>
      [...new Set(known.filter(([term]) => own(term)).map(([, { word }]) => word))].slice(0, MAX_WORDS)
    const files = [...trails.values()]
      .flatMap(({ history, isOpen, share }) => {
        const later = share >= LIKELY ? laterThan(entry.id, history) : undefined
        return later === undefined ? [] : [{ path: history.path, open: isOpen, later, share }]
      })
      .sort((a, b) => b.share - a.share)
      .map(({ path, open, later }) => ({ path, open, later }))
    return {
      words: wordsAmong((term) => said.has(term)),
      inPaths: wordsAmong((term) => named.has(term) && !said.has(term)),
      files: files.slice(0, MAX_FILES),
      ageInDays: Math.max(0, (now - entry.at) / DAY),
    }
  }
}
