import { Store } from './store.ts'

/** The server's clock: what happened when is told by it, whatever the browser's own clock says. */

/** Smaller differences are the time that an answer takes, and that the header tells no parts of a second. */
const NOTICED_MS = 5_000

/** How far the browser's clock is ahead. */
export const ahead = new Store(0)

/** Takes the time from the `Date` header of an answer. */
export function noteServerTime(date: string | null): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told)) return
  const difference = Date.now() - told
  if (Math.abs(difference - ahead.get()) > NOTICED_MS) ahead.set(Math.abs(difference) > NOTICED_MS ? difference : 0)
}

export function serverNow(): number {
  return Date.now() - ahead.get()
}
