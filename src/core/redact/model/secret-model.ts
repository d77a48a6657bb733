import { BUCKETS } from './secret-features.ts'
import trained from './secrets.min.json' with { type: 'json' }

/**
 * How sure it is that a value is a secret: a linear model over what is seen of it and around it, trained by
 * bench/train-secrets.ts. Above zero it rather is one.
 */
export function scoreOf(features: readonly number[]): number {
  weights ??= unpacked(trained)
  return scoreBy(weights, trained.scale, features)
}

/** Two bytes a weight, as base64, and what one step is worth. */
export interface SecretModel {
  trainedOn: string
  scale: number
  packed: string
}

let weights: Weights | undefined

/** What a feature speaks for, or against where it is below zero. */
type Weights = (feature: number) => number

/** @public Training scores values by models of its own. A text has few of the features, so they are read where they are packed. */
export function unpacked({ packed }: SecretModel): Weights {
  const bytes = atob(packed)
  // From two bytes to a number with a sign.
  return (at) => ((bytes.charCodeAt(2 * at) | (bytes.charCodeAt(2 * at + 1) << 8)) << 16) >> 16
}

/** @public The features of a value, some of them twice, count each once. */
export function scoreBy(by: Weights, scale: number, features: readonly number[]): number {
  turn++
  let sum = 0
  let many = 0
  for (const feature of features) {
    if (countedIn[feature] === turn) continue
    countedIn[feature] = turn
    sum += by(feature)
    many++
  }
  return (sum * scale) / Math.sqrt(Math.max(1, many))
}

/** In which turn a feature was last counted: a set for each value would take as long as all the rest. */
const countedIn = new Float64Array(BUCKETS)
let turn = 0
