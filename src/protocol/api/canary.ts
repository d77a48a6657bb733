import { z } from 'zod'
import { FINDING_KINDS } from '#core/canary/finding.ts'
import { time } from './fields.ts'
import { route } from './route.ts'

export const FindingKind = z.enum(FINDING_KINDS)

/** One thing that Grove does not understand of a client version. */
export const ClientFinding = z
  .strictObject({
    kind: FindingKind,
    subject: z.string().exactOptional().describe('The name that is unknown or missing'),
    version: z.string().describe('Of Claude Code; `unknown` where only hooks were seen'),
    sessionId: z.string().exactOptional().describe('The session in which it was noticed last'),
    noticed: z.string(),
    affected: z.string(),
    fallback: z.string().describe('What Grove does instead'),
    at: time,
  })
  .meta({ id: 'ClientFinding', description: 'Something of a client version that Grove does not understand.' })
export type ClientFinding = z.infer<typeof ClientFinding>

export const canaryRoutes = {
  list: route({
    method: 'GET',
    path: '/api/canary',
    summary: 'Lists what Grove does not understand of the clients it has seen in the last month, newest first.',
    answer: z.strictObject({ findings: z.array(ClientFinding) }),
  }),
}
