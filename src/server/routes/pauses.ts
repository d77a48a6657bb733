import type { pauseRoutes } from '#protocol/api/pauses.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/pauses`: what is switched off for now. */
export function pauseHandlers({ pauses }: { pauses: Pick<Pauses, 'list'> }): Handlers<typeof pauseRoutes> {
  return { list: async () => ({ pauses: await pauses.list() }) }
}
