import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import { LEAN_MEMORY } from '../process/background-environment.ts'
import { ensureHome } from '../process/home.ts'

/** Grove as a service of the user's own session: a systemd unit on Linux, a launchd agent on macOS. */

interface ServiceNeeds {
  config: Config
  env: Env
  /** `grove.js` of this installation. */
  program: string
}

export interface ServiceState {
  /** Absent where the system has no service manager that Grove knows. */
  manager?: 'systemd' | 'launchd'
  file?: string
  installed: boolean
  running: boolean
}

interface Manager {
  name: 'systemd' | 'launchd'
  file: string
  text(needs: ServiceNeeds): string
  /** Resets the failure counter of a service that crashed too often. */
  forgive: string[][]
  start: string[][]
  stop: string[][]
  isRunning: string[]
}

const LABEL = 'grove'
const AGENT = 'dev.grove.daemon'

/** The service that keeps the daemon running. Installing it again brings it up to date. */
export function installService(needs: ServiceNeeds): string {
  const manager = managerOf(needs.env)
  if (!manager) {
    throw new Trouble(
      'Grove found no service manager (systemd for users, or launchd).',
      'Start `grove up` yourself when you log in, for example from your shell profile or with cron: @reboot grove up',
    )
  }
  // The manager starts it there, and refuses to where there is nothing.
  ensureHome(needs.config.home)
  mkdirSync(dirname(manager.file), { recursive: true })
  const text = manager.text(needs)
  // Either manager keeps running what it has begun with, whatever the file says since.
  if (existsSync(manager.file) && readFileSync(manager.file, 'utf8') !== text) quietly(manager.stop, needs.env)
  writeFileSync(manager.file, text, { mode: 0o600 })
  quietly(manager.forgive, needs.env)
  for (const command of manager.start) call(command, needs.env)
  return manager.file
}

/** Starts it again; false where this home has none. */
export function startService({ home }: Config, env: Env): boolean {
  const manager = managerOf(env)
  if (!manager || !serves(manager.file, home)) return false
  quietly(manager.forgive, env)
  for (const command of manager.start) call(command, env)
  return true
}

/** False where there was none. */
export function removeService({ home }: Config, env: Env): boolean {
  const manager = managerOf(env)
  if (!manager || !serves(manager.file, home)) return false
  quietly(manager.stop, env)
  rmSync(manager.file, { force: true })
  return true
}

/** Another home of Grove may have a service, too, and keeps it. */
function serves(file: string, home: string): boolean {
  return (
    existsSync(file) &&
    [quoted(`GROVE_HOME=${home}`), escaped(home)].some((text) => readFileSync(file, 'utf8').includes(text))
  )
}

export function serviceState(env: Env): ServiceState {
  const manager = managerOf(env)
  if (!manager) return { installed: false, running: false }
  const [program, ...args] = manager.isRunning
  const running = spawnSync(program!, args, { env, stdio: 'ignore' }).status === 0
  return { manager: manager.name, file: manager.file, installed: existsSync(manager.file), running }
}

/** Asks the manager itself: a container may have systemctl and no systemd. */
function managerOf(env: Env): Manager | undefined {
  const home = env.HOME || homedir()
  // The manager is the user's own; it knows nothing of a home that was only made up for one process.
  if (home !== userInfo().homedir) return undefined
  if (process.platform === 'darwin') return launchd(home)
  if (process.platform !== 'linux') return undefined
  const asked = spawnSync('systemctl', ['--user', 'show-environment'], { env, stdio: 'ignore', timeout: 5000 })
  return asked.status === 0 ? systemd(env.XDG_CONFIG_HOME || join(home, '.config')) : undefined
}

function systemd(folder: string): Manager {
  const control = (...words: string[]) => ['systemctl', '--user', ...words]
  return {
    name: 'systemd',
    file: join(folder, 'systemd', 'user', `${LABEL}.service`),
    text: systemdUnit,
    forgive: [control('reset-failed', LABEL)],
    start: [control('daemon-reload'), control('enable', '--now', LABEL)],
    stop: [control('disable', '--now', LABEL), control('daemon-reload')],
    isRunning: control('is-active', '--quiet', LABEL),
  }
}

const LEAN_MEMORY_WORDS = Object.entries(LEAN_MEMORY)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')

/** Restarted after a crash, at most ten times in five minutes; not after a requested stop. */
export function systemdUnit({ config, program }: ServiceNeeds): string {
  return `[Unit]
Description=Grove, which supervises Claude Code
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
ExecStart=${[process.execPath, program, 'up'].map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
Environment=${quoted(`GROVE_HOME=${config.home}`)} GROVE_STARTED_BY=service ${LEAN_MEMORY_WORDS}
WorkingDirectory=${config.home.replaceAll('%', '%%')}
Restart=on-failure
RestartSec=2
TimeoutStopSec=${config.proxy.drainSeconds + 15}

[Install]
WantedBy=default.target
`
}

/** A dollar sign stands for a variable in a command line only. */
function quoted(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
}

function launchd(home: string): Manager {
  const file = join(home, 'Library', 'LaunchAgents', `${AGENT}.plist`)
  const domain = `gui/${process.getuid?.() ?? 0}`
  return {
    name: 'launchd',
    file,
    text: launchdAgent,
    forgive: [],
    start: [
      ['launchctl', 'bootstrap', domain, file],
      ['launchctl', 'kickstart', `${domain}/${AGENT}`],
    ],
    stop: [['launchctl', 'bootout', `${domain}/${AGENT}`]],
    isRunning: ['launchctl', 'print', `${domain}/${AGENT}`],
  }
}

export function launchdAgent({ config, program }: ServiceNeeds): string {
  const words = [process.execPath, program, 'up'].map((word) => `    <string>${escaped(word)}</string>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${AGENT}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>GROVE_HOME</key><string>${escaped(config.home)}</string>
    <key>GROVE_STARTED_BY</key><string>service</string>
  </dict>
  <key>WorkingDirectory</key><string>${escaped(config.home)}</string>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Where nothing was running there is nothing to stop. */
function quietly(commands: string[][], env: Env): void {
  for (const [program, ...args] of commands) spawnSync(program!, args, { env })
}

function call([program, ...args]: string[], env: Env): void {
  const { status, stderr, error } = spawnSync(program!, args, { env, encoding: 'utf8' })
  // launchd says so when the agent is there already, which is what was wanted.
  if (status === 0 || /already (loaded|bootstrapped)|Bootstrap failed: 5/.test(stderr ?? '')) return
  const said = error?.message ?? stderr.trim().split('\n')[0]
  throw new Trouble(`\`${[program, ...args].join(' ')}\` failed: ${said}.`, 'Fix that, or start `grove up` yourself.')
}
