import { z } from 'zod'
import { flag, texts, time } from './fields.ts'
import { route } from './route.ts'

const Approval = z
  .strictObject({
    id: z.string(),
    kind: z
      .enum(['action', 'scope', 'prompt'])
      .describe(
        '`action`: a call for an intent that needs approval. `scope`: the agent asks for a wider scope. `prompt`: the client asks in its terminal, too',
      ),
    sessionId: z.string(),
    agentId: z.string().exactOptional(),
    root: z.string().describe("The project's folder on this machine"),
    intentId: z.string(),
    tool: z.string(),
    what: z.string().describe('What would be done, in one line, without secrets'),
    detail: z
      .string()
      .exactOptional()
      .describe('What is needed to decide: the diff, or the whole command and what it would touch; without secrets'),
    scope: texts.exactOptional().describe('The globs asked for'),
    reason: z.string().exactOptional(),
    askedAt: time,
    status: z
      .enum(['pending', 'approved', 'rejected', 'used', 'withdrawn', 'expired'])
      .describe(
        '`used`: approved once, and done. `withdrawn`: answered in the terminal. `expired`: can be answered in the terminal alone',
      ),
    answeredAt: time.exactOptional(),
    answeredIn: z.enum(['terminal', 'browser']).exactOptional(),
    note: z.string().exactOptional(),
  })
  .meta({ id: 'Approval', description: 'A request to a person, as it lies in the inbox until it is answered.' })

export const approvalRoutes = {
  list: route({
    method: 'GET',
    path: '/api/approvals',
    summary: 'Lists the requests that wait for a person, newest first.',
    query: z.object({ all: flag('Also those that have been answered') }),
    answer: z.strictObject({ approvals: z.array(Approval) }),
  }),
  answer: route({
    method: 'POST',
    path: '/api/approvals/:id',
    summary: "Answers a request. The first answer counts; the agent's call goes on at once.",
    person: true,
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({
      answer: z.enum(['approve', 'reject']),
      note: z.string().max(500).exactOptional().describe('A word to the agent'),
    }),
    answer: z.strictObject({ approval: Approval }),
    invalid: {
      code: 'bad_answer',
      suggestion: 'Send {"answer": "approve"} or {"answer": "reject"}, with a note if you like.',
    },
    refusals: ['approval_not_found'],
  }),
}
