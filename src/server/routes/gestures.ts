import type { gestureRoutes } from '#protocol/api/gestures.ts'
import type { OneTimeWords } from '../one-time.ts'
import type { Handlers } from '../serve-route.ts'

/** A person's click leads to a request at once. */
const GOOD_FOR_MS = 20_000

/** `/api/gestures`: what a person's click is worth. */
export function gestureHandlers({ words }: { words: OneTimeWords }): Handlers<typeof gestureRoutes> {
  return { make: async ({ body }) => ({ gesture: words.issue(body.for, GOOD_FOR_MS) }) }
}
