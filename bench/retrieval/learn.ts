/**
 * Learning to rank, small enough to read: a listwise linear model with a few regimes, and regression trees boosted on
 * LambdaRank gradients that correct it. Deterministic for a seed.
 */
import type { Model, Tree } from '#core/memory/rank-model.ts'

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
  regimeDecay: 0.002,
  trees: 120,
  leaves: 8,
  shrinkage: 0.08,
  features: 0.4,
  sample: 0.6,
  smoothing: 5,
  leafRows: 60,
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

function linearScores({ width, x, start, regimes }: Rows, query: number, scale: Scale, linear: number[][], out: Float64Array) {
  const weights = mix(linear, regimes[query]!, width)
  for (let row = start[query]!; row < start[query + 1]!; row++) {
    let score = 0
    for (let f = 0; f < width; f++) score += weights[f]! * clip((x[row * width + f]! - scale.mean[f]!) / scale.spread[f]!)
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

function listGradient(z: Float32Array, { width, start, grade }: Rows, query: number, weights: Float64Array): Float64Array {
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

const gain = (grade: number) => 2 ** grade - 1

const BINS = 32

function boost(rows: Rows, queries: number[], weight: (query: number) => number, score: Float64Array, options: Settings): Tree[] {
  const random = randomFrom(options.seed)
  const cuts = quantiles(rows, queries)
  const bins = binned(rows, cuts)
  const pull = new Float64Array(rows.grade.length)
  const stiffness = new Float64Array(rows.grade.length)
  const trees: Tree[] = []
  while (trees.length < options.trees) {
    const used: number[] = []
    for (const query of queries) {
      if (random() > options.sample) continue
      lambdas(rows, query, score, weight(query), options.depthOfList, pull, stiffness)
      for (let row = rows.start[query]!; row < rows.start[query + 1]!; row++)
        if (rows.grade[row]! > 0 || stiffness[row]! > 1e-4 || random() < 0.3) used.push(row)
    }
    const features = cuts.map((_, f) => f).filter((f) => cuts[f]!.length > 0 && random() < options.features)
    if (features.length === 0) continue
    const { tree, binCuts } = grow(bins, cuts, Int32Array.from(used), pull, stiffness, features, options)
    for (const query of queries)
      for (let row = rows.start[query]!; row < rows.start[query + 1]!; row++) score[row]! += leafOf(tree, binCuts, bins, row)
    trees.push(tree)
  }
  return trees
}

function leafOf(tree: Tree, binCuts: number[], bins: Uint8Array[], row: number): number {
  if (tree.feature.length === 0) return tree.leaf[0]!
  let node = 0
  while (node >= 0) node = bins[tree.feature[node]!]![row]! <= binCuts[node]! ? tree.left[node]! : tree.right[node]!
  return tree.leaf[~node]!
}

function quantiles({ width, x, start }: Rows, queries: number[]): number[][] {
  const sample: number[] = []
  for (const query of queries) for (let row = start[query]!; row < start[query + 1]!; row += 7) sample.push(row)
  return Array.from({ length: width }, (_, f) => {
    const values = Float32Array.from(sample, (row) => x[row * width + f]!).sort()
    const cuts = new Set<number>()
    for (let b = 1; b < BINS; b++) cuts.add(values[Math.floor((b * values.length) / BINS)]!)
    cuts.delete(values.at(-1)!)
    return [...cuts].sort((a, b) => a - b)
  })
}

function binned({ width, x, grade }: Rows, cuts: number[][]): Uint8Array[] {
  return cuts.map((own, f) => {
    const bin = new Uint8Array(grade.length)
    for (let row = 0; row < grade.length; row++) {
      const value = x[row * width + f]!
      let b = 0
      while (b < own.length && value > own[b]!) b++
      bin[row] = b
    }
    return bin
  })
}

/** LambdaRank: each pair in the wrong order pulls apart by what swapping it would change in nDCG@10. */
function lambdas(rows: Rows, query: number, score: Float64Array, weight: number, depth: number, pull: Float64Array, stiffness: Float64Array) {
  const from = rows.start[query]!
  const to = rows.start[query + 1]!
  pull.fill(0, from, to)
  stiffness.fill(0, from, to)
  const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => score[b]! - score[a]!)
  order.forEach((better, a) => {
    if (rows.grade[better] === 0) return
    const limit = a < depth ? order.length : Math.min(depth, order.length)
    for (let b = 0; b < limit; b++) {
      const worse = order[b]!
      if (rows.grade[worse]! >= rows.grade[better]!) continue
      const change =
        ((gain(rows.grade[better]!) - gain(rows.grade[worse]!)) * Math.abs(1 / Math.log2(a + 2) - 1 / Math.log2(b + 2))) /
        rows.ideal[query]!
      const wrong = 1 / (1 + Math.exp(score[better]! - score[worse]!))
      pull[better]! += weight * change * wrong
      pull[worse]! -= weight * change * wrong
      stiffness[better]! += weight * change * wrong * (1 - wrong)
      stiffness[worse]! += weight * change * wrong * (1 - wrong)
    }
  })
}

interface Leaf {
  rows: Int32Array
  pull: number
  stiffness: number
  best?: { value: number; feature: number; bin: number }
  parent: number
  side: 'left' | 'right'
}

/** Grows the leaf with the most to gain until there are enough. */
function grow(
  bins: Uint8Array[],
  cuts: number[][],
  all: Int32Array,
  pull: Float64Array,
  stiffness: Float64Array,
  features: number[],
  options: Settings,
) {
  const tree: Tree = { feature: [], cut: [], left: [], right: [], leaf: [] }
  const binCuts: number[] = []
  const leaves = [leafFor(all, -1, 'left')]
  while (leaves.length < options.leaves) {
    const next = leaves.reduce((a, b) => ((b.best?.value ?? 0) > (a.best?.value ?? 0) ? b : a))
    if (!next.best) break
    leaves.splice(leaves.indexOf(next), 1)
    const { feature, bin } = next.best
    const node = tree.feature.push(feature) - 1
    tree.cut.push(cuts[feature]![bin]!)
    binCuts.push(bin)
    tree.left.push(0)
    tree.right.push(0)
    if (next.parent >= 0) tree[next.side][next.parent] = node
    const goesLeft = (row: number) => bins[feature]![row]! <= bin
    leaves.push(leafFor(next.rows.filter(goesLeft), node, 'left'))
    leaves.push(leafFor(next.rows.filter((row) => !goesLeft(row)), node, 'right'))
  }
  for (const leaf of leaves) {
    const index = tree.leaf.push((options.shrinkage * leaf.pull) / (leaf.stiffness + options.smoothing)) - 1
    if (leaf.parent >= 0) tree[leaf.side][leaf.parent] = ~index
  }
  return { tree, binCuts }

  function leafFor(rows: Int32Array, parent: number, side: 'left' | 'right'): Leaf {
    let p = 0
    let s = 0
    for (const row of rows) {
      p += pull[row]!
      s += stiffness[row]!
    }
    const leaf: Leaf = { rows, pull: p, stiffness: s, parent, side }
    const best = bestSplit(leaf)
    return best ? { ...leaf, best } : leaf
  }

  function bestSplit(leaf: Leaf): Leaf['best'] {
    let best: Leaf['best']
    const worth = (p: number, s: number) => (p * p) / (s + options.smoothing)
    const base = worth(leaf.pull, leaf.stiffness)
    const binPull = new Float64Array(BINS)
    const binStiff = new Float64Array(BINS)
    const binRows = new Int32Array(BINS)
    for (const feature of features) {
      binPull.fill(0)
      binStiff.fill(0)
      binRows.fill(0)
      const own = bins[feature]!
      for (let i = 0; i < leaf.rows.length; i++) {
        const row = leaf.rows[i]!
        const b = own[row]!
        binPull[b]! += pull[row]!
        binStiff[b]! += stiffness[row]!
        binRows[b]!++
      }
      let p = 0
      let s = 0
      let n = 0
      for (let bin = 0; bin < cuts[feature]!.length; bin++) {
        p += binPull[bin]!
        s += binStiff[bin]!
        n += binRows[bin]!
        if (n < options.leafRows || leaf.rows.length - n < options.leafRows) continue
        const value = worth(p, s) + worth(leaf.pull - p, leaf.stiffness - s) - base
        if (value > (best?.value ?? 1e-9)) best = { value, feature, bin }
      }
    }
    return best
  }
}

/** mulberry32: the same run for the same seed, on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
