import type { Logistic } from '#core/search/rank-confidence.ts'

export interface Example {
  features: number[]
  label: boolean
  weight: number
}

/** Logistic regression by full-batch gradient descent on standardised features, returned in the features' own units. */
export function fitLogistic(examples: Example[], steps = 400, rate = 0.5, decay = 1e-3): Logistic {
  const width = examples[0]!.features.length
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const mean = Array.from(
    { length: width },
    (_, f) => examples.reduce((sum, { features, weight }) => sum + weight * features[f]!, 0) / total,
  )
  const spread = mean.map(
    (m, f) =>
      Math.sqrt(examples.reduce((sum, { features, weight }) => sum + weight * (features[f]! - m) ** 2, 0) / total) +
      1e-6,
  )
  const z = examples.map(({ features }) => features.map((value, f) => (value - mean[f]!) / spread[f]!))
  const weights = mean.map(() => 0)
  let bias = 0
  for (let step = 0; step < steps; step++) {
    const slope = weights.map((w) => decay * w)
    let biasSlope = 0
    examples.forEach(({ label, weight }, i) => {
      const p = 1 / (1 + Math.exp(-z[i]!.reduce((sum, value, f) => sum + value * weights[f]!, bias)))
      const error = (weight * (p - (label ? 1 : 0))) / total
      biasSlope += error
      for (let f = 0; f < width; f++) slope[f]! += error * z[i]![f]!
    })
    bias -= rate * biasSlope
    for (let f = 0; f < width; f++) weights[f]! -= rate * slope[f]!
  }
  const own = weights.map((w, f) => w / spread[f]!)
  return { weights: own, bias: bias - own.reduce((sum, w, f) => sum + w * mean[f]!, 0) }
}
