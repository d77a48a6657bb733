/**
 * Learning to rank, small enough to read: a listwise linear model with a few regimes, then trees that correct it.
 * Deterministic for a seed.
 */
import type { Model } from '#core/search/rank-model.ts'
import { boost } from './learn-trees.ts'

/** Rows of candidates, query after query. */
export interface Rows {
  width: number
  x: Float32Array
  /** First row of each query, and the end. */
  start: number[]
  grade: Uint8Array
  /** The ideal DCG@10 of each query over all its relevant entries, found or not. */
  ideal: number[]
  /** How much each regime applies to a query; the first is always 1. */
  regimes: number[][]
}

export interface Settings {
  steps: number
  rate: number
  decay: number
  regimeDecay: number
  trees: number
  leaves: number
  shrinkage: number
  features: number
  sample: number
  smoothing: number
  leafRows: number
  depthOfList: number
  seed: number
}

export const settings: Settings = {
  steps: 90,
  rate: 0.1,
  decay: 0.0002,
  regimeDecay: 0.01,
  trees: 50,
  leaves: 6,
  shrinkage: 0.08,
  features: 0.4,
  sample: 0.6,
  smoothing: 10,
  leafRows: 200,
  depthOfList: 12,
  seed: 1,
}

export function learn(rows: Rows, queries: number[], weight: (query: number) => number, options: Settings): Model {
  const scale = standardise(rows, queries)
  const linear = fitLinear(rows, queries, weight, scale, options)
  const start = new Float64Array(rows.grade.length)
  for (const query of queries) linearScores(rows, query, scale, linear, start)
  return { ...scale, linear, trees: options.trees ? boost(rows, queries, weight, start, options) : [] }
}

interface Scale {
  mean: number[]
  spread: number[]
}

function standardise({ width, x, start }: Rows, queries: number[]): Scale {
  const sum = new Float64Array(width)
  const square = new Float64Array(width)
  let n = 0
  for (const query of queries)
    for (let row = start[query]!; row < start[query + 1]!; row++, n++)
      for (let f = 0; f < width; f++) {
        const value = x[row * width + f]!
        sum[f]! += value
        square[f]! += value * value
      }
  const mean = Array.from(sum, (total) => total / n)
  return { mean, spread: mean.map((m, f) => Math.sqrt(Math.max(0, square[f]! / n - m * m)) + 1e-6) }
}

function linearScores(
  { width, x, start, regimes }: Rows,
  query: number,
  scale: Scale,
  linear: number[][],
  out: Float64Array,
) {
  const weights = mix(linear, regimes[query]!, width)
  for (let row = start[query]!; row < start[query + 1]!; row++) {
    let score = 0
    for (let f = 0; f < width; f++)
      score += weights[f]! * clip((x[row * width + f]! - scale.mean[f]!) / scale.spread[f]!)
    out[row] = score
  }
}

const clip = (z: number) => (z > 4 ? 4 : z < -4 ? -4 : z)

function mix(linear: number[][], regimes: number[], width: number): Float64Array {
  const weights = new Float64Array(width)
  linear.forEach((part, r) => {
    if (regimes[r]) for (let f = 0; f < width; f++) weights[f]! += regimes[r]! * part[f]!
  })
  return weights
}

/** Softmax cross-entropy against the gains of a query's relevant entries, minimised by full-batch Adam. */
function fitLinear(rows: Rows, queries: number[], weight: (query: number) => number, scale: Scale, options: Settings) {
  const { width, start, grade, regimes } = rows
  const useful = queries.filter((query) => grade.subarray(start[query]!, start[query + 1]!).some((g) => g > 0))
  const total = useful.reduce((sum, query) => sum + weight(query), 0)
  const z = new Float32Array(rows.x.length)
  for (const query of useful)
    for (let i = start[query]! * width; i < start[query + 1]! * width; i++)
      z[i] = clip((rows.x[i]! - scale.mean[i % width]!) / scale.spread[i % width]!)
  const parts = regimes[0]!.length
  const linear = Array.from({ length: parts }, () => new Array<number>(width).fill(0))
  const first = linear.map((part) => part.map(() => 0))
  const second = linear.map((part) => part.map(() => 0))
  for (let step = 1; step <= options.steps; step++) {
    const gradient = linear.map((part, r) => part.map((w) => w * (r ? options.regimeDecay : options.decay)))
    for (const query of useful) {
      const own = listGradient(z, rows, query, mix(linear, regimes[query]!, width))
      const share = weight(query) / total
      regimes[query]!.forEach((r, k) => {
        if (r) for (let f = 0; f < width; f++) gradient[k]![f]! += r * share * own[f]!
      })
    }
    const rate = options.rate * (1 - (0.9 * step) / options.steps)
    for (let k = 0; k < parts; k++)
      for (let f = 0; f < width; f++) {
        const g = gradient[k]![f]!
        first[k]![f] = 0.9 * first[k]![f]! + 0.1 * g
        second[k]![f] = 0.99 * second[k]![f]! + 0.01 * g * g
        const m = first[k]![f]! / (1 - 0.9 ** step)
        linear[k]![f]! -= (rate * m) / (Math.sqrt(second[k]![f]! / (1 - 0.99 ** step)) + 1e-7)
      }
  }
  return linear
}

function listGradient(
  z: Float32Array,
  { width, start, grade }: Rows,
  query: number,
  weights: Float64Array,
): Float64Array {
  const from = start[query]!
  const n = start[query + 1]! - from
  const score = new Float64Array(n)
  let top = -Infinity
  let gains = 0
  for (let i = 0; i < n; i++) {
    let s = 0
    const at = (from + i) * width
    for (let f = 0; f < width; f++) s += weights[f]! * z[at + f]!
    score[i] = s
    if (s > top) top = s
    gains += gain(grade[from + i]!)
  }
  let sum = 0
  for (let i = 0; i < n; i++) sum += score[i] = Math.exp(score[i]! - top)
  const gradient = new Float64Array(width)
  for (let i = 0; i < n; i++) {
    const d = score[i]! / sum - gain(grade[from + i]!) / gains
    if (Math.abs(d) < 1e-5) continue
    const at = (from + i) * width
    for (let f = 0; f < width; f++) gradient[f]! += d * z[at + f]!
  }
  return gradient
}

export const gain = (grade: number) => 2 ** grade - 1
