import { nextStep } from '#core/plan/order.ts'
import { redact } from '#core/redact/redact.ts'
import type { Carried } from '#core/workflow/flow.ts'
import type { PlanComment } from '#protocol/workflow/reviews.ts'
import { planId } from '../announce.ts'
import type { Engine } from '../engine.ts'
import type { Feature } from '../feature.ts'
import { type CommandRefusal, refused } from './refused.ts'
import { named, type Sender } from './sender.ts'
import { withdraw } from './withdraw-questions.ts'

export async function comment(
  engine: Engine,
  feature: Feature,
  hash: string,
  comments: readonly PlanComment[],
  sender: Sender = {},
): Promise<CommandRefusal | undefined> {
  const lines = comments.map(({ stepId, quote, text }) => {
    const about = [stepId ? `step ${stepId}` : 'the plan', ...(quote ? [`"${quote}"`] : [])].join(', ')
    return `- About ${about}: ${text}`
  })
  const carried: Carried[] = [{ from: 'change_request', text: redact(lines.join('\n')) }]
  const kept = comments.map((one) => ({ ...one, text: redact(one.text) }))
  const no = await feature.happen({ type: 'comment', hash, carried }, (files) => ({
    files: withdraw(files),
    events: [{ type: 'plan.commented', planId: planId(files.session), comments: kept, ...named(sender) }],
    request: sender.request,
  }))
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

export async function approve(
  engine: Engine,
  feature: Feature,
  hash: string,
  signOff: boolean,
  sender: Sender = {},
): Promise<CommandRefusal | undefined> {
  const { questions } = feature.files.questions
  const open = questions.filter(({ state }) => state === 'open' || state === 'validating').length
  const event = {
    type: 'approve',
    hash,
    signOff,
    open,
    next: next(feature),
    at: feature.now(),
    ...named(sender),
  } as const
  const no = await feature.happen(event, () => ({ request: sender.request }))
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

export async function startWhenClean(
  _: Engine,
  feature: Feature,
  hash: string,
  given: boolean,
  request?: string,
): Promise<CommandRefusal | undefined> {
  const event = { type: 'consent', hash, given, next: next(feature), at: feature.now() } as const
  const no = await feature.happen(event, () => ({ request }))
  return no && refused(no)
}

function next({ files }: Feature): string | null {
  return files.plan ? (nextStep(files.plan)?.id ?? null) : null
}

export async function final(
  engine: Engine,
  feature: Feature,
  action: 'merge' | 'plan_changes' | 're_review',
  feedback: string,
  sender: Sender = {},
): Promise<CommandRefusal | undefined> {
  const words = redact(feedback)
  const no = await feature.happen({ type: 'final', action, feedback: words }, () => ({
    events: [{ type: 'final.decided', action, feedback: words, ...named(sender) }],
    request: sender.request,
  }))
  if (no) return refused(no)
  if (action === 'merge') {
    await engine.world.remember(feature.files).catch((err: unknown) => {
      engine.world.log.warn({ err, feature: feature.key }, 'the finished feature was not kept as a memory')
    })
    await engine.world.runLogs.archive(feature.session.id).catch((err: unknown) => {
      engine.world.log.warn({ err, feature: feature.key }, 'the logs of its runs were not put apart')
    })
  }
  return undefined
}
