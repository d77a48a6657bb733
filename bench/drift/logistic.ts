/** Logistic regression with a penalty on large weights, by Newton's method: small, exact, the same bytes for the same rows. */
export interface Fit {
  weights: number[]
  bias: number
}

const ROUNDS = 30

export function fitLogistic(rows: number[][], isHit: boolean[], penalty: number): Fit {
  const size = rows[0]!.length
  let x = Array.from({ length: size + 1 }, () => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = x.map((weight, k) => (k < size ? penalty * weight : 0))
    const hessian = x.map((_, k) => x.map((_, l) => (k === l ? (k < size ? penalty : 1e-9) : 0)))
    rows.forEach((row, at) => {
      const full = [...row, 1]
      const p = 1 / (1 + Math.exp(-dot(x, full)))
      const miss = p - (isHit[at] ? 1 : 0)
      for (let k = 0; k <= size; k++) {
        gradient[k]! += miss * full[k]!
        for (let l = 0; l <= size; l++) hessian[k]![l]! += p * (1 - p) * full[k]! * full[l]!
      }
    })
    const step = solve(hessian, gradient)
    x = x.map((weight, k) => weight - step[k]!)
  }
  return { weights: x.slice(0, size), bias: x[size]! }
}

export function chanceOf({ weights, bias }: Fit, row: number[]): number {
  return 1 / (1 + Math.exp(-(bias + dot(weights, row))))
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0)
}

/** Gauss with the largest pivot. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, k) => [...row, right[k]!])
  const size = rows.length
  for (let k = 0; k < size; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, at) => (Math.abs(row[k]!) > Math.abs(rows[best]![k]!) ? k + at : best), k)
    ;[rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!]
    for (let below = k + 1; below < size; below++) {
      const factor = rows[below]![k]! / rows[k]![k]!
      for (let l = k; l <= size; l++) rows[below]![l]! -= factor * rows[k]![l]!
    }
  }
  const found = Array.from({ length: size }, () => 0)
  for (let k = size - 1; k >= 0; k--) {
    const known = found.reduce((sum, value, l) => (l > k ? sum + value * rows[k]![l]! : sum), 0)
    found[k] = (rows[k]![size]! - known) / rows[k]![k]!
  }
  return found
}
