/** How many Claude runs were begun in an hour, over all feature sessions. The count begins anew on the hour. */
export interface HourCount {
  hour: number
  calls: number
}

const HOUR = 3_600_000

export function countCall(count: HourCount | undefined, now: number): HourCount {
  const hour = Math.floor(now / HOUR)
  return count?.hour === hour ? { hour, calls: count.calls + 1 } : { hour, calls: 1 }
}

export function callsIn(count: HourCount | undefined, now: number): number {
  return count?.hour === Math.floor(now / HOUR) ? count.calls : 0
}

export function nextHour(now: number): number {
  return (Math.floor(now / HOUR) + 1) * HOUR
}
