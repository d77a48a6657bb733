import { z } from 'zod'
import { time } from './fields.ts'
import { route } from './route.ts'

const scope = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('session'), id: z.string() }),
  z.strictObject({ type: z.literal('project'), id: z.string() }),
  z.strictObject({ type: z.literal('all') }),
])

const Pause = z
  .strictObject({
    scope,
    at: time,
    until: time.exactOptional().describe('Absent when it lasts until `grove resume`'),
  })
  .meta({ id: 'Pause', description: 'What Grove is switched off for: an agent session, a project, or everything.' })

const answer = z.strictObject({ pauses: z.array(Pause) })

export const pauseRoutes = {
  list: route({
    method: 'GET',
    path: '/api/pauses',
    summary: 'Lists the pauses that hold now.',
    answer,
  }),
  begin: route({
    method: 'POST',
    path: '/api/pauses',
    summary: 'Switches Grove off for an agent session, a project or everything, as `grove pause` does.',
    person: true,
    body: z.strictObject({
      scope,
      minutes: z.number().positive().max(525_600).exactOptional().describe('Until it is ended if left out'),
    }),
    answer,
  }),
  end: route({
    method: 'POST',
    path: '/api/pauses/end',
    summary: 'Ends a pause, as `grove resume` does.',
    person: true,
    body: z.strictObject({ scope }),
    answer,
  }),
}
