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

let weights: Int16Array | undefined

/** @public Training scores values by models of its own. */
export function unpacked({ packed }: SecretModel): Int16Array {
  const bytes = atob(packed)
  return Int16Array.from(
    { length: bytes.length / 2 },
    (_, at) => bytes.charCodeAt(2 * at) | (bytes.charCodeAt(2 * at + 1) << 8),
  )
}

/** @public The features of a value, some of them twice, count each once. */
export function scoreBy(by: ArrayLike<number>, scale: number, features: readonly number[]): number {
  const each = new Set(features)
  let sum = 0
  for (const feature of each) sum += by[feature]!
  return (sum * scale) / Math.sqrt(Math.max(1, each.size))
}
