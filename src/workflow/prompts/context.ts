import type { SessionFile } from '#protocol/workflow/session.ts'

/** What a compaction keeps. */
export const KEEP =
  'Keep the feature, its acceptance criteria, every decision of the user, the current plan with ids and states of its steps, and open findings.'

const TARGETS = {
  implement:
    'the approved plan, the files that its open steps change, their dependencies, the test patterns around them',
  review: 'the current version of the plan, findings that are not settled, the code that they are about',
} as const

/** After a compaction: look again only at what the current step needs. */
export function recontextualisation(stage: keyof typeof TARGETS, session: SessionFile): string {
  return `The conversation was shortened. You are in the stage ${stage === 'implement' ? 'implementation' : 'plan review'} of "${session.title}".
Before you go on, let subagents look again at exactly this, each with a concise summary: ${TARGETS[stage]}.`
}
