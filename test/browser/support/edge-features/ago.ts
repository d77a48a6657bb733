/** Moments before now, as the server writes them. */

const MINUTE = 60_000
export const now = Date.now()
export const iso = (minutesAgo: number) => new Date(now - minutesAgo * MINUTE).toISOString()
