import type { Command } from 'commander'
import { pathsOf } from '#config/paths.ts'
import type { AgentSummary } from '#daemon/inspect.ts'
import type { Cli } from '../context.ts'
import { askDaemon } from '../http.ts'
import { ago, grouped, note, print, printJson, table } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'print JSON')
    .option('--watch', 'look again every second, until Ctrl+C')
    .action(async ({ json, watch }: { json?: boolean; watch?: boolean }) => {
      if (watch) return watchAgents(cli, json === true)
      const seen = await look(cli)
      if (json) return printJson(seen)
      print(overview(seen, cli))
    })
}

/** Redraws in place on a terminal; elsewhere, and as JSON, prints one look after the other. */
async function watchAgents(cli: Cli, json: boolean): Promise<void> {
  for (;;) {
    const seen = await look(cli)
    if (json) process.stdout.write(`${JSON.stringify(seen)}\n`)
    else print(`${process.stdout.isTTY ? CLEAR_SCREEN : ''}${overview(seen, cli)}`)
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS))
  }
}

const WATCH_EVERY_MS = 1000
const CLEAR_SCREEN = '\u001b[H\u001b[2J'

function overview({ agents, running }: Seen, cli: Cli): string {
  return agents.length > 0 ? agentTable(agents, cli) : emptyText(running)
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
      { head: 'MODE', cell: ({ mode }) => mode ?? '–' },
      { head: 'SCORE', cell: ({ lastScore }) => (lastScore === undefined ? '–' : String(lastScore)), align: 'right' },
      { head: 'STEPS', cell: ({ steps }) => grouped(steps), align: 'right' },
      { head: 'CORRECTED', cell: ({ corrections }) => grouped(corrections), align: 'right' },
      { head: 'TOKENS', cell: tokensOf, align: 'right' },
      { head: 'COST', cell: ({ judgeCostUsd }) => `$${judgeCostUsd.toFixed(2)}`, align: 'right' },
      { head: 'SEEN', cell: ({ lastSeenAt }) => ago(Date.now() - lastSeenAt) },
    ],
    paint,
  )
}

function tokensOf({ contextTokens, window }: AgentSummary): string {
  if (!window) return grouped(contextTokens)
  return `${grouped(contextTokens)} (${Math.round((100 * contextTokens) / window)} %)`
}
