import { useSearchParams } from 'wouter'

/** What a view keeps in its address: read by name, and set; an empty value takes the name out. */
export function useAddress(): [params: URLSearchParams, set: (name: string, value: string) => void] {
  const [params, setParams] = useSearchParams()
  // A way back over every letter of a search would be none.
  const set = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: name === 'q' },
    )
  return [params, set]
}

/** One of several by its name in the address; an old or mistyped link means the usual one. */
export function oneOf<T extends string>(named: string | null, known: readonly T[], usual: T): T {
  return known.find((one) => one === named) ?? usual
}
