import type { healthRoutes } from '#protocol/api/health.ts'
import type { Handlers } from '../serve-route.ts'

/** `/health`: that it runs, for how long, and which version. */
export function healthHandlers({ version }: { version: string }): Handlers<typeof healthRoutes> {
  const startedAt = process.uptime()
  return {
    show: async () => ({ status: 'ok', version, uptimeSeconds: Math.floor(process.uptime() - startedAt) }),
  }
}
