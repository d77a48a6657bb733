import type { ClientFinding, canaryRoutes } from '#protocol/api/canary.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/canary`: what Grove does not understand of client versions. */
export function canaryHandlers({ findings }: { findings(): Promise<ClientFinding[]> }): Handlers<typeof canaryRoutes> {
  return { list: async () => ({ findings: await findings() }) }
}
