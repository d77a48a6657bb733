import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, Option } from 'commander'
import { tilde } from '#config/paths.ts'
import type { Attached, Transport } from '#daemon/attach/attach.ts'
import type { Cli } from '../context.ts'
import { note, pairs, print } from '../print.ts'

interface Options {
  project?: boolean
  transport: Transport
  proxy: boolean
  dryRun?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--user', 'for all your projects (the default)')
    .addOption(new Option('--project', 'for this project only').conflicts('user'))
    .addOption(
      new Option('--transport <kind>', 'how hooks reach Grove; auto takes the best for each event')
        .choices(['auto', 'http', 'command'])
        .default('auto'),
    )
    .option('--no-proxy', 'only hooks and tools; requests go straight to the API')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async (options: Options) => init(cli, options))
}

async function init(cli: Cli, { project, transport, proxy, dryRun = false }: Options): Promise<void> {
  const { attachToClaude } = await import('#daemon/attach/attach.ts')
  const attached = await attachToClaude({
    config: cli.config(),
    env: cli.env,
    ...(project && { project: cli.settings().projectRoot ?? cli.cwd }),
    transport,
    proxy,
    dist: dirname(realpathSync(process.argv[1]!)),
    dryRun,
  })
  print(text(attached, project ?? false, dryRun, cli))
  for (const line of attached.notes) note(`\nnote: ${line}`)
}

function text({ settings, hooks, env, configuration, script }: Attached, project: boolean, dryRun: boolean, cli: Cli) {
  const whom = project ? 'in this project' : 'in all your projects'
  const head = dryRun
    ? `This would attach Grove to Claude Code ${whom}. Nothing was written.`
    : `Grove is attached to Claude Code ${whom}.`
  const files: [string, string][] = [
    [tilde(settings), [`${hooks} hooks`, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)].join(', ')],
    [tilde(configuration), 'MCP server grove'],
    ...(script ? [[tilde(script), 'hook client'] as [string, string]] : []),
  ]
  const undo = cli.paint.dim(`Undo it with \`grove unregister${project ? ' --project' : ''}\`.`)
  return [head, '', pairs(files, '  '), '', ...(dryRun ? [] : [next(env, cli.config().proxy.startWithClaude), undo])]
    .join('\n')
    .trimEnd()
}

function next(env: Attached['env'], startsWithClaude: boolean): string {
  if (!env.ANTHROPIC_BASE_URL) {
    return 'Hooks work by themselves; they are quicker, and there is a page to look at, while `grove up` runs.'
  }
  return startsWithClaude
    ? 'Claude Code now goes through the proxy, and starts Grove when it is not running.'
    : 'Claude Code now goes through the proxy, so keep `grove up` running while you use it.'
}
