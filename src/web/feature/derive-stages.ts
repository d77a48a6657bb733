import { STAGE_TITLES, STAGES } from '#core/workflow/stage.ts'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { standing } from '../features/derive-features.ts'
import { plural } from '../ui/format.ts'
import type { Shape, Tone } from '../ui/mark.tsx'

export interface StageMark {
  number: number
  title: string
  detail: string
  isCurrent: boolean
  shape: Shape
  tone: Tone
  /** Where the page shows what happened in it. */
  tab: Tab
}

export const TABS = ['story', 'output', 'conversation', 'changes', 'evidence', 'pr'] as const
export type Tab = (typeof TABS)[number]

const SHORT: Record<(typeof STAGES)[number], string> = {
  ...STAGE_TITLES,
  discovery: 'Discovery',
  pr_creation: 'PR',
  pr_review: 'PR review',
}

/** The six stages with what is known of each. */
export function stageMarks(snapshot: SessionSnapshot): StageMark[] {
  const { summary } = snapshot
  const how = standing(summary)
  const isOver = summary.status === 'completed'
  return STAGES.map((name, index) => {
    const number = index + 1
    const isCurrent = number === summary.stage
    const isDone = number < summary.stage || isOver
    return {
      number,
      title: SHORT[name],
      detail: detailOf(number, snapshot),
      isCurrent,
      shape: isDone ? 'done' : isCurrent ? how.shape : 'open',
      tone: isDone || !isCurrent ? 'rest' : how.tone,
      tab: number === 3 ? 'changes' : number >= 4 ? 'pr' : 'story',
    }
  })
}

function detailOf(stage: number, { summary, plan, pr, questions, reviews }: SessionSnapshot): string {
  switch (stage) {
    case 1:
      if (summary.stage !== 1) return ''
      if (questions.length > 0) return `${questions.length} to answer`
      return summary.executing ? 'Claude reads the code' : ''
    case 2:
      if (reviews.length === 0 && (summary.stage !== 2 || summary.recommendedReviews === 0)) return ''
      if (summary.stage > 2) return summary.reviewCount === 0 ? 'no review' : plural(summary.reviewCount, 'review')
      return summary.reviewCount === 0
        ? 'no review yet'
        : `review ${summary.reviewCount} of ${summary.recommendedReviews}`
    case 3:
      return plan && summary.stage >= 3 ? `${summary.stepsDone} of ${plural(summary.stepsTotal, 'step')}` : ''
    case 4:
      return pr.pullRequest?.prNumber ? `#${pr.pullRequest.prNumber}` : ''
    case 5:
      return pr.ci === 'none' ? '' : `CI ${pr.ci}`
    default:
      return ''
  }
}

/** After this long without news the page says what it waits for. */
export const SILENT_MS = 30_000

/** What a running session waits for, since when, and what can be done; undefined while there is news. */
export function silence(
  { summary, status, session }: Pick<SessionSnapshot, 'summary' | 'status' | 'session'>,
  lastNews: number,
  now: number,
): { text: string; since: number } | undefined {
  if (!summary.executing || now - lastNews < SILENT_MS) return undefined
  const what: Record<string, string> = {
    open: 'Grove prepares the worktree',
    discover: 'Claude explores the project',
    revise: 'Claude rewrites the plan',
    review: 'Claude reviews the plan',
    validate: 'Grove checks whether the concerns are real',
    implement: `Claude works on step ${status.currentStepId ?? ''}`.trim(),
    collect: 'Grove looks for comments that ask for a decision',
    check: 'The project’s own checks run',
    fix: 'Claude repairs what failed',
    commit: 'Grove commits the changes',
    describe: 'Claude writes the text of the pull request',
    publish: 'Grove pushes and opens the pull request',
    watch: 'Grove waits for CI',
    pr_review: 'Claude reviews the pull request',
  }
  return { text: what[session.task?.type ?? ''] ?? 'Claude works', since: lastNews }
}
