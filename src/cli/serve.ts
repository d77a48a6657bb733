import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { pathsOf } from '#config/paths.ts'
import { describeUnused } from '#config/problem.ts'
import { version } from '#config/version.ts'
import type { Listeners } from '#daemon/process/listeners.ts'
import type { StartedBy } from '#daemon/process/lock.ts'
import type { RunningDaemon } from '#daemon/process/run-daemon.ts'
import type { Cli } from './context.ts'
import { note, pairs, print } from './print.ts'

const OPTIONS: { listener: keyof Listeners; flags: string; about: string }[] = [
  { listener: 'web', flags: '--host <address>', about: 'address of the web page (HOST)' },
  { listener: 'web', flags: '--port <number>', about: 'port of the web page (PORT)' },
  { listener: 'proxy', flags: '--proxy-host <address>', about: 'address of the proxy (PROXY_HOST)' },
  { listener: 'proxy', flags: '--proxy-port <number>', about: 'port of the proxy (PROXY_PORT)' },
  { listener: 'proxy', flags: '--proxy-target <url>', about: 'API to forward to (ANTHROPIC_TARGET)' },
]

/** Defines a command that starts some of the daemon's listeners and keeps them running. */
export function defineServe(command: Command, cli: Cli, listeners: Listeners): void {
  for (const { listener, flags, about } of OPTIONS) if (listeners[listener]) command.option(flags, about)
  command.action(async (options: Record<string, string>) => {
    // The process title: `ps`, and the next Grove that finds its port taken, show it.
    process.title = `grove ${command.name()}`
    await serve(cli, listeners, byKey(options))
  })
}

/** `proxyPort` → `proxy.port`. */
function byKey(options: Record<string, string>): Record<string, string> {
  const entries = Object.entries(options)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name.replace(/^proxy([A-Z])/, (_, letter) => `proxy.${letter.toLowerCase()}`),
      value,
    ]),
  )
}

async function serve(cli: Cli, listeners: Listeners, options: Record<string, string>): Promise<void> {
  const config = cli.config(options)
  outliveItsOutput()
  const [
    { keepMemorySettings },
    { noRoomIn },
    { openLog },
    { runWhenThereIsRoom },
    { closeOnSignal },
    { endWithParent },
    { endWhenRemoved },
    { replaceOlder },
    { pointClients },
    { refreshHooks },
  ] = await Promise.all([
    import('#daemon/process/background-environment.ts'),
    import('#daemon/process/home.ts'),
    import('#daemon/process/log.ts'),
    import('#daemon/process/wait-for-disk-space.ts'),
    import('#daemon/process/shutdown.ts'),
    import('#daemon/process/end-with-parent.ts'),
    import('#daemon/process/end-when-removed.ts'),
    import('#daemon/process/replace-older.ts'),
    import('#daemon/attach/point-clients.ts'),
    import('#daemon/attach/refresh-hooks.ts'),
  ])
  keepMemorySettings(cli.env)
  // Throws for a home that can never work; one that merely takes no writes now is waited for.
  noRoomIn(config.home)
  if (!(await replaceOlder(config, listeners, note, startedBy(cli)))) {
    // Exit code 0: after a failure the service manager would restart it again and again.
    return note('Grove already runs in a terminal, so the service is not needed now.')
  }
  sayWhatTakesTime(pathsOf(config).database)
  const log = openLog(config, cli.noteNew)
  for (const problem of cli.settings().problems) {
    log.info({}, describeUnused([problem]))
  }
  const point = (to: { proxy: string } | 'past') =>
    pointClients(config, cli.env, to).catch((err) => log.warn({ err }, "Claude Code's settings were left as they are"))
  /** Points clients at what runs now, and prints it. */
  const present = async (running: RunningDaemon) => {
    const { proxyUrl, webUrl, link } = running
    if (proxyUrl) await point({ proxy: proxyUrl })
    if (webUrl) await refreshHooks(config, cli.env).catch((err) => log.warn({ err }, 'hooks were left as they are'))
    const { settledProxy } = await import('#daemon/attach/proxy-variables.ts')
    const shown = { ...running, ...(proxyUrl && { proxyUrl: settledProxy(config, proxyUrl) }) }
    print(startMessage(shown, config.proxy.target, cli))
    if (link && !/^http:\/\/(?:127\.|localhost|\[::1\])/.test(link)) print(await pairingCode(link))
  }
  const needs = { config, listeners, log, notice: note, startedBy: startedBy(cli) }
  const daemon = await runWhenThereIsRoom(needs, present)
  const close = async () => {
    if (daemon.proxyUrl) await point('past')
    await daemon.close()
  }
  // Installed before the start message: a reader of it may send the signal at once.
  const closed = closeOnSignal({
    notice: note,
    // The daemon observes the drain time itself; this is the fallback.
    close: () => Promise.race([close(), sleep((config.proxy.drainSeconds + 10) * 1000)]),
  })
  const end = () => void process.emit('SIGTERM', 'SIGTERM')
  if (startedBy(cli) === 'person') endWithParent(cli.env, end)
  endWhenRemoved(process.argv[1]!, () => {
    log.warn({}, 'Grove was removed from this machine, so it stops')
    end()
  })
  await present(daemon)
  await closed
  log.info({}, 'grove has stopped')
  log.close()
  // Whatever is still open now would only keep the process alive.
  process.exit(0)
}

/** Progress lines for a terminal; a log gets none. */
function sayWhatTakesTime(database: string): void {
  if (!process.stderr.isTTY) return
  const found = statSync(database, { throwIfNoEntry: false })
  if (!found) note('First start: creating the database, which takes a few seconds. Later starts take less than one.')
  else if (found.size > LARGE) note('Checking the database and updating its search index; this can take a while.')
}

const LARGE = 200 * 1024 * 1024

/** A daemon goes on when what it prints cannot be written: a file on a full disk, a terminal that was closed. */
function outliveItsOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {})
}

/** Set by the process that starts the daemon in the background. */
function startedBy({ env }: Cli): StartedBy {
  const { GROVE_STARTED_BY: by } = env
  return by === 'claude' || by === 'service' ? by : 'person'
}

/** The link as a QR code. */
async function pairingCode(url: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return `\nPair a browser on another machine by opening the address above, or this:\n\n${renderUnicodeCompact(url)}\n`
}

function startLine(proxyUrl: string): string {
  return `ANTHROPIC_BASE_URL=${proxyUrl} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_GATEWAY_HINT_HEADERS=1`
}

function startMessage({ webUrl, link, proxyUrl }: RunningDaemon, target: string, cli: Cli): string {
  const { paint } = cli
  const addresses: [string, string][] = []
  if (webUrl) addresses.push(['Web', paint.bold(webUrl)])
  // Without a terminal the link would only end up in a log.
  if (link) addresses.push(['Open', startedBy(cli) === 'person' ? paint.bold(link) : 'grove open'])
  if (proxyUrl) addresses.push(['Proxy', `${paint.bold(proxyUrl)} ${paint.dim(`→ ${target}`)}`])
  const attach = proxyUrl
    ? [
        '',
        'Start Claude Code through it:',
        '',
        `  ${paint.green('grove claude')}`,
        '',
        paint.dim('or set the variables yourself:'),
        '',
        `  ${paint.dim(`${startLine(proxyUrl)} claude`)}`,
      ]
    : []
  return [
    `Grove ${version} is running.`,
    '',
    pairs(addresses, '  '),
    ...attach,
    '',
    paint.dim('Stop it with Ctrl+C.'),
  ].join('\n')
}
