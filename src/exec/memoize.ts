/** Caches the answer per key for `forMs`; a failure is not cached. */
export function memoize<T>(ask: (key: string) => Promise<T>, forMs: number, now: () => number = Date.now) {
  const known = new Map<string, { at: number; answer: Promise<T> }>()
  return (key: string): Promise<T> => {
    const found = known.get(key)
    if (found && now() - found.at < forMs) return found.answer
    const answer = ask(key)
    known.set(key, { at: now(), answer })
    // The caller gets the error with the answer; the next one asks anew.
    answer.catch(() => known.delete(key))
    return answer
  }
}
