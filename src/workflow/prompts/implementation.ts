import { planMarkdown } from '#core/plan/text.ts'
import type { PlanFile, PlanStep } from '#protocol/workflow/plan.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import { commandsText } from './discovery.ts'
import { ASKING, type Prompt, part, runGoal } from './prompt.ts'

/** Stage 3: one step. */
export function stepPrompt(
  step: PlanStep,
  plan: PlanFile,
  session: SessionFile,
  facts: { guidance: string[]; isFirst: boolean; stateFolder: string; interrupted: boolean },
): Prompt {
  return {
    parts: [
      ...runGoal(`${step.title}: ${step.description}`),
      ...(facts.isFirst
        ? part(`The approved plan, version ${plan.planVersion}`, planMarkdown(plan.steps, { status: true }))
        : []),
      ...part(`Step ${step.id}: ${step.title}`, step.description),
      ...part('Paths that this step may change', step.ownedPaths),
      ...part('Criteria that it serves', step.criteria),
      ...part('The user adds', facts.guidance),
    ],
    text: `Implement the step ${step.id} of the approved plan, and only this step, in ${session.folder}.
${facts.interrupted ? 'Work on this step was cut short before: look at what is there already and go on from it.\n' : ''}
- Tell how it goes with report_status at the start, after each changed file, after test runs, and when you are blocked.
- Write and run the tests that show that it works; fix what fails, at most three times, then report a blocker.
${commandsText(session)}
- Do not commit, push, switch branches or open a pull request: Grove does that. session.json and plan.json in
  ${facts.stateFolder} can be read; nothing there is written.
- What cannot go on without the user is a blocker: ask_decision with blocker set, the issue, its context and options.
- What the user should decide but does not block you, leave as a comment in the code, where it belongs, in this form:
  TODO: what is to be decided (or FIXME:, DEPENDENCY:)
  Impact: category and consequence
  Options: (A) … [recommended] (B) …
  Priority: High, Medium or Low
  Grove collects new comments of this kind after each step and takes them to the user.
- When the step is done, call complete_step with its id and a summary, and end your turn. Without the tools write
  [STEP_COMPLETE id="${step.id}"] summary [/STEP_COMPLETE], each tag on a line of its own.
${facts.isFirst ? `\n${ASKING}` : ''}`,
  }
}

/** Stage 3: the project's own commands fail. */
export function fixPrompt(detail: string, attempt: number, most: number, guidance: readonly string[]): Prompt {
  return {
    parts: [
      ...runGoal('Fix what makes the checks of the project fail'),
      ...part('What Grove ran, and how it failed', detail),
      ...part('The user adds', guidance),
    ],
    text: `The project's checks fail. This is attempt ${attempt} of ${most} to fix them. Find the cause and fix it in the code; change a
test only if the test is wrong, and weaken none. Do not commit. End your turn when it is fixed: Grove runs the checks again.`,
  }
}

/** A turn ended without saying how the step stands. */
export const REPORT_PLEASE = `Your last answer did not say how the step stands. If it is done, call complete_step now. If something blocks you, call
ask_decision. Otherwise go on with it.`

/** A turn of planning or review ended without a report. */
export function reportPlease(tools: string): string {
  return `Your last answer held no report that Grove could read. Hand it in now with ${tools}.`
}
