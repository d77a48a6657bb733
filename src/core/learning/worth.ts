import weights from './worth.min.json' with { type: 'json' }
import { type Feature, type Seen, worthFeatures } from './worth-features.ts'

/**
 * How much a later session could do with a candidate: a linear model over what is seen of its summary and its detail, over
 * how they are written down, and over their words without the names. Trained by bench/train-worth.ts on candidates that
 * people had labelled, in many languages (test/corpus/learnings). Above zero it is worth keeping.
 */
export function worthOf(candidate: Seen): number {
  return scoreOf(model, worthFeatures(candidate))
}

/** A weight per feature, in thousandths. */
export interface WorthModel {
  trainedOn: string
  weights: number[]
}

const model: WorthModel = weights

/** @public Training scores candidates by models of its own. */
export function scoreOf({ weights }: WorthModel, features: readonly Feature[]): number {
  return features.reduce((sum, [index, value]) => sum + value * (weights[index] ?? 0), 0) / 1000
}
