/** What the work comes to, or `late` when it takes longer than so many milliseconds. The work itself goes on. */
export async function withTimeout<T, const Late>(work: Promise<T>, timeoutMs: number, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
