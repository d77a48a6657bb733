import type { linkRoutes } from '#protocol/api/links.ts'
import { linkPath } from '../invitations.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/links`: a one-time link that lets a browser in. */
export function linkHandlers({ codes }: { codes: OneTimeCodes }): Handlers<typeof linkRoutes> {
  return { make: async () => ({ path: linkPath(codes) }) }
}
