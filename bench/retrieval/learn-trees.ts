/** Regression trees boosted on LambdaRank gradients: they correct the linear score where features act together. */
import type { Tree } from '#core/memory/rank-model.ts'
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
      for (let row = rows.start[query]!; row < rows.start[query + 1]!; row++)
        score[row]! += leafOf(tree, binCuts, bins, row)
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
  const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => score[b]! - score[a]!)
  order.forEach((better, a) => {
    if (rows.grade[better] === 0) return
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
    leaves.push(
      leafFor(
        next.rows.filter((row) => !goesLeft(row)),
        node,
        'right',
      ),
    )
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
