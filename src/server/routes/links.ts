import type { linkRoutes } from '#protocol/api/links.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'

/** A browser may take a while to start. */
const GOOD_FOR_MS = 120_000

/** What a link is good for, as `OneTimeCodes` keeps it. */
export const LETTING_IN = 'a link'

/** `/api/links`: a browser is let in. */
export function linkHandlers({ codes }: { codes: OneTimeCodes }): Handlers<typeof linkRoutes> {
  return { make: async () => ({ path: `/?token=${codes.issue(LETTING_IN, GOOD_FOR_MS)}` }) }
}
