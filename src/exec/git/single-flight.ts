import { mayBeLost } from '#core/lost-locks.ts'

interface Runs<T> {
  running: Promise<T>
  /** Begins when `running` has ended. */
  next?: Promise<T>
}

/**
 * Runs a question at most once at a time for each key. A caller that arrives while one is running waits for the next
 * run, and shares it with all others that arrive meanwhile: an answer is never older than its question.
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
