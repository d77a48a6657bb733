import type { approvalRoutes } from '#protocol/api/approvals.ts'
import type { AnswerOf } from '#protocol/api/route.ts'
import type { Waiting } from '#protocol/api/sessions.ts'
import type { Cli } from './context.ts'
import { ago, clean } from './print.ts'
import { forWhat } from './requests.ts'

interface Waits {
  approvals: AnswerOf<typeof approvalRoutes.list>['approvals']
  waiting: Waiting[]
}

/** Everything that waits, each thing with the lines that answer it, in the order of the page. */
export function inboxText({ approvals, waiting }: Waits, { paint }: Pick<Cli, 'paint'>, now: number): string {
  const requests = approvals.map((request) => ({
    rank: 0,
    at: request.askedAt,
    about: forWhat(request),
    what: request.what,
    answer: [`grove intent approve ${request.id}`, `grove intent approve ${request.id} --reject`],
  }))
  const features = waiting.map((one) => ({
    rank: one.until === null ? 1 : 2,
    at: Date.parse(one.since),
    about: one.featureId,
    what: `${one.title} ${one.detail}`.trim(),
    answer: answersOf(one),
  }))
  // Calls that are held open come first, because they give up after a while; what has an end goes on by itself and comes last.
  return [...requests, ...features]
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ at, about, what, answer }) =>
      [
        `${paint.yellow(clean(about))}  ${paint.dim(ago(now - at))}`,
        `  ${clean(what)}`,
        ...answer.map((line) => `    ${line}`),
      ].join('\n'),
    )
    .join('\n\n')
}

function answersOf({ kind, featureId, choices }: Waiting): string[] {
  const line = `grove feature ${ANSWERS[kind]} ${featureId}`
  if (kind === 'plan_review') return [`${line} fine`, `${line} changes "…"`]
  return kind === 'hold' ? choices.map(({ choice, label }) => `${line} ${choice}   ${label}`) : [line]
}

const ANSWERS: Record<Waiting['kind'], string> = {
  questions: 'answer',
  plan_approval: 'approve',
  plan_review: 'review',
  final_approval: 'approve --complete',
  hold: 'choose',
}
