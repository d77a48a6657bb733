import weights from './mentions.min.json' with { type: 'json' }
import { BUCKETS } from './mentions.ts'

/** A linear model: a weight per feature, and one for none at all, in hundredths. */
export interface MentionModel {
  trainedOn: string
  weights: number[]
}

const model: MentionModel = weights

/** How sure the reader is that what is said closes the place that is named: 0 to 1. */
export function closedness({ features }: { features: readonly number[] }, { weights }: MentionModel = model): number {
  const score = features.reduce((sum, at) => sum + (weights[at] ?? 0), weights[BUCKETS] ?? 0) / 100
  return 1 / (1 + Math.exp(-score))
}
