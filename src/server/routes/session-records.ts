import { refusal } from '#core/refusal.ts'
import type { sessionRecordRoutes } from '#protocol/api/session-records.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import { LEFT_OUT, placeOf } from '#workflow/tasks/context.ts'
import { evidence } from '#workflow/tasks/pull-request.ts'
import type { Handlers } from '../serve-route.ts'
import { type FeatureNeeds, findFeature } from './sessions.ts'

const MOST_FOUND = 10_000
const PATCH_BYTES = 2 * 1024 * 1024

/** What a feature session has on record. */
export function sessionRecordHandlers(needs: FeatureNeeds): Handlers<typeof sessionRecordRoutes> {
  const { world } = needs.features
  return {
    async events({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      return { events: feature.events.after(query.after, query.limit), last: feature.events.last }
    },

    async output({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const { view, ...place } = query
      const lines = feature.output.page({ ...place, wanted: VIEWS[view] })
      return { lines, first: lines[0]?.number ?? 0, last: feature.output.last }
    },

    async found({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const { last } = feature.output
      const numbers = await feature.output.found(query.words)
      return { numbers: numbers.slice(-MOST_FOUND), last }
    },

    async status({ params }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      return { status: feature.files.status, breaker: feature.files.breaker.transitions }
    },

    async pr({ params }) {
      const feature = findFeature(needs, params)
      return isRefusal(feature) ? feature : { pr: feature.files.pr }
    },

    async checks({ params }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      return { criteria: evidence(feature.files), runs: feature.files.checks.runs }
    },

    async diff({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const { session, files } = feature
      const step = files.plan?.steps.find(({ id }) => id === query.step)
      const since = step?.metadata.checkpoint ?? session.baseCommitSha
      const diff = await world.repository.diff(placeOf(feature), since, { without: LEFT_OUT, maxBytes: PATCH_BYTES })
      if (diff.ok) return diff.value
      return refusal('repository_trouble', diff.message, 'Look at the worktree of the session.')
    },
  }
}

const VIEWS = {
  raw: () => true,
  talk: ({ kind }: OutputLine) => kind === 'text' || kind === 'prompt',
  story: isStory,
}

/** What Claude says and does, without tool results; errors are kept. */
function isStory({ kind, outcome, subagent }: OutputLine): boolean {
  if (subagent) return false
  return kind !== 'result' || outcome === 'denied' || outcome === 'error'
}
