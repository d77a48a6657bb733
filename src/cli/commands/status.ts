import type { Command } from 'commander'
import { tilde } from '#config/paths.ts'
import { version } from '#config/version.ts'
import type { DatabaseFacts, ProjectCounts } from '#daemon/commands/inspect.ts'
import type { ClientFinding } from '#protocol/api/canary.ts'
import type { Cli } from '../context.ts'
import { pauseText } from '../pauses.ts'
import { bytes, clean, grouped, pairs, print, printJson, table } from '../print.ts'
import { finishedText, lookAtWeek } from '../week.ts'
import { withWorld } from '../world.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => (json ? printJson(await look(cli)) : print(await text(cli))))
}

/** Everything the command shows; the JSON output as it is. */
async function look(cli: Cli) {
  const config = cli.config()
  const [{ countStored, databaseFacts }, { pausesNow }, { runningListeners }] = await Promise.all([
    import('#daemon/commands/inspect.ts'),
    import('#daemon/commands/pause.ts'),
    import('#daemon/process/listeners.ts'),
  ])
  const { stored, pauses } = await withWorld(cli, async (world) => ({
    stored: world.hasStore() ? await countStored(await world.store()) : undefined,
    pauses: await pausesNow(world),
  }))
  const { proxy, web } = runningListeners(config)
  return {
    version,
    home: config.home,
    daemon: { running: proxy !== undefined || web !== undefined, proxy: proxy ?? null, web: web ?? null },
    pauses,
    database: databaseFacts(config),
    counts: stored?.counts ?? null,
    projects: stored?.projects ?? [],
    judge: { kind: config.judge.kind, costTodayUsd: stored?.judgeCostToday ?? 0 },
    gate: { ask: config.gate.enabled ? config.gate.ask : 'off', waiting: stored?.gatesWaiting ?? 0 },
    memory: { remember: config.memory.remember, inject: config.memory.inject },
    findings: stored?.findings ?? [],
    finished: (await lookAtWeek(cli))?.finished ?? [],
  }
}

const ASKED = {
  tickets: 'asks for a reflection after a closed ticket',
  session: 'asks for a reflection after a closed ticket, and after substantial work',
  off: 'off',
}

/** Shown only where settings switch it off, here or everywhere. */
function memoryLine({ remember, inject }: { remember: boolean; inject: boolean }): [string, string][] {
  const off = [...(remember ? [] : ['nothing is stored']), ...(inject ? [] : ['nothing is shown to agents'])]
  return off.length > 0 ? [['Memory', `here ${off.join(', and ')}`]] : []
}

async function text(cli: Cli): Promise<string> {
  const { paint } = cli
  const { home, daemon, pauses, database, counts, projects, judge, gate, memory, findings, finished } = await look(cli)
  const listeners = [
    ['Web', daemon.web],
    ['Proxy', daemon.proxy],
  ] as const
  const running = listeners.flatMap(([name, holder]): [string, string][] =>
    holder
      ? [[name, `${paint.green('running')} at ${holder.url ?? '(starting)'}, pid ${holder.pid}${otherVersion(holder)}`]]
      : [],
  )
  const head = pairs([
    ['Grove', version],
    ['Home', tilde(home)],
    ...(daemon.running
      ? running
      : [['Daemon', 'not running; start it with `grove up` or `grove open`'] as [string, string]]),
    ...(pauses.length > 0 ? [['Paused', paint.yellow(pauses.map(pauseText).join(', '))] as [string, string]] : []),
    ['Database', describeDatabase(database)],
    ...(database.team === undefined
      ? []
      : [['Team', `${database.team}; \`grove team status\` shows more`] as [string, string]]),
    [
      'Judge',
      judge.kind === 'heuristic'
        ? 'rules only, no model calls'
        : `${judge.kind}, $${judge.costTodayUsd.toFixed(4)} today`,
    ],
    ['Gate', `${ASKED[gate.ask]}${gate.waiting > 0 ? `; ${gate.waiting} waiting for a reflection` : ''}`],
    ...memoryLine(memory),
    ...clientLines(findings, paint),
  ])
  if (!counts)
    return `${head}\n\nNothing is stored yet. Attach Grove to Claude Code with \`grove init --import\`, then work as usual.`
  const names: [string, number][] = [
    ['Agent sessions', counts.sessions],
    ['Tasks', counts.tasks],
    ['Steps', counts.steps],
    ["Agents' model calls", counts.turns],
    ['Drift events', counts.driftEvents],
    ['Memories', counts.memories],
  ]
  const totals = pairs(names.map(([name, count]) => [name, grouped(count)]))
  const done =
    finished.length > 0 ? [`${paint.bold('Finished in the last seven days')}\n${finishedText(finished, cli)}`] : []
  // Projects without sessions and memories are left out: something was merely tried there.
  const known = projects.filter(({ sessions, memories }) => sessions + memories > 0)
  return [head, totals, ...(known.length > 0 ? [projectTable(known, cli)] : []), ...done].join('\n\n')
}

/** A daemon that was started before Grove was updated, or by a newer one. */
function otherVersion({ version: theirs }: { version: string }): string {
  return theirs === version ? '' : `, version ${theirs}; \`grove doctor\` says what to do`
}

/** One line for each client version that is not fully understood. */
function clientLines(findings: ClientFinding[], paint: Cli['paint']): [string, string][] {
  const versions = [...new Set(findings.map(({ version }) => version))]
  return versions.map((version) => {
    const [first, ...more] = findings.filter((finding) => finding.version === version)
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    const what = `${version} is not fully understood: ${first!.noticed}${others}`
    return ['Claude Code', `${paint.yellow(clean(what))}; \`grove doctor\` shows more`]
  })
}

function describeDatabase({ where, bytes: size }: DatabaseFacts): string {
  return size === undefined ? `${tilde(where)} (not created yet)` : `${tilde(where)} (${bytes(size)})`
}

/** One line for each folder: clones and worktrees of a project share its memories, and their sessions are told apart. */
function projectTable(projects: ProjectCounts[], { paint }: Cli): string {
  const rows = projects.flatMap(({ name, memories, folders, sessions }) =>
    folders.map(({ path, sessions: own }, at) => ({
      name: at === 0 ? name : '',
      sessions: grouped(folders.length === 1 ? sessions : own),
      memories: at === 0 ? grouped(memories) : '',
      folder: tilde(path),
    })),
  )
  return table(
    rows,
    [
      { head: 'PROJECT', cell: ({ name }) => name },
      { head: 'SESSIONS', cell: ({ sessions }) => sessions, align: 'right' },
      { head: 'MEMORIES', cell: ({ memories }) => memories, align: 'right' },
      { head: 'FOLDER', cell: ({ folder }) => folder, stretch: true },
    ],
    paint,
  )
}
