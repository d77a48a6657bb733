import { InvalidArgumentError } from 'commander'

/** Parsers for numeric options; what they reject is a usage error, exit code 2. */

const LONGEST = 15

/** How many, at least one. */
export function count(text: string): number {
  if (!new RegExp(`^\\d{1,${LONGEST}}$`).test(text) || Number(text) < 1)
    throw new InvalidArgumentError('Use a whole number of at least 1.')
  return Number(text)
}

export function above(least: number, most = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value > least && value <= most) return value
    throw new InvalidArgumentError(`Use a number above ${least}${Number.isFinite(most) ? ` and up to ${most}` : ''}.`)
  }
}
