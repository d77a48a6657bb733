import { planMarkdown } from '#core/plan/text.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import { type Prompt, part, runGoal } from './prompt.ts'

export interface ChangeFacts {
  files: string[]
  patch: string
  results: string[]
}

/** Stage 4: the words of the pull request. */
export function pullRequestPrompt(plan: PlanFile, session: SessionFile, facts: ChangeFacts): Prompt {
  return {
    parts: [
      ...runGoal(`Write the pull request: ${session.title}`),
      ...part('The feature', `${session.title}\n\n${session.featureDescription}`),
      ...part('The plan that was followed', planMarkdown(plan.steps)),
      ...part('Changed files', facts.files),
      ...part('The diff', facts.patch),
      ...part('Test, build and lint, as Grove ran them', facts.results),
    ],
    text: `Write the pull request from ${session.featureBranch} to ${session.baseBranch}. Look at the diff yourself, with subagents for the
diff, the history and the results where it is large. Grove has committed everything; it pushes and opens or updates the pull
request. You change nothing and run no git.

Hand in title and body with report_pr. The title has less than 72 characters and says what changes. The body has the sections
"Summary" (what and why) and "Test plan" (what was run, what a reviewer can try); Grove adds the checklist of manual criteria.
Claim nothing that the results above do not show. Without the tool write
[PR_CREATED]
Title: …
Branch: ${session.featureBranch} → ${session.baseBranch}
body
[/PR_CREATED]`,
  }
}

/** Stage 5: a review with fresh eyes. */
export function prReviewPrompt(
  plan: PlanFile,
  session: SessionFile,
  facts: ChangeFacts & { title: string; body: string; settled: string[]; feedback: string[]; ci: string },
): Prompt {
  return {
    parts: [
      ...runGoal(`Review the pull request: ${facts.title}`),
      ...part('The plan', planMarkdown(plan.steps)),
      ...part('The pull request', `${facts.title}\n\n${facts.body}`),
      ...part('Changed files', facts.files),
      ...part('The diff', facts.patch),
      ...part('Test, build and lint, as Grove ran them', facts.results),
      ...part('Checks of the pull request', facts.ci),
      ...part('Decided already; do not report again', facts.settled.join('\n\n')),
      ...part('The user asks for another look', facts.feedback),
    ],
    text: `Review this pull request with fresh eyes: you have not written it. The code is in ${session.folder}; change nothing.

Let subagents look in parallel: frontend, backend, database, integration, tests, CI (what the checks show). Aspects:
correctness, security, performance, error handling, tests, readability, compatibility, and whether the plan was followed,
with every acceptance criterion of the type "review": ${reviewCriteria(session)}.

Hand in everything at once with report_review: each finding names the issue, its impact, file and line, and ways to deal with
it, one recommended. Priority 1 is critical and must be resolved, 2 is major and is resolved or justified, 3 is a suggestion.
An empty list means that you approve; Grove reads the checks itself. Without the tool put [DECISION_NEEDED priority file line]
blocks between [REVIEW_CHECKPOINT] and [/REVIEW_CHECKPOINT], or write [PR_APPROVED] reason [/PR_APPROVED].`,
  }
}

function reviewCriteria({ acceptanceCriteria }: SessionFile): string {
  const texts = acceptanceCriteria.filter(({ checked, type }) => checked && type === 'review').map(({ text }) => text)
  return texts.length > 0 ? texts.join('; ') : 'none'
}
