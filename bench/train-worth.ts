// npm run bench train-worth -- [--write] [--wrong]: what the write gate's model is worth on sets it was not trained on; with --write its weights.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { substanceOf } from '#core/learning/substance.ts'
import { scoreOf, type WorthModel } from '#core/learning/worth.ts'
import { FEATURES, type Feature, worthFeatures } from '#core/learning/worth-features.ts'
import { type Labelled, readCandidates } from '../test/corpus/learnings/candidates.ts'
import { readPairs } from '../test/corpus/learnings/measure.ts'

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false } },
})
const folder = join('test', 'corpus', 'learnings')

const ROUNDS = 20
/** How much a mistake costs beside large weights. */
const COST = 0.1

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

/**
 * A support vector machine with squared loss, by coordinate descent on its dual: the same candidates give the same weights.
 * Both labels weigh the same.
 */
function train(some: readonly Example[]): number[] {
  const weights = new Float64Array(FEATURES)
  const multipliers = new Float64Array(some.length)
  const lengths = some.map(({ features }) => features.reduce((sum, [, value]) => sum + value * value, 0))
  const share = (good: boolean) => some.filter((one) => one.good === good).length / some.length
  const slack = { true: share(true) / COST, false: share(false) / COST }
  const order = some.map((_, at) => at)
  const random = drawer()
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(order, random)
    for (const at of order) {
      const { good, features } = some[at]!
      const sign = good ? 1 : -1
      const room = slack[`${good}`]
      const score = features.reduce((sum, [index, value]) => sum + value * weights[index]!, 0)
      const before = multipliers[at]!
      const after = Math.max(0, before - (sign * score - 1 + room * before) / (lengths[at]! + room))
      if (after === before) continue
      multipliers[at] = after
      for (const [index, value] of features) weights[index]! += (after - before) * sign * value
    }
  }
  return [...weights].map((weight) => Math.round(1000 * weight))
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = random() % (at + 1)
    const [a, b] = [order[at]!, order[other]!]
    order[at] = b
    order[other] = a
  }
}

/** The same numbers each time. */
function drawer(): () => number {
  let last = 1
  return () => {
    last = (last * 1103515245 + 12345) % 2147483648
    return last
  }
}

const modelOf = (some: readonly Example[]): WorthModel => ({
  trainedOn: `${some.length} candidates`,
  weights: train(some),
})

type Scored = Example & { score: number }

function tell(name: string, some: readonly Scored[]): void {
  const kept = (good: boolean) => {
    const those = some.filter((one) => one.good === good)
    return `${((100 * those.filter(({ score }) => score >= 0).length) / those.length).toFixed(1)} %`
  }
  console.log(name.padEnd(14), kept(true).padStart(8), kept(false).padStart(8))
}

const sets = [...new Set(examples.map(({ set }) => set))]
console.log('left out      good kept  worthless kept')
const scored = sets.flatMap((set) => {
  const model = modelOf([...examples.filter((one) => one.set !== set), ...pairs])
  const own = examples.filter((one) => one.set === set).map((one) => ({ ...one, score: scoreOf(model, one.features) }))
  tell(set, own)
  if (values.wrong)
    for (const { good, score, from } of own)
      if (score >= 0 !== good)
        console.log(`  ${good ? 'lost' : 'kept'} ${score.toFixed(2)} ${from.summary}: ${from.detail}`)
  return own
})
tell('all', scored)
tell(
  'of strangers',
  scored.filter(({ set }) => set.startsWith('stranger')),
)
if (values.write)
  writeFileSync('src/core/learning/worth.min.json', `${JSON.stringify(modelOf([...examples, ...pairs]))}\n`)
