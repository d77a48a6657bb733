import type { Flow } from './flow.ts'
import { OFFERS } from './hold.ts'
import type { Question } from './question.ts'
import { heldBack, released } from './questions.ts'

/** Something that a feature session waits for, derived from its state alone. */
export interface Waits {
  kind: 'questions' | 'plan_approval' | 'final_approval' | 'hold'
  title: string
  detail: string
  count: number
  choices: {
    choice: (typeof OFFERS)[keyof typeof OFFERS][number]['choice']
    label: string
    recommended: boolean
    needsText: boolean
  }[]
  since: string
  until: string | null
}

/** Everything that waits for a person. */
export function waitsFor(
  flow: Flow,
  questions: readonly Pick<Question, 'state' | 'priority' | 'immediate' | 'questionText' | 'askedAt'>[],
  updatedAt: string,
): Waits[] {
  if (['completed', 'rolled_back', 'corrupted'].includes(flow.status)) return []
  if (flow.hold) {
    const { kind, message, detail, since, until } = flow.hold
    const choices = OFFERS[kind].map(({ choice, label, recommended, needsText }) => ({
      choice,
      label,
      recommended: recommended === true,
      needsText: needsText === true,
    }))
    return [{ kind: 'hold', title: message, detail: detail ?? '', count: 0, choices, since, until }]
  }
  if (flow.status !== 'active' || flow.task !== null) return []
  const now = released(questions)
  const none = { count: 0, choices: [], until: null }
  if (now.length > 0) {
    const later = heldBack(questions)
    const title = now.length === 1 ? now[0]!.questionText : `${now.length} questions`
    const detail = later > 0 ? `${later} more after ${now.length === 1 ? 'this one' : 'these'}.` : ''
    return [{ ...none, kind: 'questions', title, detail, count: now.length, since: now[0]!.askedAt }]
  }
  if (flow.currentStage === 2 && flow.planHash !== '') {
    const few = flow.reviewCount < flow.recommendedReviews
    const reviews = `${flow.reviewCount} of ${flow.recommendedReviews} recommended reviews`
    const detail = few ? `${reviews}: approving needs a sign-off.` : `${reviews}.`
    const title = flow.isClean ? 'The plan is ready: the last review found nothing.' : 'The plan waits for approval.'
    return [{ ...none, kind: 'plan_approval', title, detail, since: updatedAt }]
  }
  if (flow.currentStage === 6) {
    return [
      {
        ...none,
        kind: 'final_approval',
        title: 'Reviewed and checked: the last word is yours.',
        detail: '',
        since: updatedAt,
      },
    ]
  }
  return []
}
