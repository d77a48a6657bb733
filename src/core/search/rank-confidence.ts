/** How sure the ranking is: whether the store answers this query at all, and then of each hit. */
import type { Evidence } from './rank-features.ts'

/** A logistic model: sigmoid(bias + weights · features). */
export interface Logistic {
  bias: number
  weights: number[]
}

export interface ConfidenceWeights {
  /** Is one of the first five relevant? Below `threshold` nothing is injected. */
  answer: Logistic
  threshold: number
  /** Is this hit relevant? From its share of the pool and the log-odds of an answer. */
  hit: Logistic
}

/** What tells a query this store can answer from one about something else. */
export function answerFeatures({ query, pool, guesses, open }: Evidence, scores: number[]): number[] {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
  const shares = softmax(scores)
  const first = order.slice(0, 5).map((i) => pool[i]!.match)
  const best = (value: (match: (typeof first)[number]) => number, among = pool.map(({ match }) => match)) =>
    among.reduce((top, match) => Math.max(top, value(match)), 0)
  const worth = (match: (typeof first)[number]) => match.total / query.mass
  return [
    best(worth),
    best(worth, first),
    best((match) => match.coverage / query.mass),
    best((match) => match.rarest, first) / Math.log(query.size + 2),
    best((match) => match.phrase / query.mass),
    best((match) => match.soft),
    query.unknown,
    Math.log(query.mass),
    Math.log(1 + query.terms.size),
    scores[order[0]!] ?? 0,
    shares[order[0]!] ?? 0,
    order.slice(0, 5).reduce((sum, i) => sum + shares[i]!, 0),
    guesses[0]?.share ?? 0,
    open.histories.length > 0 ? 1 : 0,
  ]
}

export function hitFeatures(share: number, answer: number): number[] {
  return [Math.log(share + 1e-6), Math.log((answer + 1e-6) / (1 - answer + 1e-6))]
}

export function probability({ bias, weights }: Logistic, features: number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias)))
}

export function softmax(scores: number[]): number[] {
  const top = scores.reduce((a, b) => Math.max(a, b), -Infinity)
  const raised = scores.map((score) => Math.exp(score - top))
  const sum = raised.reduce((a, b) => a + b, 0)
  return raised.map((value) => value / sum)
}
