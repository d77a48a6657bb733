import { InvalidArgumentError } from 'commander'

/** Parsers for numeric options; what they reject is a usage error, exit code 2. */

const LONGEST = 15

/** How many, at least one. */
export const count = whole(1)

export function whole(least: number, most = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    const value = Number(text)
    if (new RegExp(`^\\d{1,${LONGEST}}$`).test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(
      `Use a whole number ${Number.isFinite(most) ? `from ${least} to ${most}` : `of at least ${least}`}.`,
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
