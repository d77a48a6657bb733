/** The weights that ship, as `bench/train-retrieval.ts` wrote them. */
import type { Weights } from './rank.ts'
import trained from './rank.min.json' with { type: 'json' }

export const shippedWeights: Weights = trained
