/** How long to wait before the next try to connect, in seconds: doubled each time, at most half a minute. */
export function waitBefore(attempt: number): number {
  return Math.min(30, 2 ** Math.max(0, attempt - 1))
}

/** After so many failed tries the page says that the connection is lost, and what can be done. */
export const LOST_AFTER = 5
