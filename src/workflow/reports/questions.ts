import type { AskedQuestion } from '#core/workflow/reports.ts'
import type { Feature } from '../feature.ts'
import { askedEvents, newQuestions, withQuestions } from '../new-questions.ts'
import type { WorkflowWorld } from '../world.ts'
import { NOT_NOW, RECORDED, type ReportedBy, type Taken } from './taken.ts'

/** Questions are validated from stage 2 on; blockers and what stage 1 asks go straight to the person. */
export async function takeQuestions(
  world: WorkflowWorld,
  feature: Feature,
  asked: readonly AskedQuestion[],
  facts: {
    askedBy: ReportedBy
    batch: string
    parked: { toolUseId: string; tool: string } | null
  },
): Promise<Taken> {
  const { task } = feature.session
  if (!task || !MAY_ASK.has(task.type)) return { text: NOT_NOW, isError: true }
  const validate = feature.session.currentStage > 1 && asked.some(({ immediate }) => !immediate)
  const stepId = 'stepId' in task ? task.stepId : null
  const parked = facts.parked && { ...facts.parked, batch: facts.batch }
  await feature.happen({ type: 'asked', validate }, (files) => {
    const questions = newQuestions(files, asked, { ...facts, validate, stepId, newId: world.newId, at: feature.now() })
    const withThem = withQuestions(files, questions)
    const after = parked ? { ...withThem, session: { ...withThem.session, parked } } : withThem
    return { files: after, events: askedEvents(files.questions.questions, after.questions.questions) }
  })
  return { text: RECORDED }
}

const MAY_ASK = new Set(['discover', 'revise', 'review', 'implement', 'fix', 'pr_review'])
