import { gapsOf } from '#core/plan/propose.ts'
import { stepsInMarkdown } from '#core/plan/text.ts'
import { decisionText } from '#core/workflow/questions.ts'
import { planId } from '../announce.ts'
import { KEEP, recontextualisation } from '../prompts/context.ts'
import { discoveryPrompt } from '../prompts/discovery.ts'
import { reportPlease } from '../prompts/implementation.ts'
import { carriedTexts, reviewPrompt, revisionPrompt } from '../prompts/planning.ts'
import { part } from '../prompts/prompt.ts'
import { runAgent } from '../run/agent-run.ts'
import type { RunResult } from '../run/facts.ts'
import { takeReport } from '../take-report.ts'
import { checkEnd, notUnderstood, readFreely } from './after-run.ts'
import { LEFT_OUT, placeOf, type TaskContext } from './context.ts'

/** Stage 1: Claude explores, asks, and hands in a plan. */
export async function discover(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const { session } = feature
  const isFirst = session.claudeSessionId === null
  const recalled = isFirst ? await recall(context) : ''
  const changes = isFirst && session.continues ? await changedSoFar(context) : ''
  const prompt = discoveryPrompt(session, { recalled, changes })
  const decisions =
    session.carried.length > 0 ? part('What the user has decided', carriedTexts(session.carried).join('\n\n')) : []
  const result = await runAgent(world, feature, context.handle, {
    task: 'discover',
    conversation: 'work',
    prompt: { parts: [...prompt.parts, ...decisions], text: prompt.text },
    nudges: [reportPlease('ask_decision or propose_plan')],
  })
  await planFrom(context, result)
}

/** Stage 2: decisions go into the plan. */
export async function revise(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const { session } = feature
  const plan = feature.files.plan!
  const prompt = revisionPrompt(plan, session, { changed: await changedSoFar(context) })
  const result = await runAgent(world, feature, context.handle, {
    task: 'revise',
    conversation: 'work',
    prompt,
    nudges: [reportPlease('propose_plan or keep_plan')],
    ...shortened(context, 'review'),
  })
  await planFrom(context, result)
}

/** A plan that was only written as text, in the client's plan file or in the answer, counts too. */
async function planFrom(context: TaskContext, result: RunResult): Promise<void> {
  const { world, feature } = context
  checkEnd(context, result.end)
  if (!result.unanswered) return
  const steps = stepsInMarkdown(result.plan)
  const taken = steps && (await takeReport(world, feature, { type: 'plan', summary: '', steps }, 'judge'))
  if (taken && !taken.isError) return
  if (!(await readFreely(context, result, 'plan'))) throw notUnderstood(result, 'plan')
}

/** Stage 2: one iteration of the review. */
export async function review(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const plan = feature.files.plan!
  const at = feature.now()
  const iterationNumber = feature.session.reviewCount + 1
  await feature.update((files) => {
    const others = files.reviews.iterations.filter(({ outcome }) => outcome !== 'running')
    const iteration = {
      id: world.newId(),
      planVersion: plan.planVersion,
      iterationNumber,
      findings: [],
      userApproved: false,
      outcome: 'running' as const,
      startedAt: at,
      completedAt: null,
    }
    return {
      files: { ...files, reviews: { ...files.reviews, iterations: [...others, iteration] } },
      events: [{ type: 'review.started', planId: planId(files.session), iterationNumber }],
    }
  })
  const criteria = feature.session.acceptanceCriteria.filter(({ checked }) => checked).map(({ text }) => text)
  const answered = feature.files.questions.questions.filter(({ state }) => state === 'answered')
  const result = await runAgent(world, feature, context.handle, {
    task: 'review',
    conversation: 'work',
    prompt: reviewPrompt(plan, feature.session, {
      gaps: gapsOf(plan.steps, criteria),
      settled: answered.map(decisionText),
    }),
    nudges: [reportPlease('report_review')],
    ...shortened(context, 'review'),
  })
  checkEnd(context, result.end)
  if (result.unanswered && !(await readFreely(context, result, 'review'))) throw notUnderstood(result, 'review')
}

/** Compacts the conversation first at every fifth review, and when the window is nearly full. */
function shortened({ feature }: TaskContext, stage: 'review') {
  const { session } = feature
  const isFull = session.usage.window > 0 && session.usage.contextTokens > session.usage.window * 0.9
  const isFifth = session.reviewCount > 0 && session.reviewCount % 5 === 0 && session.task?.type === 'review'
  return isFull || isFifth ? { compact: { keep: KEEP, afterwards: recontextualisation(stage, session) } } : {}
}

/** Memories that bear on the feature; the session lists them for people. */
async function recall({ world, feature }: TaskContext): Promise<string> {
  const { session } = feature
  const text = `${session.title}\n${session.featureDescription}`
  const about = {
    text,
    files: session.affectedFiles,
    projectId: session.project.id,
    cwd: session.folder,
    claudeId: session.id,
  }
  const { text: known, items } = await world.recall(about)
  if (items.length === 0) return ''
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, recalled: items } },
    events: [{ type: 'memory.given', titles: items.map(({ title }) => title) }],
  }))
  return known
}

export async function changedSoFar({ world, feature }: TaskContext): Promise<string> {
  const { baseCommitSha } = feature.session
  if (baseCommitSha === '') return ''
  const diff = await world.repository.diff(placeOf(feature), baseCommitSha, { without: LEFT_OUT, maxBytes: 0 })
  if (!diff.ok) return ''
  return diff.value.files
    .map(({ path, status, added, removed }) => `${status} ${path} (+${added} −${removed})`)
    .join('\n')
}
