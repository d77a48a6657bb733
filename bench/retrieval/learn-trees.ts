/** Regression trees boosted on LambdaRank gradients: they correct the linear score where features act together. */
import type { Tree } from '#core/search/rank-model.ts'
import { gain, type Rows, type Settings } from './learn.ts'
import { randomFrom } from './random.ts'

const BINS = 32

export function boost(
  rows: Rows,
  queries: number[],
  weight: (query: number) => number,
  score: Float64Array,
  options: Settings,
): Tree[] {
  const random = randomFrom(options.seed)
  const cuts = quantiles(rows, queries)
  const bins = binned(rows, cuts)
  const grower = new Grower(bins, cuts, rows.grade.length, options)
  const trees: Tree[] = []
  while (trees.length < options.trees) {
    const used = grower.order
    let n = 0
    for (const query of queries) {
      if (random() > options.sample) continue
      lambdas(rows, query, score, weight(query), options.depthOfList, grower.pull, grower.stiffness)
      for (let row = rows.start[query]!; row < rows.start[query + 1]!; row++)
        if (rows.grade[row]! > 0 || grower.stiffness[row]! > 1e-4 || random() < 0.3) used[n++] = row
    }
    const features = cuts.map((_, f) => f).filter((f) => cuts[f]!.length > 0 && random() < options.features)
    if (features.length === 0) continue
    const { tree, binCuts } = grower.grow(n, Int32Array.from(features))
    const width = cuts.length
    for (const query of queries)
      for (let row = rows.start[query]!; row < rows.start[query + 1]!; row++)
        score[row]! += leafOf(tree, binCuts, bins, row * width)
    trees.push(tree)
  }
  return trees
}

function leafOf(tree: Tree, binCuts: number[], bins: Uint8Array, at: number): number {
  if (tree.feature.length === 0) return tree.leaf[0]!
  let node = 0
  while (node >= 0) node = bins[at + tree.feature[node]!]! <= binCuts[node]! ? tree.left[node]! : tree.right[node]!
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

/** Row after row, so that one row's features lie together. */
function binned({ width, x, grade }: Rows, cuts: number[][]): Uint8Array {
  const bins = new Uint8Array(grade.length * width)
  for (let f = 0; f < width; f++) {
    const own = Float64Array.from(cuts[f]!)
    for (let at = f; at < bins.length; at += width) {
      const value = x[at]!
      let low = 0
      let high = own.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value > own[middle]!) low = middle + 1
        else high = middle
      }
      bins[at] = low
    }
  }
  return bins
}

/** LambdaRank: each pair in the wrong order pulls apart by what swapping it would change in nDCG@10. */
function lambdas(
  rows: Rows,
  query: number,
  score: Float64Array,
  weight: number,
  depth: number,
  pull: Float64Array,
  stiffness: Float64Array,
) {
  const from = rows.start[query]!
  const to = rows.start[query + 1]!
  pull.fill(0, from, to)
  stiffness.fill(0, from, to)
  const order = Int32Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => score[b]! - score[a]!)
  for (let a = 0; a < order.length; a++) {
    const better = order[a]!
    if (rows.grade[better] === 0) continue
    const limit = a < depth ? order.length : Math.min(depth, order.length)
    for (let b = 0; b < limit; b++) {
      const worse = order[b]!
      if (rows.grade[worse]! >= rows.grade[better]!) continue
      const change =
        ((gain(rows.grade[better]!) - gain(rows.grade[worse]!)) *
          Math.abs(1 / Math.log2(a + 2) - 1 / Math.log2(b + 2))) /
        rows.ideal[query]!
      const wrong = 1 / (1 + Math.exp(score[better]! - score[worse]!))
      pull[better]! += weight * change * wrong
      pull[worse]! -= weight * change * wrong
      stiffness[better]! += weight * change * wrong * (1 - wrong)
      stiffness[worse]! += weight * change * wrong * (1 - wrong)
    }
  }
}

interface Leaf {
  /** Its rows stand between these places of the order. */
  from: number
  to: number
  pull: number
  stiffness: number
  /** For each feature and bin: pull, stiffness, number of rows. */
  histogram: Float64Array
  best?: { value: number; feature: number; bin: number }
  parent: number
  side: 'left' | 'right'
}

