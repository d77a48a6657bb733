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
  const weights = model.mean.map((_, f) => model.linear.reduce((sum, part, r) => sum + (regimes[r] ?? 0) * part[f]!, 0))
  return rows.map((row) => {
    let score = 0
    for (let f = 0; f < weights.length; f++) score += weights[f]! * standard(model, row[f]!, f)
    for (const tree of model.trees) score += leafValue(tree, row)
    return score
  })
}

function standard(model: Model, value: number, feature: number): number {
  return Math.max(-4, Math.min(4, (value - model.mean[feature]!) / model.spread[feature]!))
}

function leafValue(tree: Tree, row: number[]): number {
  if (tree.feature.length === 0) return tree.leaf[0]!
  let node = 0
  while (node >= 0) node = row[tree.feature[node]!]! <= tree.cut[node]! ? tree.left[node]! : tree.right[node]!
  return tree.leaf[~node]!
}
