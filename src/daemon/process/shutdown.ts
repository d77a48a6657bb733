/** npm passes Ctrl+C on to its child, which the terminal has already told: two signals this close together are one request. */
const SAME_WISH = 1000

interface Shutdown {
  /** Called once, on the first signal. */
  close(): Promise<void>
  /** Tells the person that it may take a moment. */
  notice(text: string): void
}

/** Resolves when a signal came and everything is closed. A second signal ends the process at once. */
export function closeOnSignal({ close, notice }: Shutdown): Promise<void> {
  return new Promise((resolve, reject) => {
    let askedAt: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (askedAt === undefined) {
        askedAt = Date.now()
        notice('Stopping; open answers may finish. Press Ctrl+C again to stop at once.')
        close().then(resolve, reject)
      } else if (Date.now() - askedAt > SAME_WISH) {
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}