/** Grows the leaf with the most to gain until there are enough. */
class Grower {
  readonly order: Int32Array
  readonly pull: Float64Array
  readonly stiffness: Float64Array
  private readonly spare: Int32Array

  constructor(
    private readonly bins: Uint8Array,
    private readonly cuts: number[][],
    rows: number,
    private readonly options: Settings,
  ) {
    this.order = new Int32Array(rows)
    this.spare = new Int32Array(rows)
    this.pull = new Float64Array(rows)
    this.stiffness = new Float64Array(rows)
  }

  /** From the first `n` rows of the order. */
  grow(n: number, features: Int32Array) {
    const { cuts, options } = this
    const tree: Tree = { feature: [], cut: [], left: [], right: [], leaf: [] }
    const binCuts: number[] = []
    const leaves = [this.leaf(0, n, -1, 'left', this.histogram(0, n, features), features)]
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
      leaves.push(...this.split(next, node, features))
    }
    for (const leaf of leaves) {
      const index = tree.leaf.push((options.shrinkage * leaf.pull) / (leaf.stiffness + options.smoothing)) - 1
      if (leaf.parent >= 0) tree[leaf.side][leaf.parent] = ~index
    }
    return { tree, binCuts }
  }

  /** Counts the smaller side; the other is what remains. */
  private split({ from, to, best, histogram }: Leaf, node: number, features: Int32Array): Leaf[] {
    const { order, spare, bins, cuts } = this
    const { feature, bin } = best!
    let middle = from
    let kept = 0
    for (let i = from; i < to; i++) {
      const row = order[i]!
      if (bins[row * cuts.length + feature]! <= bin) order[middle++] = row
      else spare[kept++] = row
    }
    order.set(spare.subarray(0, kept), middle)
    const leftIsSmaller = middle - from < to - middle
    const counted = leftIsSmaller ? this.histogram(from, middle, features) : this.histogram(middle, to, features)
    for (let i = 0; i < histogram.length; i++) histogram[i]! -= counted[i]!
    const [left, right] = leftIsSmaller ? [counted, histogram] : [histogram, counted]
    return [
      this.leaf(from, middle, node, 'left', left, features),
      this.leaf(middle, to, node, 'right', right, features),
    ]
  }

  private histogram(from: number, to: number, features: Int32Array): Float64Array {
    const { order, bins, pull, stiffness } = this
    const width = this.cuts.length
    const sums = new Float64Array(features.length * BINS * 3)
    for (let i = from; i < to; i++) {
      const row = order[i]!
      const at = row * width
      const p = pull[row]!
      const s = stiffness[row]!
      for (let k = 0; k < features.length; k++) {
        const slot = (k * BINS + bins[at + features[k]!]!) * 3
        sums[slot]! += p
        sums[slot + 1]! += s
        sums[slot + 2]!++
      }
    }
    return sums
  }

  private leaf(
    from: number,
    to: number,
    parent: number,
    side: Leaf['side'],
    histogram: Float64Array,
    features: Int32Array,
  ): Leaf {
    const sums = { pull: 0, stiffness: 0 }
    for (let slot = 0; slot < BINS * 3; slot += 3) {
      sums.pull += histogram[slot]!
      sums.stiffness += histogram[slot + 1]!
    }
    const leaf: Leaf = { from, to, ...sums, histogram, parent, side }
    const best = this.bestSplit(leaf, features)
    return best ? { ...leaf, best } : leaf
  }

  private bestSplit({ from, to, pull, stiffness, histogram }: Leaf, features: Int32Array): Leaf['best'] {
    const { smoothing, leafRows } = this.options
    const worth = (p: number, s: number) => (p * p) / (s + smoothing)
    const base = worth(pull, stiffness)
    let best: Leaf['best']
    features.forEach((feature, k) => {
      let [p, s, n] = [0, 0, 0]
      for (let bin = 0; bin < this.cuts[feature]!.length; bin++) {
        const slot = (k * BINS + bin) * 3
        p += histogram[slot]!
        s += histogram[slot + 1]!
        n += histogram[slot + 2]!
        if (n < leafRows || to - from - n < leafRows) continue
        const value = worth(p, s) + worth(pull - p, stiffness - s) - base
        if (value > (best?.value ?? 1e-9)) best = { value, feature, bin }
      }
    })
    return best
  }
}
