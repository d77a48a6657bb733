import type { Command } from 'commander'
import { pathsOf } from '#config/paths.ts'
import type { AgentSummary } from '#daemon/inspect.ts'
import type { Cli } from '../context.ts'
import { askDaemon } from '../http.ts'
import { ago, grouped, note, print, printJson, table } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'print JSON').action(async ({ json }: { json?: boolean }) => {
    const seen = await look(cli)
    if (json) return printJson(seen)
    print(seen.agents.length > 0 ? agentTable(seen.agents, cli) : emptyText(seen.running))
  })
}

interface Seen {
  /** Who answered. */
  source: 'daemon' | 'store'
  running: boolean
  agents: AgentSummary[]
}

async function look(cli: Cli): Promise<Seen> {
  const config = cli.config()
  const [{ liveAgents, lookIntoStore, openDoors }, { terminalLog }] = await Promise.all([
    import('#daemon/inspect.ts'),
    import('#daemon/log.ts'),
  ])
  const { proxy, web } = openDoors(config)
  const running = proxy !== undefined || web !== undefined
  if (web?.url) {
    try {
      const { agents } = await askDaemon<{ agents: AgentSummary[] }>(`${web.url}/api/agents`, pathsOf(config).token)
      return { source: 'daemon', running, agents }
    } catch (error) {
      note(`warning: the daemon did not answer (${(error as Error).message}); showing what is stored`)
    }
  }
  return { source: 'store', running, agents: (await lookIntoStore(config, terminalLog(note), liveAgents)) ?? [] }
}

function emptyText(running: boolean): string {
  return running
    ? 'No agent is live. Start Claude Code through Grove; `grove doctor` checks that it is pointed here.'
    : 'No agent is live, and Grove is not running. Start it with `grove up`.'
}

function agentTable(agents: AgentSummary[], { paint }: Cli): string {
  return table(
    agents,
    [
      { head: 'SESSION', cell: ({ sessionId }) => sessionId.slice(0, 8) },
      { head: 'PROJECT', cell: ({ project }) => project ?? '–' },
      { head: 'GOAL', cell: ({ goal }) => goal ?? '–', stretch: true },
      { head: 'MODEL', cell: ({ model }) => model ?? '–' },
      { head: 'TOKENS', cell: ({ contextTokens }) => grouped(contextTokens), align: 'right' },
      { head: 'STEPS', cell: ({ steps }) => grouped(steps), align: 'right' },
      { head: 'SEEN', cell: ({ lastSeenAt }) => ago(Date.now() - lastSeenAt) },
    ],
    paint,
  )
}
