import type { gestureRoutes } from '#protocol/api/gestures.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'

/** The request follows its click at once. */
const GOOD_FOR_MS = 20_000

/** `/api/gestures`: a one-time code for a person's click. */
export function gestureHandlers({ codes }: { codes: OneTimeCodes }): Handlers<typeof gestureRoutes> {
  return { make: async ({ body }) => ({ gesture: codes.issue(body.for, GOOD_FOR_MS) }) }
}
