/** The learned part of the ranking: a linear score with regimes, corrected by small regression trees. */

export interface Tree {
  feature: number[]
  cut: number[]
  /** The next node, or a leaf `n` written as `~n`. */
  left: number[]
  right: number[]
  leaf: number[]
}

export interface Model {
  mean: number[]
  spread: number[]
  /** One weight per feature for every query, then one for each regime in addition. */
  linear: number[][]
  trees: Tree[]
}

/** `regimes` says how much each part of the linear weights applies to this query; the first is 1. */
export function scoreAll(model: Model, rows: number[][], regimes: number[]): number[] {
  const { mean, spread, linear } = model
  const corrections = correctionsOf(model.trees)
  const weights = new Array<number>(mean.length).fill(0)
  for (let r = 0; r < linear.length; r++) {
    const applies = regimes[r] ?? 0
    for (let f = 0; f < weights.length; f++) weights[f] = weights[f]! + applies * linear[r]![f]!
  }
  return rows.map((row) => {
    let score = 0
    for (let f = 0; f < weights.length; f++) {
      const standard = (row[f]! - mean[f]!) / spread[f]!
      score += weights[f]! * (standard > 4 ? 4 : standard < -4 ? -4 : standard)
    }
    return corrections(score, row)
  })
}

/** All trees in a few rows of numbers: as hundreds of small lists they lie all over the memory and are fetched one by one. */
interface Forest {
  /** Where each tree begins. Here and below a leaf `n` is written as `~n`. */
  roots: Int32Array
  feature: Int32Array
  cut: Float64Array
  left: Int32Array
  right: Int32Array
  leaf: Float64Array
}

type Corrections = (score: number, row: number[]) => number
const known = new WeakMap<Tree[], Corrections>()

/** To put them together takes longer than one question, and a hook process asks one. */
function correctionsOf(trees: Tree[]): Corrections {
  const before = known.get(trees)
  if (before) return before
  let forest: Forest | undefined
  known.set(trees, (score, row) => {
    forest ??= plant(trees)
    return withForest(score, forest, row)
  })
  return (score, row) => trees.reduce((sum, tree) => sum + leafValue(tree, row), score)
}

function leafValue(tree: Tree, row: number[]): number {
  if (tree.feature.length === 0) return tree.leaf[0]!
  let node = 0
  while (node >= 0) node = row[tree.feature[node]!]! <= tree.cut[node]! ? tree.left[node]! : tree.right[node]!
  return tree.leaf[~node]!
}

function plant(trees: Tree[]): Forest {
  let nodes = 0
  let leaves = 0
  const placed = trees.map((tree) => {
    const [node, leaf] = [nodes, leaves]
    nodes += tree.feature.length
    leaves += tree.leaf.length
    const move = (next: number) => (next < 0 ? ~(~next + leaf) : next + node)
    return {
      ...tree,
      root: tree.feature.length === 0 ? ~leaf : node,
      left: tree.left.map(move),
      right: tree.right.map(move),
    }
  })
  return {
    roots: Int32Array.from(placed, ({ root }) => root),
    feature: Int32Array.from(placed.flatMap(({ feature }) => feature)),
    cut: Float64Array.from(placed.flatMap(({ cut }) => cut)),
    left: Int32Array.from(placed.flatMap(({ left }) => left)),
    right: Int32Array.from(placed.flatMap(({ right }) => right)),
    leaf: Float64Array.from(placed.flatMap(({ leaf }) => leaf)),
  }
}

function withForest(score: number, { roots, feature, cut, left, right, leaf }: Forest, row: number[]): number {
  let sum = score
  for (let t = 0; t < roots.length; t++) {
    let node = roots[t]!
    while (node >= 0) node = row[feature[node]!]! <= cut[node]! ? left[node]! : right[node]!
    sum += leaf[~node]!
  }
  return sum
}
