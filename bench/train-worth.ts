// npm run bench train-worth -- [--write] [--wrong]: what the write gate's model is worth on sets it was not trained on; with --write its weights.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { substanceOf } from '#core/learning/substance.ts'
import { FEATURES, type Feature, FIRST_WORD, scoreOf, type WorthModel, worthFeatures } from '#core/learning/worth.ts'
import { type Labelled, readCandidates } from '../test/corpus/learnings/candidates.ts'
import { readPairs } from '../test/corpus/learnings/measure.ts'

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false } },
})
const folder = join('test', 'corpus', 'learnings')

const ROUNDS = 400
const DECAY = { seen: 0.003, word: 0.004 }

interface Example {
  set: string
  good: boolean
  features: Feature[]
  from: Pick<Labelled, 'summary' | 'detail'>
}

const example = (set: string, good: boolean, from: Example['from']): Example => {
  const { summary, detail } = from
  const substance = {
    summary: substanceOf(summary),
    detail: substanceOf(detail),
    all: substanceOf(`${summary}\n${detail}`),
  }
  return { set, good, from, features: worthFeatures({ summary, detail, substance }) }
}

const examples = readCandidates(folder).map((one) => example(one.set, one.good, one))
/** Learnings that were written to be told apart are all worth keeping; they stand beside every set and are no set themselves. */
const pairs = readPairs(folder).flatMap(({ a, b }) => [a, b].map((one) => example('pairs', true, one)))

/** What nobody had mended rules after tells more of what will come. */
const WEIGHT = new Map([
  ['stranger-a', 2],
  ['written', 2],
])

/** Logistic regression by full gradients with momentum: the same candidates give the same weights. Both labels weigh the same. */
function train(some: readonly Example[]): number[] {
  const weight = ({ set }: Example) => WEIGHT.get(set) ?? 1
  const total = (good: boolean) => some.reduce((sum, one) => sum + (one.good === good ? weight(one) : 0), 0)
  const totals = { good: total(true), worthless: total(false) }
  const weightOf = (one: Example) => (0.5 * weight(one)) / (one.good ? totals.good : totals.worthless)
  const rate = 1 / (0.25 * Math.max(...some.map(({ features }) => features.reduce((sum, [, v]) => sum + v * v, 0))))
  let last = new Float64Array(FEATURES)
  let ahead = last.slice()
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = ahead.map((weight, at) => weight * (at < FIRST_WORD ? DECAY.seen : DECAY.word))
    for (const one of some) {
      const score = one.features.reduce((sum, [at, value]) => sum + value * ahead[at]!, 0)
      const error = (1 / (1 + Math.exp(-score)) - Number(one.good)) * weightOf(one)
      for (const [at, value] of one.features) gradient[at]! += error * value
    }
    const next = ahead.map((weight, at) => weight - rate * gradient[at]!)
    ahead = next.map((weight, at) => weight + (round / (round + 3)) * (weight - last[at]!))
    last = next
  }
  return [...last].map((weight) => Math.round(1000 * weight))
}

const modelOf = (some: readonly Example[], least: number): WorthModel => ({
  trainedOn: `${some.length} candidates`,
  least,
  weights: train(some),
})

/** In thousandths: where sets that were left out lose one in twenty of the good. */
const LEAST = 450
const sets = [...new Set(examples.map(({ set }) => set))]
console.log('left out    good kept  worthless kept')
for (const set of sets) {
  const model = modelOf([...examples.filter((one) => one.set !== set), ...pairs], LEAST)
  const own = examples.filter((one) => one.set === set).map((one) => ({ ...one, score: scoreOf(model, one.features) }))
  const kept = (good: boolean) => {
    const those = own.filter((one) => one.good === good)
    return `${Math.round((100 * those.filter(({ score }) => score >= 0).length) / those.length)} %`
  }
  console.log(set.padEnd(12), kept(true).padStart(8), kept(false).padStart(8))
  if (values.wrong)
    for (const { good, score, from } of own)
      if (score >= 0 !== good)
        console.log(`  ${good ? 'lost' : 'kept'} ${score.toFixed(2)} ${from.summary}: ${from.detail}`)
}
if (values.write)
  writeFileSync('src/core/learning/worth.min.json', `${JSON.stringify(modelOf([...examples, ...pairs], LEAST))}\n`)
