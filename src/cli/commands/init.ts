import { realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Command, Option } from 'commander'
import { pathsOf, tilde } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import type { Attached, Transport } from '#daemon/attach/attach.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { note, pairs, print } from '../print.ts'

interface Options {
  project?: boolean
  transport: Transport
  proxy?: boolean
  gate?: Gate
  dryRun?: boolean
  statusline?: boolean
  import?: boolean
}

type Gate = 'tickets' | 'session' | 'off'

/** When agents are asked what their work has taught. */
const GATE: Record<Gate, string> = {
  tickets:
    'When an agent closes a ticket, it is asked what the next session should know (`--gate session` also asks without tickets).',
  session:
    'When an agent closes a ticket or has done substantial work with you, it is asked what the next session should know.',
  off: 'Agents are never asked what the next session should know; what they submit on their own is kept.',
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--user', 'for all your projects (the default)')
    .addOption(new Option('--project', 'for this project only').conflicts('user'))
    .addOption(
      new Option('--transport <kind>', 'how hooks reach Grove; auto chooses the best for each event')
        .choices(['auto', 'http', 'command'])
        .default('auto'),
    )
    .option('--proxy', 'also send all requests through the proxy, however Claude Code is started')
    .addOption(new Option('--no-proxy', 'hooks and tools only (the default)').hideHelp())
    .addOption(
      new Option(
        '--gate <when>',
        'when agents are asked to reflect: after tickets, also after sessions, or never',
      ).choices(['tickets', 'session', 'off']),
    )
    .option('--statusline', "also show Grove in Claude Code's status line, unless another tool uses it")
    .option('--import', "also build memories from this project's git history, like `grove import git`")
    .option('--dry-run', 'show what would be done, without doing it')
    .action(async (options: Options) => {
      await init(cli, options)
      if (options.import && options.dryRun)
        print('\nIt would then build memories from the git history of this project.')
      else if (options.import) await beginWithHistory(cli)
    })
}

async function init(
  cli: Cli,
  { project, transport, proxy = false, gate, statusline, dryRun = false }: Options,
): Promise<void> {
  const [{ attachToClaude }, service, { reachProxy, untilReached }, { pointClients }] = await Promise.all([
    import('#daemon/attach/attach.ts'),
    import('#daemon/attach/service.ts'),
    import('#daemon/process/start-daemon.ts'),
    import('#daemon/attach/point-clients.ts'),
  ])
  const config = cli.config()
  const root = cli.settings().projectRoot ?? cli.cwd
  const { hookFacts } = await import('#daemon/attach/hook-facts.ts')
  // A first attachment is harmless; changing one (another home, a weaker transport) is left to people.
  const facts = hookFacts(config, cli.env, root)
  const isAttached = facts.some(({ hooks }) => hooks > 0)
  if (!dryRun && (isAttached || gate)) {
    await onlyPeople(cli, 'change how Grove is attached')
  }
  const program = realpathSync(process.argv[1]!)
  const needs = { config, env: cli.env, program, patienceMs: PATIENCE }
  const runs = proxy && !dryRun && 'url' in (await reachProxy({ ...needs, mayStart: false }))
  if (gate && !dryRun) await keepGate(project ? join(root, '.grove', 'config.toml') : pathsOf(config).config, gate)
  const attached = await attachToClaude({
    config,
    env: cli.env,
    ...(project && { project: root }),
    transport,
    proxy: proxy && (dryRun || runs ? 'now' : 'once it runs'),
    ...(statusline && { statusLine: true }),
    dist: dirname(program),
    dryRun,
  })
  const { manager, file } = attached.env.ANTHROPIC_BASE_URL ? service.serviceState(cli.env) : {}
  const shown = { project: project ?? false, dryRun, gate: gate ?? config.gate.ask, ...(file && { service: file }) }
  print(text(attached, shown, cli))
  for (const line of attached.notes) note(`\nnote: ${line}`)
  for (const { file } of facts.filter(({ disabled }) => disabled))
    note(
      `\nnote: ${tilde(file)} turns all hooks off. Remove "disableAllHooks" from it, or Grove will not notice anything.`,
    )
  if (!attached.env.ANTHROPIC_BASE_URL) return
  note(`\nnote: ${RISK}`)
  if (!manager)
    note('\nnote: Grove found no service manager (systemd for users, or launchd): start `grove up` when you log in.')
  if (dryRun) return
  if (manager) service.installService({ config, env: cli.env, program })
  const reached = manager ? await untilReached(needs) : await reachProxy({ ...needs, mayStart: true })
  if ('url' in reached) {
    await pointClients(config, cli.env, { proxy: reached.url })
    print('\nClaude Code now uses the proxy, however it is started.')
  } else {
    note(`\nwarning: ${reached.off}, so Claude Code goes straight to the API until Grove runs. ${reached.fix}`)
  }
}

