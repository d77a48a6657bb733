/** The learned part: boosted trees in two stages, shipped as numbers. `npm run bench train-drift` writes them. */
import shipped from './model.min.json' with { type: 'json' }

/** Node by node: the feature asked (-1 at a leaf), the cut or the leaf's value, the left child (the right one follows it). */
export type Tree = [feature: number[], cut: number[], left: number[]]

export interface Forest {
  bias: number
  trees: Tree[]
}

export interface DriftModel {
  /** Stage one: did a foreign run begin at this action? Several forests, averaged. */
  runs: Forest[]
  /** Stage two: given stage one's view of the last actions, is this action off goal? */
  steps: Forest[]
  /** `cuts[n]` is the risk from which the score is at most 9 - n. */
  cuts: number[]
  /** What each stage-one feature looks like in work that is on goal, to explain a risk by comparison. */
  usual: number[]
  /** Which set of tasks it was trained on. */
  trainedOn: number
}

export const model = shipped as unknown as DriftModel

export function predict(forests: Forest[], row: ArrayLike<number>): number {
  const numbers = new Float64Array(row)
  let sum = 0
  for (const forest of forests) sum += 1 / (1 + Math.exp(-sumOfTrees(forest, numbers)))
  return sum / forests.length
}

/** The nodes of all trees in a row, which is far quicker to walk than the lists they are shipped as. */
interface Nodes {
  roots: number[]
  feature: Int16Array
  cut: Float64Array
  left: Int32Array
}

const known = new WeakMap<Forest, Nodes>()

function nodesOf(forest: Forest): Nodes {
  const nodes = known.get(forest)
  if (nodes) return nodes
  const made = inARow(forest)
  known.set(forest, made)
  return made
}

function inARow({ trees }: Forest): Nodes {
  const roots: number[] = []
  let size = 0
  for (const [feature] of trees) {
    roots.push(size)
    size += feature.length
  }
  return {
    roots,
    feature: Int16Array.from(trees.flatMap(([feature]) => feature)),
    cut: Float64Array.from(trees.flatMap(([, cut]) => cut)),
    left: Int32Array.from(trees.flatMap(([, , left], tree) => left.map((node) => roots[tree]! + node))),
  }
}

function sumOfTrees(forest: Forest, row: Float64Array): number {
  const { roots, feature, cut, left } = nodesOf(forest)
  let sum = forest.bias
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree]!
    for (let asked = feature[node]!; asked >= 0; asked = feature[node]!) {
      node = left[node]! + (row[asked]! < cut[node]! ? 0 : 1)
    }
    sum += cut[node]!
  }
  return sum
}

/** 10 = on goal, 1 = gone. The cuts come from how often on-goal work reached a risk: see bench/train-drift.ts. */
export function scoreOf(risk: number, cuts: number[] = model.cuts): number {
  return 10 - cuts.filter((cut) => risk >= cut).length
}
