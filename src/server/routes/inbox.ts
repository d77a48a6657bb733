import type { inboxRoutes } from '#protocol/api/inbox.ts'
import { reviewsAskedOf, waitingOf } from '#workflow/view.ts'
import type { Handlers } from '../serve-route.ts'
import type { FeatureNeeds } from './sessions.ts'

export function inboxHandlers({ features }: FeatureNeeds): Handlers<typeof inboxRoutes> {
  return {
    async list({ query }, by) {
      const seen = features
        .all()
        .filter(({ session }) => !session.deletedAt && (query.archived === 'true' || !session.archivedAt))
      const waiting = seen
        .flatMap((one) => [...waitingOf(one), ...reviewsAskedOf(one, by.id)])
        .sort((a, b) => (a.since < b.since ? -1 : 1))
      return { waiting }
    },
  }
}
