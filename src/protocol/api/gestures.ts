import { z } from 'zod'
import { route } from './route.ts'

export const gestureRoutes = {
  make: route({
    method: 'POST',
    path: '/api/gestures',
    summary:
      "Gives the page a word that is good once, within 20 seconds of a person's click, for the request that is named; it goes into that request's header `x-grove-gesture`.",
    body: z.strictObject({
      for: z
        .string()
        .max(500)
        .regex(/^(?:POST|PATCH|PUT|DELETE) \/\S*$/)
        .describe('Method and path, such as `POST /api/approvals/apr-1`'),
    }),
    answer: z.strictObject({ gesture: z.string() }),
  }),
}
