/** What is tried of many attacks: all by `npm run test:security`, else a few of them, so that the whole suite stays short. */
export function attempted<T>(attacks: readonly T[], share = 8): T[] {
  return attacks.filter((_, n) => process.env.GROVE_ATTACKS === 'all' || n % share === 0)
}
