import { useSearchParams } from 'wouter'

/** What a view keeps in its address: read by name, and set; an empty value takes the name out. */
export function useAddress(): [params: URLSearchParams, set: (name: string, value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  return [params, set]
}
