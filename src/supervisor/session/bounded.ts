/** Adds to the end of a list that must not grow for ever; an item already there moves to the end. */
export function pushBounded<T>(list: readonly T[], item: T, most: number): readonly T[] {
  const others = list.includes(item) ? list.filter((one) => one !== item) : list
  return [...others.slice(others.length < most ? 0 : others.length - most + 1), item]
}
