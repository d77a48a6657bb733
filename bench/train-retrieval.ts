/**
 * npm run bench train-retrieval -- --data <folder> [--out src/core/memory/rank.min.json]
 * Learns the shipped weights from a labelled set, prints what cross-validation says of them, and calibrates the confidence on
 * those same unseen answers. Takes some minutes.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Weights } from '#core/search/rank.ts'
import { abstention, calibrate } from './retrieval/calibrate.ts'
import { type FoldAnswers, foldsOf, prepare, testFold, trainWeights } from './retrieval/cross-validate.ts'
import { loadSet } from './retrieval/data.ts'
import { printFolds } from './retrieval/print.ts'

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string', default: 'src/core/memory/rank.min.json' } },
})
if (!options.data) {
  console.error('Usage: npm run bench train-retrieval -- --data <folder> [--out file]')
  process.exit(1)
}

const set = loadSet(options.data)
const ground = await prepare(set)
console.error('replayed')
const folds: FoldAnswers[] = []
for (const fold of foldsOf(set)) {
  folds.push(await testFold(ground, fold))
  console.error(`tested on ${fold.name}`)
}
printFolds(set, folds)
console.log(abstention(set, folds))

const weights: Weights = { ...(await trainWeights(ground, set.queries)), confidence: calibrate(set, folds) }
writeFileSync(options.out, `${JSON.stringify(weights, short)}\n`)
console.log(`wrote ${options.out}`)

/** Five digits are more than the weights are known to. */
function short(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}
