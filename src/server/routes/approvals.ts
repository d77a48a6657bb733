import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { GuardWorld } from '#core/ports/guard.ts'
import { inbox } from '#supervisor/guard/approvals.ts'
import { answerRequest } from '#supervisor/guard/handshake.ts'
import { speaksForAPerson } from '../page-key.ts'

const Answer = z.strictObject({ answer: z.enum(['approve', 'reject']), note: z.string().max(500).optional() })

interface Needs {
  guard: GuardWorld
  token: string
}

/** `/api/approvals`: what agents wait for, and a person's answer. */
export async function approvalRoutes(app: FastifyInstance, { guard, token }: Needs): Promise<void> {
  app.get<{ Querystring: { all?: string } }>('/api/approvals', async ({ query }) => {
    const requests = await inbox(guard)
    return { approvals: requests.filter(({ status }) => query.all === 'true' || status === 'pending') }
  })

  app.post<{ Params: { id: string }; Body: unknown }>(
    '/api/approvals/:id',
    async ({ params, body, headers }, reply) => {
      if (!speaksForAPerson(headers, token)) {
        return reply.status(403).send({
          status: 'error',
          code: 'only_people',
          message: 'Requests are answered by a person: on the page, or in a terminal.',
          suggestion: 'Open the page, run `grove intent approve`, or send the token as `Authorization: Bearer …`.',
        })
      }
      const said = Answer.safeParse(body)
      if (!said.success) {
        return reply.status(400).send({
          status: 'error',
          code: 'bad_answer',
          message: z.prettifyError(said.error),
          suggestion: 'Send {"answer": "approve"} or {"answer": "reject"}, with a note if you like.',
        })
      }
      const { answer, note } = said.data
      const approval = await answerRequest(guard, params.id, {
        approve: answer === 'approve',
        in: 'browser',
        ...(note && { note }),
      })
      if (approval) return { approval }
      return reply.status(404).send({
        status: 'error',
        code: 'approval_not_found',
        message: `There is no request ${params.id}.`,
        suggestion: 'GET /api/approvals lists those that wait.',
      })
    },
  )
}