/** How long a first start may take. */
const PATIENCE = 10_000

async function beginWithHistory(cli: Cli): Promise<void> {
  const { importHistory } = await import('./import.ts')
  print('')
  try {
    await importHistory(cli)
    print('Try it: `grove search <words>` shows what an agent would get.')
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    note(`Grove is attached, but no memories were imported: ${error.message} Try \`grove import git\` later.`)
    process.exitCode = 1
  }
}

/** Writes the choice into the configuration and leaves the rest of the file as it is. */
async function keepGate(file: string, gate: Gate): Promise<void> {
  const { writeSetting } = await import('#daemon/attach/write-setting.ts')
  await writeSetting(file, 'gate', 'ask', gate)
}

const RISK =
  'Every Claude Code you start now depends on this machine running Grove. When Grove stops, it points your settings past\n' +
  'itself again; when it is killed, the next prompt or session start corrects that, and holds the prompt back where another\n' +
  'program has taken the port. In the middle of a turn nothing is held back: that program would be sent your prompts and key.\n' +
  'Clients before 2.1.305 that are open then fail until you restart them.\n' +
  '`grove claude` has none of these risks; `grove init` without --proxy goes back to it.'

interface Shown {
  project: boolean
  dryRun: boolean
  gate: Gate
  service?: string
}

function text(
  { settings, hooks, env, allow, configuration, script, statusLine }: Attached,
  { project, dryRun, gate, service }: Shown,
  cli: Cli,
) {
  const whom = project ? 'in this project' : 'in all your projects'
  const head = dryRun
    ? `This would attach Grove to Claude Code ${whom}. Nothing was written.`
    : `Grove is attached to Claude Code ${whom}.`
  const files: [string, string][] = [
    [project ? relative(cli.cwd, settings) : tilde(settings), `${hooks.length} hooks:`],
    ['', `  ${hooks.join(', ')}`],
    ...(allow.length === 0
      ? []
      : [['', "permissions, so that Grove's own tools run without a prompt:"] as [string, string]]),
    ...allow.map((rule): [string, string] => ['', `  ${rule.replace(/(?<=\()\/\S+/, tilde)}`]),
    ...(statusLine === undefined ? [] : [['', `status line: ${tilde(statusLine)}`] as [string, string]]),
    ...Object.entries(env).map(([name, value]): [string, string] => ['', `variable: ${name}=${value}`]),
    [tilde(configuration), 'MCP server grove: tools for agents'],
    ...(script
      ? [
          [tilde(script), 'what the hooks run'] as [string, string],
          [tilde(join(dirname(dirname(script)), 'attached')), 'a backup of your settings'] as [string, string],
        ]
      : []),
    ...(service ? [[tilde(service), 'service that keeps Grove running'] as [string, string]] : []),
  ]
  const ownPaths = project ? ['Do not commit .claude/settings.local.json: it contains paths on this machine.'] : []
  const undo = cli.paint.dim(`Undo this with \`grove unregister${project ? ' --project' : ''}\`.`)
  const after = dryRun ? [] : [...(env.ANTHROPIC_BASE_URL ? [] : [AS_BEFORE]), GATE[gate], ...ownPaths, undo]
  return [head, '', pairs(files, '  '), '', ...after].join('\n').trimEnd()
}

const AS_BEFORE =
  'Use `claude` as before, or `grove claude` to also send requests through the proxy. If Grove is not running, Claude Code still works.'
