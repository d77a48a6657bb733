/** Limits how many calls run at once; the others wait in a queue. */
export function limiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running++
    // A call that finishes hands its place to the next in the queue, so that no other slips in between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
