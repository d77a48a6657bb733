import { z } from 'zod'
import { route } from './route.ts'

export const healthRoutes = {
  show: route({
    method: 'GET',
    path: '/health',
    summary: 'Reports that Grove is running, and its version. The only route that needs no secret.',
    answer: z.strictObject({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int() }),
  }),
}
