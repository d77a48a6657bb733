import { refusal } from '#core/refusal.ts'
import type { approvalRoutes } from '#protocol/api/approvals.ts'
import { inbox } from '#supervisor/guard/approvals/approvals.ts'
import { answerRequest } from '#supervisor/guard/approvals/scope-request.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/approvals`: what agents wait for, and a person's answer. */
export function approvalHandlers({ guard }: { guard: GuardWorld }): Handlers<typeof approvalRoutes> {
  return {
    async list({ query }) {
      const requests = await inbox(guard)
      return { approvals: requests.filter(({ status }) => query.all === 'true' || status === 'pending') }
    },

    async answer({ params: { id }, body: { answer, note } }) {
      const said = { approve: answer === 'approve', in: 'browser' as const, ...(note && { note }) }
      const approval = await answerRequest(guard, id, said)
      if (approval) return { approval }
      return refusal('approval_not_found', `There is no request ${id}.`, 'GET /api/approvals lists those that wait.')
    },
  }
}
