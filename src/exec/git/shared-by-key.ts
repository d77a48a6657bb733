import { mayBeLost } from '#core/lost-turns.ts'

interface Runs<T> {
  running: Promise<T>
  /** Begins when `running` has ended. */
  next?: Promise<T>
}

/**
 * A question that is asked at most once at a time for each key. Whoever asks while an answer is being found gets the next
 * one, with everybody else who asks meanwhile: an answer never tells of a time before it was asked for.
 */
export function sharedByKey<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, Runs<T>>()
  mayBeLost(() => {
    const taken = [...asked]
    return () => {
      for (const [key, runs] of taken) if (asked.get(key) === runs) asked.delete(key)
    }
  })

  function begin(key: string): Promise<T> {
    const runs: Runs<T> = { running: ask(key) }
    asked.set(key, runs)
    const end = () => {
      if (!runs.next) asked.delete(key)
    }
    runs.running.then(end, end)
    return runs.running
  }

  return (key) => {
    const runs = asked.get(key)
    if (!runs) return begin(key)
    const again = () => begin(key)
    runs.next ??= runs.running.then(again, again)
    return runs.next
  }
}
