import weights from './mentions.min.json' with { type: 'json' }
import { BUCKETS } from './mentions.ts'

/** Two linear models: a weight per feature, and one for none at all, in hundredths. */
export interface MentionModel {
  trainedOn: string
  closes: number[]
  keeps: number[]
}

const model: MentionModel = weights

interface Features {
  features: readonly number[]
}

/** How sure the reader is that what is said closes the place that is named: 0 to 1. */
export function closedness(mention: Features, { closes }: Pick<MentionModel, 'closes'> = model): number {
  return sure(mention, closes)
}

/** How sure it is that the work is kept to that place, and all the rest closed: 0 to 1. */
export function keptness(mention: Features, { keeps }: Pick<MentionModel, 'keeps'> = model): number {
  return sure(mention, keeps)
}

function sure({ features }: Features, weights: readonly number[]): number {
  const score = features.reduce((sum, at) => sum + (weights[at] ?? 0), weights[BUCKETS] ?? 0) / 100
  return 1 / (1 + Math.exp(-score))
}
