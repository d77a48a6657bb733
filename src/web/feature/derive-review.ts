import type { ReviewIteration } from '#protocol/workflow/reviews.ts'
import { plural } from '../ui/format.ts'

/** Findings of each review, in order; those of a running one are not known yet. */
export function findingCounts(reviews: ReviewIteration[]): { iteration: number; found: number; open: number }[] {
  return reviews
    .filter(({ outcome }) => outcome !== 'running')
    .map(({ iterationNumber, findings }) => ({
      iteration: iterationNumber,
      found: findings.length,
      open: findings.filter(({ resolved }) => !resolved).length,
    }))
}

/** The unresolved findings of all reviews. */
export function openFindings(reviews: ReviewIteration[]) {
  return reviews.flatMap(({ findings }) => findings.filter(({ resolved }) => !resolved))
}

/** What a person signs who approves a plan after fewer reviews than recommended: open findings by name, up to three. */
export function signOffSentence(
  plan: number,
  reviewCount: number,
  recommended: number,
  reviews: ReviewIteration[],
): string {
  const open = openFindings(reviews)
  const named = open.slice(0, 3).map(({ category, issue }) => `${category.replaceAll('_', ' ')}: ${short(issue)}`)
  const rest = open.length > 3 ? [`and ${open.length - 3} more`] : []
  const findings =
    open.length === 0
      ? 'no finding open'
      : `${open.length} ${open.length === 1 ? 'finding' : 'findings'} open (${[...named, ...rest].join('; ')})`
  return `I approve plan v${plan} after ${reviewCount} of ${plural(recommended, 'review')}, with ${findings}. Any later change of the plan voids this.`
}

function short(text: string): string {
  const line = text.split('\n')[0]!.trim()
  return line.length > 90 ? `${line.slice(0, 88)}…` : line
}
