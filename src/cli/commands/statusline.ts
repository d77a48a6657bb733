import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { pathsOf } from '#config/paths.ts'
import type { AgentSummary, agentRoutes } from '#protocol/api/agents.ts'
import type { approvalRoutes } from '#protocol/api/approvals.ts'
import type { inboxRoutes } from '#protocol/api/inbox.ts'
import { parseJson } from '#protocol/json.ts'
import type { Cli } from '../context.ts'
import { askDaemon } from '../http.ts'
import { clean, grouped, printAsIs } from '../print.ts'

const LONGEST_GOAL = 44

export function define(command: Command, cli: Cli): void {
  command.action(async () => {
    const line = await statusLine(cli).catch(() => '') // Errors are swallowed: a failing status line would disturb the user at every turn.
    if (line) printAsIs(line)
  })
}

/** One line about the session that Claude Code names on standard input; empty where Grove does not know it. */
async function statusLine(cli: Cli): Promise<string> {
  const told = parseJson(await text(process.stdin)) as { session_id?: unknown } | undefined
  const config = cli.settings().config
  const { runningListeners } = await import('#daemon/process/listeners.ts')
  const url = runningListeners(config).web?.url
  if (typeof told?.session_id !== 'string' || !url) return ''
  const { token } = pathsOf(config)
  const [{ agents }, { approvals }, { waiting }] = await Promise.all([
    askDaemon<typeof agentRoutes.list>(url, '/api/agents', token),
    askDaemon<typeof approvalRoutes.list>(url, '/api/approvals', token),
    askDaemon<typeof inboxRoutes.list>(url, '/api/inbox', token),
  ])
  const agent = agents.find(({ sessionId }) => sessionId === told.session_id)
  const waits = approvals.filter(({ status }) => status === 'pending').length + waiting.length
  return lineOf(agent, waits)
}

/** What can be said of a session, most important first. */
export function lineOf(agent: AgentSummary | undefined, waits: number): string {
  const { goal, lastScore, injections } = agent ?? {}
  const short = goal && (goal.length > LONGEST_GOAL ? `${goal.slice(0, LONGEST_GOAL - 1).trimEnd()}…` : goal)
  const parts = [
    ...(short ? [clean(short)] : []),
    ...(lastScore === undefined ? [] : [`${lastScore}/10 on goal`]),
    ...(injections?.tokens ? [`${grouped(injections.tokens)} tokens added`] : []),
    ...(waits > 0 ? [`${waits} waiting for you`] : []),
  ]
  return parts.length > 0 ? `Grove: ${parts.join(' · ')}` : ''
}
