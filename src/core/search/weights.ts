/** The weights that ship, as `bench/train-retrieval.ts` wrote them. */

import trained from './rank.min.json' with { type: 'json' }
import type { Weights } from './rank.ts'

export const shippedWeights: Weights = trained
