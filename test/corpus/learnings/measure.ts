import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Comparable } from '../../../src/core/learning/duplicates.ts'

/** Two learnings, and whether they say the same: a reworded duplicate, or another point about the same topic. */
export interface Pair {
  split: 'dev' | 'holdout'
  same: boolean
  a: Comparable
  b: Comparable
}

/** The scoring was fitted to `dev`; `holdout` shows what it is worth. */
export function readPairs(folder: string): Pair[] {
  const lines = readFileSync(join(folder, 'pairs.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Pair)
}

export interface Quality {
  precision: number
  recall: number
  f1: number
  wrong: Pair[]
}

export function measure(pairs: readonly Pair[], isSame: (a: Comparable, b: Comparable) => boolean): Quality {
  const judged = pairs.map((pair) => ({ pair, said: isSame(pair.a, pair.b) }))
  const hits = judged.filter(({ pair, said }) => said && pair.same).length
  const said = judged.filter((one) => one.said).length
  const duplicates = pairs.filter(({ same }) => same).length
  return {
    precision: said > 0 ? hits / said : 1,
    recall: duplicates > 0 ? hits / duplicates : 1,
    f1: (2 * hits) / Math.max(1, said + duplicates),
    wrong: judged.filter((one) => one.said !== one.pair.same).map(({ pair }) => pair),
  }
}

/** What the first design asked for: one summary stands in the other, letter by letter. */
export function bySubstring(a: Comparable, b: Comparable): boolean {
  const [left, right] = [a.summary.toLowerCase(), b.summary.toLowerCase()]
  return left.includes(right) || right.includes(left)
}
