/**
 * Gradient-boosted trees for a yes/no label: histograms, second-order gains, leaf-wise growth, monotone features.
 * Small on purpose: the drift model has about a hundred features and some ten thousand rows.
 */
import type { Forest, Tree } from '#core/drift/model.ts'

export interface BoostOptions {
  trees: number
  leaves: number
  rate: number
  /** Least second-order weight on either side of a split; about a quarter of the rows it stands for. */
  minWeight: number
  l2: number
  rowShare: number
  featureShare: number
  seed: number
  /** Per feature: -1 if more of it may only lower the risk, 1 if only raise it, else 0. */
  monotone?: number[]
}

/** Rows cut into at most 48 bins per feature, column by column. */
export interface Binned {
  size: number
  cuts: number[][]
  columns: Uint8Array[]
}

const BINS = 48

export function bin(rows: ArrayLike<number>[]): Binned {
  const width = rows[0]?.length ?? 0
  const cuts = Array.from({ length: width }, (_, f) => cutsOf(Float64Array.from(rows, (row) => row[f]!).sort()))
  const columns = cuts.map((edges, f) => Uint8Array.from(rows, (row) => binOf(edges, row[f]!)))
  return { size: rows.length, cuts, columns }
}

function cutsOf(sorted: Float64Array): number[] {
  const distinct = sorted.filter((x, i) => i === 0 || x !== sorted[i - 1])
  if (distinct.length <= BINS) return Array.from(distinct.slice(1), (x, i) => round((x + distinct[i]!) / 2))
  const edges: number[] = []
  for (let b = 1; b < BINS; b++) {
    const x = round(sorted[Math.floor((b * sorted.length) / BINS)]!)
    if (edges.length === 0 || x > edges.at(-1)!) edges.push(x)
  }
  return edges
}

// Thresholds are shipped as text, so they are cut to what is shipped before they are used.
function round(x: number): number {
  return Math.round(x * 1e4) / 1e4
}

function binOf(edges: number[], x: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (x >= edges[middle]!) low = middle + 1
    else high = middle
  }
  return low
}

interface Split {
  gain: number
  feature: number
  bin: number
  left: number
  right: number
}

/** A tree while it grows: cuts are bin numbers. */
interface Growing {
  feature: number[]
  bin: number[]
  left: number[]
  value: number[]
}

interface Leaf {
  node: number
  rows: Int32Array
  /** Per feature and bin: sum of gradients, then of hessians. */
  sums: Float64Array
  /** Bounds on the value, left by monotone splits above. */
  low: number
  high: number
  split: Split | undefined
}

/** `rows`, `labels` and `weights` go together; `rows` are positions in `data`. */
export function boost(
  data: Binned,
  rows: number[],
  labels: number[],
  weights: number[],
  options: BoostOptions,
): Forest {
  const random = randomFrom(options.seed)
  const slope: Slope = { gradient: new Float64Array(data.size), hessian: new Float64Array(data.size) }
  let positive = 0
  let all = 0
  for (let i = 0; i < rows.length; i++) {
    positive += labels[i]! * weights[i]!
    all += weights[i]!
  }
  const bias = round(Math.log(positive / (all - positive)))
  const score = new Float64Array(rows.length).fill(bias)
  const trees: Growing[] = []
  while (trees.length < options.trees) {
    for (let i = 0; i < rows.length; i++) {
      const p = 1 / (1 + Math.exp(-score[i]!))
      slope.gradient[rows[i]!] = (p - labels[i]!) * weights[i]!
      slope.hessian[rows[i]!] = Math.max(p * (1 - p), 1e-6) * weights[i]!
    }
    const features = data.cuts.flatMap((cuts, f) => (cuts.length > 0 && random() < options.featureShare ? [f] : []))
    const sample = Int32Array.from(rows.filter(() => random() < options.rowShare))
    const tree = grow(data, sample, slope, features, options)
    trees.push(tree)
    for (let i = 0; i < rows.length; i++) score[i]! += valueAt(tree, data, rows[i]!)
  }
  return { bias, trees: trees.map((tree) => finish(tree, data)) }
}

interface Slope {
  gradient: Float64Array
  hessian: Float64Array
}

