import { comparePlans } from '#core/plan/compare.ts'
import { planMarkdown } from '#core/plan/text.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import type { sessionPlanRoutes } from '#protocol/api/session-plans.ts'
import { isRefusal } from '#protocol/refusal.ts'
import * as commands from '#workflow/commands/approve.ts'
import type { Feature } from '#workflow/feature.ts'
import { askReview, giveReview, sendReview } from '#workflow/plan-reviews.ts'
import type { Handlers } from '../serve-route.ts'
import type { People } from '../teammates.ts'
import { type FeatureNeeds, findFeature, onFeature, shown } from './sessions.ts'

/** The plan of a feature session. */
export function sessionPlanHandlers(
  needs: FeatureNeeds & { people: Pick<People, 'find'> },
): Handlers<typeof sessionPlanRoutes> {
  const { features } = needs
  const { store } = features.world

  const version = async ({ session, files }: Feature, number: number) =>
    number === files.plan?.planVersion ? files.plan : store.planVersion(session.projectId, session.featureId, number)

  return {
    async show({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const plan = query.version === undefined ? feature.files.plan : await version(feature, query.version)
      if (query.version !== undefined && !plan) return noPlan()
      return { plan: plan ?? null, text: plan ? planMarkdown(plan.steps, { status: true }) : '' }
    },

    async versions({ params }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const plans = await store.versions(params.projectId, params.featureId)
      return {
        versions: plans.map(({ planVersion, hash, steps, reason, isApproved, createdAt }) => ({
          version: planVersion,
          hash,
          steps: steps.length,
          reason,
          isApproved,
          createdAt,
        })),
      }
    },

    async diff({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const to = query.to ?? feature.session.currentPlanVersion
      const from = query.from ?? Math.max(1, to - 1)
      const [before, after] = await Promise.all([version(feature, from), version(feature, to)])
      return before && after ? { from, to, changes: comparePlans(before.steps, after.steps) } : noPlan()
    },

    async reviews({ params }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      return { iterations: feature.files.reviews.iterations, recommended: feature.session.recommendedReviews }
    },

    comment: (given, by) =>
      onFeature(needs, given, async (feature, request) => {
        const sender = { request, by: by.name }
        const no = await commands.comment(features, feature, given.body.planHash, given.body.comments, sender)
        return (no as Refusal<'not_possible_now' | 'plan_changed'> | undefined) ?? shown(needs, feature)
      }),

    askReview: (given, by) =>
      onFeature(needs, given, async (feature) => {
        const { personId, planHash } = given.body
        const of = await needs.people.find(personId)
        if (!of?.name) return refusal('person_not_found', 'There is no such teammate.', 'GET /api/people lists them.')
        const no = await askReview(features, feature, planHash, { of: { id: of.id, name: of.name }, by })
        return no ?? shown(needs, feature)
      }),

    giveReview: (given, by) =>
      onFeature(needs, given, async (feature) => {
        const no = await giveReview(features, feature, given.body.planHash, given.body, by)
        return no ?? shown(needs, feature)
      }),

    sendReview: (given) =>
      onFeature(needs, given, async (feature) => {
        const no = await sendReview(features, feature, given.params.id)
        return (
          (no as Refusal<'not_possible_now' | 'plan_changed' | 'question_not_found'> | undefined) ??
          shown(needs, feature)
        )
      }),

    approve: (given, by) =>
      onFeature(needs, given, async (feature, request) => {
        const sender = { request, by: by.name }
        const no = await commands.approve(features, feature, given.body.planHash, given.body.signOff, sender)
        return (no as PlanRefusal | undefined) ?? shown(needs, feature)
      }),

    startWhenClean: (given) =>
      onFeature(needs, given, async (feature, request) => {
        const no = await commands.startWhenClean(features, feature, given.body.planHash, given.body.consent, request)
        return (
          (no as Refusal<'not_possible_now' | 'plan_changed' | 'plan_not_found'> | undefined) ?? shown(needs, feature)
        )
      }),
  }
}

type PlanRefusal = Refusal<'not_possible_now' | 'plan_changed' | 'signoff_required' | 'plan_not_found'>

function noPlan() {
  return refusal('plan_not_found', 'There is no plan in this version.', 'List the versions of the plan.')
}
