/**
 * The ranking of memory, in one formula. For a candidate with features x (words, files, time, what is open):
 *
 *   score = Σ_r regime_r · (w_r · z(x))  +  Σ trees(x)  +  prior
 *
 * z standardises a feature; a regime says how much a way of keeping memory applies (see `regimes`); the trees correct the
 * linear part; the prior is log-odds from outside (outcome, how often a hit was used, an embedding's similarity).
 * Then p(answer) = σ(a · facts about the whole list), p(hit) = σ(b · [ln softmax(score), logit p(answer)]).
 */
import type { Candidate } from './index-port.ts'
import { answerFeatures, type ConfidenceWeights, hitFeatures, probability, softmax } from './rank-confidence.ts'
import { type Evidence, features, regimes, trailsOf } from './rank-features.ts'
import { DAY } from './rank-files.ts'
import { type Model, scoreAll } from './rank-model.ts'

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

/** `priors` are added to the scores by entry id. */
export function rank(evidence: Evidence, weights: Weights, priors?: Map<string, number>): Ranking {
  const { pool } = evidence
  const scores = scoreAll(weights.entries, features(evidence), regimes(evidence)).map(
    (score, i) => score + (priors?.get(pool[i]!.entry.id) ?? 0),
  )
  const answer = pool.length ? probability(weights.confidence.answer, answerFeatures(evidence, scores)) : 0
  const shares = softmax(scores)
  const explain = explainer(evidence)
  const order = pool.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || before(pool[a]!.entry, pool[b]!.entry))
  const hits = order.map((i) => ({
    id: pool[i]!.entry.id,
    score: scores[i]!,
    confidence: probability(weights.confidence.hit, hitFeatures(shares[i]!, answer)),
    get why() {
      return explain(pool[i]!.entry)
    },
  }))
  return { answer, hits }
}

function before(a: Candidate, b: Candidate): number {
  return b.at - a.at || (a.id < b.id ? -1 : 1)
}

const MAX_WORDS = 6
const MAX_FILES = 3
const LIKELY = 0.03

function explainer({ query, guesses, histories, open, now }: Evidence): (entry: Candidate) => Reason {
  const shares = new Map(guesses.map(({ path, share }) => [path, share]))
  const trails = trailsOf([...open.histories, ...histories], (path) =>
    open.paths.includes(path) ? 1 : (shares.get(path) ?? 0),
  )
  return (entry) => {
    const own = new Set([...entry.title, ...entry.body])
    const words = [...query.terms].filter(([term]) => own.has(term)).sort(([, a], [, b]) => b.worth - a.worth)
    const files = [...trails.values()]
      .filter(({ share, later }) => share >= LIKELY && later.has(entry.id))
      .sort((a, b) => b.share - a.share)
      .map(({ history: { path }, later }) => ({ path, open: open.paths.includes(path), later: later.get(entry.id)! }))
    return {
      words: [...new Set(words.map(([, { word }]) => word))].slice(0, MAX_WORDS),
      files: files.slice(0, MAX_FILES),
      ageInDays: Math.max(0, (now - entry.at) / DAY),
    }
  }
}
