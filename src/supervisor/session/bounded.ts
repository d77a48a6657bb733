/** Adds to the end of a list that must not grow for ever; an item already there moves to the end. */
export function pushBounded<T>(list: readonly T[], item: T, most: number): readonly T[] {
  return [...list.filter((one) => one !== item), item].slice(-most)
}
