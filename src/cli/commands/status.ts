import type { Command } from 'commander'
import { tilde } from '#config/paths.ts'
import { version } from '#config/version.ts'
import type { DatabaseFacts, ProjectCounts } from '#daemon/commands/inspect.ts'
import type { Cli } from '../context.ts'
import { bytes, grouped, pairs, print, printJson, table } from '../print.ts'
import { withWorld } from '../world.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => (json ? printJson(await look(cli)) : print(await text(cli))))
}

/** Everything the command shows; the JSON output as it is. */
async function look(cli: Cli) {
  const config = cli.config()
  const [{ countStored, databaseFacts }, { runningListeners }] = await Promise.all([
    import('#daemon/commands/inspect.ts'),
    import('#daemon/process/listeners.ts'),
  ])
  const stored = await withWorld(cli, async (world) =>
    world.hasStore() ? countStored(await world.store()) : undefined,
  )
  const { proxy, web } = runningListeners(config)
  return {
    version,
    home: config.home,
    daemon: { running: proxy !== undefined || web !== undefined, proxy: proxy ?? null, web: web ?? null },
    database: databaseFacts(config),
    counts: stored?.counts ?? null,
    projects: stored?.projects ?? [],
    judge: { kind: config.judge.kind, costTodayUsd: stored?.judgeCostToday ?? 0 },
  }
}

async function text(cli: Cli): Promise<string> {
  const { paint } = cli
  const { home, daemon, database, counts, projects, judge } = await look(cli)
  const listeners = [
    ['Web', daemon.web],
    ['Proxy', daemon.proxy],
  ] as const
  const running = listeners.flatMap(([name, holder]): [string, string][] =>
    holder ? [[name, `${paint.green('running')} at ${holder.url ?? '(starting)'}, pid ${holder.pid}`]] : [],
  )
  const head = pairs([
    ['Grove', version],
    ['Home', tilde(home)],
    ...(daemon.running ? running : [['Daemon', 'not running; start it with `grove up`'] as [string, string]]),
    ['Database', describeDatabase(database)],
    ...(database.team === undefined
      ? []
      : [['Team', `${database.team}; \`grove team status\` says more`] as [string, string]]),
    [
      'Judge',
      judge.kind === 'heuristic'
        ? 'rules only, no model calls'
        : `${judge.kind}, $${judge.costTodayUsd.toFixed(4)} today`,
    ],
  ])
  if (!counts) return `${head}\n\nNothing is stored yet. The first session of Claude Code through Grove changes that.`
  const names: [string, number][] = [
    ['Agent sessions', counts.sessions],
    ['Tasks', counts.tasks],
    ['Steps', counts.steps],
    ['Model calls', counts.turns],
    ['Drift events', counts.driftEvents],
    ['Memories', counts.memories],
  ]
  const totals = pairs(names.map(([name, count]) => [name, grouped(count)]))
  return [head, totals, ...(projects.length > 0 ? [projectTable(projects, cli)] : [])].join('\n\n')
}

function describeDatabase({ where, bytes: size }: DatabaseFacts): string {
  return size === undefined ? `${tilde(where)} (not created yet)` : `${tilde(where)} (${bytes(size)})`
}

function projectTable(projects: ProjectCounts[], { paint }: Cli): string {
  return table(
    projects,
    [
      { head: 'PROJECT', cell: ({ name }) => name },
      { head: 'SESSIONS', cell: ({ sessions }) => grouped(sessions), align: 'right' },
      { head: 'MEMORIES', cell: ({ memories }) => grouped(memories), align: 'right' },
      { head: 'FOLDER', cell: ({ root }) => tilde(root), stretch: true },
    ],
    paint,
  )
}
