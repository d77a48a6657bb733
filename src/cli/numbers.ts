import { InvalidArgumentError } from 'commander'

/** Parsers for numeric options; what they reject is a usage error, exit code 2. */

const LONGEST = 15

/** How many, at least one. */
export const count = countTo(Number.POSITIVE_INFINITY)

export function countTo(most: number) {
  return (text: string): number => {
    const isCount = new RegExp(`^\\d{1,${LONGEST}}$`).test(text) && Number(text) >= 1 && Number(text) <= most
    if (isCount) return Number(text)
    throw new InvalidArgumentError(
      Number.isFinite(most) ? `Use a whole number from 1 to ${most}.` : 'Use a whole number of at least 1.',
    )
  }
}

export function above(least: number, most = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value > least && value <= most) return value
    throw new InvalidArgumentError(`Use a number above ${least}${Number.isFinite(most) ? ` and up to ${most}` : ''}.`)
  }
}
