import { redact } from '#core/redact/redact.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { isOver } from '#core/workflow/decide.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { PlanComment, PlanReview } from '#protocol/workflow/reviews.ts'
import { planId } from './announce.ts'
import { comment } from './commands/approve.ts'
import type { CommandRefusal } from './commands/refused.ts'
import type { Engine } from './engine.ts'
import type { Feature } from './feature.ts'

/**
 * Reviews of a plan by teammates. They are requested, and kept under the reviewer's name, but change nothing by
 * themselves: the person who works on the feature decides whether one goes to Claude as a change request.
 */

interface Who {
  id: string
  name: string | null
}

type ReviewRefusal = Refusal<'not_possible_now' | 'plan_changed' | 'plan_not_found' | 'person_not_found'>

export async function askReview(
  engine: Engine,
  feature: Feature,
  hash: string,
  { of, by }: { of: { id: string; name: string }; by: Who },
): Promise<ReviewRefusal | undefined> {
  return onPlan(feature, hash, (files) => {
    const isAsked = (one: PlanReview) => one.personId === of.id && one.planHash === hash && one.verdict === null
    if (files.reviews.people?.some(isAsked)) return undefined
    const asked: PlanReview = {
      ...newReview(engine, feature, of.id, of.name),
      ...(by.name !== null && { askedBy: by.name }),
    }
    return {
      files: withReviews(files, [...(files.reviews.people ?? []), asked]),
      event: { type: 'plan.review_asked', planId: planId(files.session), of: of.name, ...named(by) },
    }
  })
}

export interface GivenReview {
  verdict: 'fine' | 'changes'
  comments: readonly PlanComment[]
  text: string
}

/** Records a review of the plan; teammates who were not asked may give one as well. */
export async function giveReview(
  engine: Engine,
  feature: Feature,
  hash: string,
  given: GivenReview,
  by: Who,
): Promise<ReviewRefusal | undefined> {
  if (by.name === null) {
    return refusal(
      'person_not_found',
      'A review carries your name, and you have not given one yet.',
      'Enter your name first.',
    )
  }
  const name = by.name
  return onPlan(feature, hash, (files) => {
    const before = files.reviews.people ?? []
    const isMine = (one: PlanReview) => one.personId === by.id && one.planHash === hash && one.sentAt === null
    const answered: PlanReview = {
      ...(before.findLast(isMine) ?? newReview(engine, feature, by.id, name)),
      person: name,
      verdict: given.verdict,
      comments: given.comments.map((one) => ({ ...one, text: redact(one.text) })),
      text: redact(given.text),
      answeredAt: feature.now(),
    }
    return {
      files: withReviews(files, [...before.filter(({ id }) => id !== answered.id), answered]),
      event: {
        type: 'plan.review_given',
        planId: planId(files.session),
        verdict: given.verdict,
        comments: given.comments.length,
        text: answered.text,
        by: name,
      },
    }
  })
}

/** Sends a teammate's review to Claude as a change request, under the teammate's name. */
export async function sendReview(engine: Engine, feature: Feature, id: string): Promise<CommandRefusal | undefined> {
  const review = feature.files.reviews.people?.find((one) => one.id === id)
  if (!review || review.verdict === null || review.sentAt !== null) {
    return refusal('question_not_found', 'There is no such review to send.', 'Look at the feature again.')
  }
  const words = [...review.comments, ...(review.text ? [{ text: review.text }] : [])]
  const no = await comment(engine, feature, review.planHash, words, { by: review.person })
  if (no) return no
  const at = feature.now()
  await feature.update((files) => ({
    files: withReviews(
      files,
      (files.reviews.people ?? []).map((one) => (one.id === id ? { ...one, sentAt: at } : one)),
    ),
    events: [],
  }))
  return undefined
}

type Changed = { files: FeatureFiles; event: NewWorkflowEvent } | undefined

async function onPlan(
  feature: Feature,
  hash: string,
  change: (files: FeatureFiles) => Changed,
): Promise<ReviewRefusal | undefined> {
  let no: ReviewRefusal | undefined
  await feature.update((files) => {
    no = whyNot(files, hash)
    const changed = no ? undefined : change(files)
    return changed && { files: changed.files, events: [changed.event] }
  })
  return no
}

function whyNot({ session }: FeatureFiles, hash: string): ReviewRefusal | undefined {
  if (session.planHash === '') return refusal('plan_not_found', 'There is no plan yet.', 'Wait until there is one.')
  if (hash !== session.planHash) {
    return refusal('plan_changed', 'The plan has changed since you read it.', 'Read the newest version first.')
  }
  return isOver(session)
    ? refusal('not_possible_now', 'This feature is over.', 'Its plan can still be read.')
    : undefined
}

function newReview(engine: Engine, feature: Feature, personId: string, person: string): PlanReview {
  const { session } = feature
  return {
    id: engine.world.newId(),
    planVersion: session.currentPlanVersion,
    planHash: session.planHash,
    personId,
    person,
    askedAt: feature.now(),
    verdict: null,
    comments: [],
    text: '',
    answeredAt: null,
    sentAt: null,
  }
}

function withReviews(files: FeatureFiles, people: PlanReview[]): FeatureFiles {
  return { ...files, reviews: { ...files.reviews, people } }
}

function named({ name }: Who): { by?: string } {
  return name === null ? {} : { by: name }
}
