import { nextStep } from '#core/plan/order.ts'
import { ValidationAnswer, validationSchema } from '#protocol/workflow/tools.ts'
import { Held } from '../hold-error.ts'
import { askedEvents, changeQuestions } from '../new-questions.ts'
import { validationPrompt } from '../prompts/validation.ts'
import { runAgent } from '../run/agent-run.ts'
import { Aborted } from '../run/facts.ts'
import type { TaskContext } from './context.ts'

/** Checks whether concerns are real before a person is asked. One that cannot be checked is shown. */
export async function validate(context: TaskContext): Promise<void> {
  const { world, feature, handle } = context
  const waiting = feature.files.questions.questions.filter(({ state }) => state === 'validating')
  const verdicts = waiting.length === 0 ? new Map() : await verdictsOn(context)
  if (handle.signal.aborted) throw new Aborted()
  const at = feature.now()
  const decided = (id: string) => verdicts.get(id) as { valid: boolean; reason: string } | undefined
  const left = feature.files.questions.questions.filter(
    ({ id, state }) => state === 'open' || (state === 'validating' && decided(id)?.valid !== false),
  )
  const ofReview =
    feature.session.currentStage === 2 &&
    feature.files.reviews.iterations.at(-1)?.outcome === 'findings' &&
    !feature.session.parked
  const next = feature.files.plan ? (nextStep(feature.files.plan)?.id ?? null) : null
  await feature.happen({ type: 'validated', open: left.length, ofReview, next, at }, (files) => {
    const after = changeQuestions(files, (question) => {
      if (question.state !== 'validating') return question
      const verdict = decided(question.id)
      const validation = verdict ? { ...verdict, at } : null
      return { ...question, state: verdict?.valid === false ? 'filtered' : 'open', validation }
    })
    world.log.info({ feature: feature.key, filtered: waiting.length - left.length }, 'concerns were validated')
    return { files: after, events: askedEvents(files.questions.questions, after.questions.questions) }
  })
}

async function verdictsOn({
  world,
  feature,
  handle,
}: TaskContext): Promise<Map<string, { valid: boolean; reason: string }>> {
  const waiting = feature.files.questions.questions.filter(({ state }) => state === 'validating')
  try {
    const { end } = await runAgent(world, feature, handle, {
      task: 'validate',
      conversation: 'fresh',
      prompt: validationPrompt(feature.files.plan, waiting),
      nudges: [],
      answerSchema: validationSchema,
    })
    const read = ValidationAnswer.safeParse(end.structured)
    return new Map(read.success ? read.data.verdicts.map(({ id, valid, reason }) => [id, { valid, reason }]) : [])
  } catch (error) {
    if (error instanceof Held || error instanceof Aborted) throw error
    world.log.warn({ err: error, feature: feature.key }, 'concerns could not be validated; all are shown')
    return new Map()
  }
}
