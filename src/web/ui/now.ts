import { ahead, serverNow } from './clock.ts'
import { Store, useStore } from './store.ts'

/** The time, for everything that says how long ago; one clock for the whole page. */
const seconds = new Store(serverNow())
const minutes = new Store(serverNow())

setInterval(() => seconds.set(serverNow()), 1_000)
setInterval(() => minutes.set(serverNow()), 15_000)

// Found wrong, every age is told anew at once.
ahead.watch(() => {
  seconds.set(serverNow())
  minutes.set(serverNow())
})

/** The time, to a quarter of a minute. */
export function useNow(): number {
  return useStore(minutes)
}

/** The time, to the second: for what counts down. */
export function useSeconds(): number {
  return useStore(seconds)
}
