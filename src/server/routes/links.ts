import type { linkRoutes } from '#protocol/api/links.ts'
import type { OneTimeWords } from '../one-time.ts'
import type { Handlers } from '../serve-route.ts'

/** A browser may take a while to start. */
const GOOD_FOR_MS = 120_000

/** What a link is good for, as `OneTimeWords` keeps it. */
export const LETTING_IN = 'a link'

/** `/api/links`: a browser is let in. */
export function linkHandlers({ words }: { words: OneTimeWords }): Handlers<typeof linkRoutes> {
  return { make: async () => ({ path: `/?token=${words.issue(LETTING_IN, GOOD_FOR_MS)}` }) }
}
