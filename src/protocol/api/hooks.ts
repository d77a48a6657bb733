import { z } from 'zod'
import { route } from './route.ts'

/**
 * The route of Claude Code's own http hooks. It is served by the room `hooks`, ahead of the web server's lifecycle, and
 * its payloads are read by `protocol/hook-event.ts`; here it stands for the page of the API.
 */
export const hookRoutes = {
  receive: route({
    method: 'POST',
    path: '/hooks/:event',
    summary:
      'Takes a hook event of Claude Code, and answers with its hook output. The status is always 200, because the client ignores any other answer.',
    params: z.strictObject({ event: z.string().describe('In kebab-case, such as `pre-tool-use`') }),
    body: z.looseObject({ session_id: z.string() }).describe("Claude Code's payload, in its own spelling"),
    answer: z.looseObject({}).describe("Claude Code's hook output"),
  }),
}
