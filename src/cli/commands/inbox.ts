import type { Command } from 'commander'
import type { approvalRoutes } from '#protocol/api/approvals.ts'
import type { canaryRoutes } from '#protocol/api/canary.ts'
import type { inboxRoutes } from '#protocol/api/inbox.ts'
import type { Cli } from '../context.ts'
import { askFeatures } from '../features.ts'
import { inboxText } from '../inbox-text.ts'
import { print, printJson } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'print JSON').action(({ json }: { json?: boolean }) => inbox(cli, json))
}

async function inbox(cli: Cli, json: boolean | undefined): Promise<void> {
  const { approvals } = await askFeatures<typeof approvalRoutes.list>(cli, 'GET', '/api/approvals')
  const { waiting } = await askFeatures<typeof inboxRoutes.list>(cli, 'GET', '/api/inbox')
  const { findings } = await askFeatures<typeof canaryRoutes.list>(cli, 'GET', '/api/canary')
  if (json) return printJson({ waiting, approvals, findings })
  const text = inboxText({ approvals, waiting }, cli, Date.now())
  const warning = findings.length > 0 ? 'Claude Code is not fully understood: `grove doctor` shows more.' : ''
  print([text, warning].filter((part) => part !== '').join('\n\n') || 'Nothing waits for you.')
}
