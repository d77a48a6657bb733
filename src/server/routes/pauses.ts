import type { Clock } from '#core/ports/runtime.ts'
import type { pauseRoutes } from '#protocol/api/pauses.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { Handlers } from '../serve-route.ts'

interface Needs {
  pauses: Pick<Pauses, 'list' | 'pause' | 'resume'>
  memory: { clock: Clock }
}

/** `/api/pauses`: what is switched off for now. */
export function pauseHandlers({ pauses, memory: { clock } }: Needs): Handlers<typeof pauseRoutes> {
  const list = async () => ({ pauses: await pauses.list() })
  return {
    list,
    async begin({ body: { scope, minutes } }) {
      await pauses.pause(scope, minutes === undefined ? undefined : clock.now() + minutes * 60_000)
      return list()
    },
    async end({ body: { scope } }) {
      await pauses.resume([scope])
      return list()
    },
  }
}
