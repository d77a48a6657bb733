import type { Command } from 'commander'
import type { approvalRoutes } from '#protocol/api/approvals.ts'
import type { canaryRoutes } from '#protocol/api/canary.ts'
import type { inboxRoutes } from '#protocol/api/inbox.ts'
import type { Waiting } from '#protocol/api/sessions.ts'
import { askedFor } from '#protocol/asked-for.ts'
import type { Cli } from '../context.ts'
import { askFeatures } from '../features.ts'
import { ago, clean, print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'print JSON').action(({ json }: { json?: boolean }) => inbox(cli, json))
}

/** Everything that waits for a person, as the inbox of the page: each thing with the line that answers it. */
async function inbox(cli: Cli, json: boolean | undefined): Promise<void> {
  const { approvals } = await askFeatures<typeof approvalRoutes.list>(cli, 'GET', '/api/approvals')
  const { waiting } = await askFeatures<typeof inboxRoutes.list>(cli, 'GET', '/api/inbox')
  const { findings } = await askFeatures<typeof canaryRoutes.list>(cli, 'GET', '/api/canary')
  if (json) return printJson({ waiting, approvals, findings })
  const requests = approvals.map(({ id, kind, what, intentId, askedAt }) => ({
    at: askedAt,
    about: kind === 'prompt' ? 'asked by Claude Code' : askedFor(intentId),
    what,
    answer: [`grove intent approve ${id}`],
  }))
  const features = waiting.map((one) => ({
    at: Date.parse(one.since),
    about: one.featureId,
    what: `${one.title} ${one.detail}`.trim(),
    answer: answersOf(one),
  }))
  const items = [...requests, ...features].sort((a, b) => a.at - b.at)
  const texts = items.map(({ at, about, what, answer }) =>
    [
      `${cli.paint.yellow(clean(about))}  ${cli.paint.dim(ago(Date.now() - at))}`,
      `  ${clean(what)}`,
      ...answer.map((line) => `    ${line}`),
    ].join('\n'),
  )
  const warnings = findings.length > 0 ? ['Claude Code is not fully understood: `grove doctor` shows more.'] : []
  print([...texts, ...warnings].join('\n\n') || 'Nothing waits for you.')
}

function answersOf({ kind, featureId, choices }: Waiting): string[] {
  const line = `grove feature ${ANSWERS[kind]} ${featureId}`
  return kind === 'hold' ? choices.map(({ choice, label }) => `${line} ${choice}   ${label}`) : [line]
}

const ANSWERS: Record<Waiting['kind'], string> = {
  questions: 'answer',
  plan_approval: 'approve',
  plan_review: 'review',
  final_approval: 'approve --complete',
  hold: 'choose',
}
