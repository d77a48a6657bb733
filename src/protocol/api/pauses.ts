import { z } from 'zod'
import { time } from './fields.ts'
import { route } from './route.ts'

const Pause = z
  .strictObject({
    scope: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('session'), id: z.string() }),
      z.strictObject({ type: z.literal('project'), id: z.string() }),
      z.strictObject({ type: z.literal('all') }),
    ]),
    at: time,
    until: time.exactOptional().describe('Absent when it lasts until `grove resume`'),
  })
  .meta({ id: 'Pause', description: 'What Grove is switched off for: an agent session, a project, or everything.' })

export const pauseRoutes = {
  list: route({
    method: 'GET',
    path: '/api/pauses',
    summary: 'Lists the pauses that hold now; `grove pause` and `grove resume` change them.',
    answer: z.strictObject({ pauses: z.array(Pause) }),
  }),
}
