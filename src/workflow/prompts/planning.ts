import { planMarkdown } from '#core/plan/text.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import { ASKING, type Prompt, part, runGoal } from './prompt.ts'

const WHERE: Record<SessionFile['carried'][number]['from'], string> = {
  answer: 'Decision',
  change_request: 'The user asks for a change',
  blocker: 'A blocker in the implementation, and the decision',
  todo: 'A comment in the code, and the decision',
  pr_review: 'Found in the review of the pull request, and the decision',
  ci: 'Failing checks of the pull request, and the decision',
  final_approval: 'The user at the final approval',
  guidance: 'The user adds',
}

export function carriedTexts(carried: SessionFile['carried']): string[] {
  return carried.map(({ from, text }) => `${WHERE[from]}:\n${text}`)
}

/** Stage 2, between reviews: decisions go into the plan. */
export function revisionPrompt(plan: PlanFile, session: SessionFile, facts: { changed: string }): Prompt {
  return {
    parts: [
      ...runGoal(`Bring the plan up to date: ${session.title}`),
      ...part(`The plan, version ${plan.planVersion}`, planMarkdown(plan.steps, { status: true })),
      ...part('What has to go into it', carriedTexts(session.carried).join('\n\n')),
      ...part('What has been changed in the work tree so far', facts.changed),
    ],
    text: `Bring the plan up to date. Check each point against the plan and the code first; a point that is wrong or already
covered changes nothing, and you say so. Hand in the whole plan with propose_plan: steps that stay keep their ids, completed
ones stay completed, new work is a new step with complexity, criteria and paths. If nothing changes, call keep_plan with the
reason. Change no file and implement nothing. ${ASKING}`,
  }
}

/** Stage 2: one iteration of the review. */
export function reviewPrompt(
  plan: PlanFile,
  session: SessionFile,
  facts: { gaps: string[]; settled: string[] },
): Prompt {
  const iteration = session.reviewCount + 1
  return {
    parts: [
      ...runGoal(`Review the plan: ${session.title}`),
      ...part(`The plan, version ${plan.planVersion}`, planMarkdown(plan.steps, { status: true })),
      ...part('What Grove sees missing in its form', facts.gaps),
      ...part('Decided already; do not ask again', facts.settled.join('\n\n')),
    ],
    text: `Review this plan: iteration ${iteration} of ${session.recommendedReviews}. Change nothing.

Let subagents look at it in parallel, each in its field and with the code before it: frontend, backend, database,
integration, tests. Look for problems of these categories: code_quality, architecture, security, performance, integration,
plan_structure (missing complexity, unmapped criteria, steps too large to check, missing paths).

Hand in what was found with report_review: each finding names the issue, its impact, and two to four ways to deal with it,
one recommended; accepting the risk is one of them where that is honest. Priority 1 must be settled before work begins, 2
should be, 3 is a detail. Name file and line where there is one. Only what is real and not yet decided; when nothing is left,
an empty list. Without the tool write each finding as [DECISION_NEEDED priority category] … [/DECISION_NEEDED], or
[PLAN_APPROVED] on a line of its own.`,
  }
}
