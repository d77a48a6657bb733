import { z } from 'zod'
import { route } from './route.ts'

export const gestureRoutes = {
  make: route({
    method: 'POST',
    path: '/api/gestures',
    summary:
      "Gives the page a one-time code after a person's click. It is valid for 20 seconds and for the named request, which sends it in the header `x-grove-gesture`.",
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
