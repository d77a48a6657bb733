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
  const { mean, spread, linear, trees } = model
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
    for (const tree of trees) score += leafValue(tree, row)
    return score
  })
}

function leafValue(tree: Tree, row: number[]): number {
  if (tree.feature.length === 0) return tree.leaf[0]!
  let node = 0
  while (node >= 0) node = row[tree.feature[node]!]! <= tree.cut[node]! ? tree.left[node]! : tree.right[node]!
  return tree.leaf[~node]!
}