/** Grows one tree leaf by leaf, best gain first. */
function grow(data: Binned, sample: Int32Array, slope: Slope, features: number[], options: BoostOptions): Growing {
  const tree: Growing = { feature: [-1], bin: [0], left: [0], value: [0] }
  const leafOf = (node: number, rows: Int32Array, sums: Float64Array, low: number, high: number): Leaf => {
    return { node, rows, sums, low, high, split: bestSplit(data, sums, features, options, low, high) }
  }
  const leaves = [leafOf(0, sample, sumsOf(data, sample, slope, features), -Infinity, Infinity)]
  while (leaves.length < options.leaves) {
    const open = leaves.filter((leaf) => leaf.split)
    if (open.length === 0) break
    const leaf = open.reduce((a, b) => (b.split!.gain > a.split!.gain ? b : a))
    leaves.splice(leaves.indexOf(leaf), 1)
    const split = leaf.split!
    const node = tree.feature.length
    tree.feature[leaf.node] = split.feature
    tree.bin[leaf.node] = split.bin
    tree.left[leaf.node] = node
    for (const value of [split.left, split.right]) {
      tree.feature.push(-1)
      tree.bin.push(0)
      tree.left.push(0)
      tree.value.push(round(value * options.rate))
    }
    const column = data.columns[split.feature]!
    const left = leaf.rows.filter((row) => column[row]! <= split.bin)
    const right = leaf.rows.filter((row) => column[row]! > split.bin)
    // Only the smaller side is counted; the larger is the rest.
    const small = sumsOf(data, left.length < right.length ? left : right, slope, features)
    const large = leaf.sums.map((sum, i) => sum - small[i]!)
    const [leftSums, rightSums] = left.length < right.length ? [small, large] : [large, small]
    const middle = (split.left + split.right) / 2
    const way = options.monotone?.[split.feature] ?? 0
    leaves.push(
      leafOf(node, left, leftSums, way < 0 ? middle : leaf.low, way > 0 ? middle : leaf.high),
      leafOf(node + 1, right, rightSums, way > 0 ? middle : leaf.low, way < 0 ? middle : leaf.high),
    )
  }
  return tree
}

function sumsOf(data: Binned, rows: Int32Array, { gradient, hessian }: Slope, features: number[]): Float64Array {
  const sums = new Float64Array(features.length * BINS * 2)
  const g = Float64Array.from(rows, (row) => gradient[row]!)
  const h = Float64Array.from(rows, (row) => hessian[row]!)
  features.forEach((feature, n) => {
    const column = data.columns[feature]!
    const base = n * BINS * 2
    for (let i = 0; i < rows.length; i++) {
      const at = base + 2 * column[rows[i]!]!
      sums[at]! += g[i]!
      sums[at + 1]! += h[i]!
    }
  })
  return sums
}

function bestSplit(
  data: Binned,
  sums: Float64Array,
  features: number[],
  { minWeight, l2, monotone }: BoostOptions,
  low: number,
  high: number,
): Split | undefined {
  let allG = 0
  let allH = 0
  for (let at = 0; at < BINS * 2; at += 2) {
    allG += sums[at]!
    allH += sums[at + 1]!
  }
  if (allH < 2 * minWeight) return undefined
  const value = (g: number, h: number) => Math.min(high, Math.max(low, -g / (h + l2)))
  const worth = (g: number, h: number, v: number) => -(g * v + 0.5 * (h + l2) * v * v)
  const whole = worth(allG, allH, value(allG, allH))
  let best: Split | undefined
  features.forEach((feature, n) => {
    const way = monotone?.[feature] ?? 0
    const last = data.cuts[feature]!.length
    let g = 0
    let h = 0
    for (let b = 0; b < last; b++) {
      g += sums[(n * BINS + b) * 2]!
      h += sums[(n * BINS + b) * 2 + 1]!
      if (h < minWeight) continue
      if (allH - h < minWeight) break
      const left = value(g, h)
      const right = value(allG - g, allH - h)
      if (way * (right - left) < 0) continue
      const gain = worth(g, h, left) + worth(allG - g, allH - h, right) - whole
      if (gain > (best?.gain ?? 1e-6)) best = { gain, feature, bin: b, left, right }
    }
  })
  return best
}

function valueAt(tree: Growing, data: Binned, row: number): number {
  let node = 0
  for (let f = tree.feature[0]!; f >= 0; f = tree.feature[node]!) {
    node = tree.left[node]! + (data.columns[f]![row]! > tree.bin[node]! ? 1 : 0)
  }
  return tree.value[node]!
}

function finish(tree: Growing, data: Binned): Tree {
  const cuts = tree.feature.map((f, node) => (f < 0 ? tree.value[node]! : data.cuts[f]![tree.bin[node]!]!))
  return [tree.feature, cuts, tree.left]
}

/** A small seeded generator (mulberry32), so that training is repeatable. */
export function randomFrom(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
