import type { gestureRoutes } from '#protocol/api/gestures.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'

/** A person's click leads to a request at once. */
const GOOD_FOR_MS = 20_000

/** `/api/gestures`: what a person's click is worth. */
export function gestureHandlers({ codes }: { codes: OneTimeCodes }): Handlers<typeof gestureRoutes> {
  return { make: async ({ body }) => ({ gesture: codes.issue(body.for, GOOD_FOR_MS) }) }
}
