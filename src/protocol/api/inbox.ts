import { z } from 'zod'
import { flag } from './fields.ts'
import { route } from './route.ts'
import { Waiting } from './sessions.ts'

export const inboxRoutes = {
  list: route({
    method: 'GET',
    path: '/api/inbox',
    summary: 'Lists everything that waits for a person, over all feature sessions, oldest first.',
    query: z.object({ archived: flag('Also of archived sessions') }),
    answer: z.strictObject({ waiting: z.array(Waiting) }),
  }),
}
