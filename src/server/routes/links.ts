import type { linkRoutes } from '#protocol/api/links.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'

/** A browser may take a while to start. */
const GOOD_FOR_MS = 120_000

/** The purpose of these codes in `OneTimeCodes`. */
export const LETTING_IN = 'a link'

/** `/api/links`: a one-time link that lets a browser in. */
export function linkHandlers({ codes }: { codes: OneTimeCodes }): Handlers<typeof linkRoutes> {
  return { make: async () => ({ path: `/?token=${codes.issue(LETTING_IN, GOOD_FOR_MS)}` }) }
}
