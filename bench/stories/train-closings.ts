import {
  CLOSINGS,
  type Closing,
  type ClosingModel,
  classify,
  closingFeatures,
  FEATURES,
  FIRST_WORD,
} from '#core/goal/closing.ts'
import type { ClosingStory } from './data.ts'

/** Logistic regression over three classes, by full gradients: the same stories give the same weights. */

const ROUNDS = 120
const RATE = 0.1
const FOLDS = 8
const DECAY = { cue: 0.002, word: 0.006 }
/** How much more a closing of a real session weighs than a written one, and a class that is rare. */
const REAL = 3
const RARE = 1

interface Example {
  group: string
  label: Closing
  features: readonly (readonly [number, number])[]
  weight: number
}

/** Rare classes weigh as much as the frequent one, since each counts the same in the figure. */
function examplesOf(stories: readonly ClosingStory[]): Example[] {
  const counts = new Map(CLOSINGS.map((label) => [label, stories.filter((story) => story.label === label).length]))
  return stories.map(({ source, instruction, closing, label }) => ({
    // One repository, or one instruction where all come from the same hand.
    group: source.includes('/') ? source.split(/[/#:]/).slice(0, 2).join('/') : instruction,
    label,
    features: closingFeatures(closing, instruction),
    weight: (stories.length / (3 * counts.get(label)!)) ** RARE * (source.includes('/') ? REAL : 1),
  }))
}

/**
 * Each weight has its own step (AdaGrad): a rare word is not left behind by the frequent ones. Weights that stand already are
 * where it begins and what it falls back to, so that what they know of stories that are no longer there is kept.
 */
function train(examples: readonly Example[], standing?: ClosingModel): Record<Closing, Float64Array> {
  const start = CLOSINGS.map((label) =>
    Float64Array.from({ length: FEATURES }, (_, at) => (standing?.weights[label][at] ?? 0) / 1000),
  )
  const weights = start.map((row) => row.slice())
  const seen = CLOSINGS.map(() => new Float64Array(FEATURES).fill(1e-4))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const rows = examples.map(({ features, label, weight }) => ({
    at: Int32Array.from(features, ([at]) => at),
    values: Float64Array.from(features, ([, value]) => value),
    isLabel: CLOSINGS.map((one) => (one === label ? 1 : 0)),
    share: weight / total,
  }))
  for (let round = 0; round < ROUNDS; round++) {
    const gradients = CLOSINGS.map(() => new Float64Array(FEATURES))
    for (const { at, values, isLabel, share } of rows) {
      const scores = weights.map((row) => {
        let sum = 0
        for (let i = 0; i < at.length; i++) sum += values[i]! * row[at[i]!]!
        return sum
      })
      const most = Math.max(...scores)
      const odds = scores.map((score) => Math.exp(score - most))
      const sum = odds.reduce((a, b) => a + b, 0)
      for (const [k, row] of gradients.entries()) {
        const error = (odds[k]! / sum - isLabel[k]!) * share
        for (let i = 0; i < at.length; i++) row[at[i]!]! += error * values[i]!
      }
    }
    for (const [k, row] of weights.entries())
      for (let at = 0; at < FEATURES; at++) {
        const gradient = gradients[k]![at]! + (at < FIRST_WORD ? DECAY.cue : DECAY.word) * (row[at]! - start[k]![at]!)
        if (gradient === 0) continue
        seen[k]![at]! += gradient * gradient
        row[at]! -= (RATE * gradient) / Math.sqrt(seen[k]![at]!)
      }
  }
  return Object.fromEntries(CLOSINGS.map((label, k) => [label, weights[k]!])) as Record<Closing, Float64Array>
}

function modelOf(weights: Record<Closing, Float64Array>, trainedOn: string): ClosingModel {
  const rounded = (label: Closing) => [...weights[label]].map((value) => Math.round(value * 1000))
  return {
    trainedOn,
    weights: { finished: rounded('finished'), unfinished: rounded('unfinished'), asks: rounded('asks') },
  }
}

export function trainClosings(stories: readonly ClosingStory[], standing?: ClosingModel): ClosingModel {
  return modelOf(
    train(examplesOf(stories), standing),
    `${stories.length} closings${standing ? ' and what was known' : ''}`,
  )
}

/** What models say of closings whose repository, or instruction, they were not trained on. */
export function crossValidate(stories: readonly ClosingStory[]): { story: ClosingStory; label: Closing }[] {
  const examples = examplesOf(stories)
  const groups = [...new Set(examples.map(({ group }) => group))].sort()
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]))
  const found: { story: ClosingStory; label: Closing }[] = []
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = modelOf(train(examples.filter(({ group }) => foldOf.get(group) !== fold)), '')
    for (const [at, { group, features }] of examples.entries())
      if (foldOf.get(group) === fold) found.push({ story: stories[at]!, label: classify(model, features) })
  }
  return found
}
