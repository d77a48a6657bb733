import { z } from 'zod'
import { route } from './route.ts'

export const healthRoutes = {
  show: route({
    method: 'GET',
    path: '/health',
    summary: 'Tells that Grove runs, and which version. The only route that is open to all who can connect.',
    answer: z.strictObject({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int() }),
  }),
}
