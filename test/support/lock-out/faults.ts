import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketPath } from '../../../src/config/paths.ts'
import { holderOf } from '../../../src/daemon/process/lock.ts'
import { killWithUs } from '../claude.ts'
import type { LockOutStage } from './stage.ts'

/** How the client has to be started for a fault to be seen. */
interface Seen {
  env?: Record<string, string>
  under?: string[]
}

type WhenFinished = (work: () => Promise<void> | void) => void

/** Something that goes wrong. */
export interface Fault {
  name: string
  happens?(stage: LockOutStage, whenFinished: WhenFinished): Promise<void> | void
  seen?(stage: LockOutStage): Seen
  /** What the hook at the start of the session says; absent: nothing is off. */
  hooks?: RegExp
  /** What `grove claude` says. */
  launcher?: RegExp
}

const write = (file: string, text: string) => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

const config = (text: string) => (stage: LockOutStage) => write(join(stage.home, 'config.toml'), text)
const damage = (name: string) => (stage: LockOutStage) =>
  write(join(stage.installed, 'dist', name), 'const = damaged(\n')

const inTheWay = (env: Record<string, string>) => join(env.HOME!, 'in-the-way')
const withoutNode = (env: Record<string, string>) => join(env.HOME!, 'without-node')

/** On a machine under load Grove may start too late besides, which is then said in the same line. */
const withSettings = ({ source }: RegExp) =>
  new RegExp(
    `^grove: (?:${source}|.*, so Claude Code runs without the proxy\\..* Some settings are not used either: .*)$`,
    'm',
  )

export const faults: Fault[] = [
  { name: 'nothing' },
  {
    name: 'Grove removed by npm',
    happens: ({ installed }) => rmSync(installed, { recursive: true }),
    hooks: /Grove was removed without `grove unregister`, so it has been taken out of your settings/,
  },
  {
    name: 'hook client damaged',
    happens: damage('hook.cjs'),
    hooks: /its files are damaged; Claude Code goes on without it\. Install it again/,
  },
  {
    name: 'standalone runner damaged',
    happens: damage('hook/standalone.cjs'),
    hooks: /Grove's hooks do not work, and Claude Code goes on without them: SyntaxError.*grove doctor/,
  },
  {
    name: 'chunks gone',
    happens: ({ installed }) => rmSync(join(installed, 'dist', 'chunks'), { recursive: true }),
    launcher:
      /^grove: this installation of Grove is damaged \(.*\), so Claude Code runs without the proxy\. Install Grove/m,
  },
  {
    name: 'config.toml is garbage',
    happens: config('[proxy\nport = '),
    hooks: /does not use the settings of a file, but their defaults: .*config\.toml:1: not valid TOML/,
    launcher: withSettings(/the settings of a file are not used: .*config\.toml:1: not valid TOML.*/),
  },
  {
    name: 'unknown and wrong settings',
    happens: config('prot = 1\n[drift]\ncheck_interval = "often"\n'),
    hooks: /does not use a setting.*prot: unknown setting; did you mean port\? \(and 1 more: `grove doctor`\)/,
    launcher: withSettings(
      /a setting is not used: .*prot: unknown setting; did you mean port\? \(and 1 more: `grove doctor`\)/,
    ),
  },
  {
    name: 'a file in place of its home',
    happens: ({ home, env }) => {
      cpSync(join(home, 'bin'), join(env.HOME!, 'bin'), { recursive: true })
      write(inTheWay(env), 'a file')
      const script = join(home, 'bin', 'grove-hook')
      write(script, readFileSync(script, 'utf8').replace(`GROVE_HOME='${home}'`, `GROVE_HOME='${inTheWay(env)}'`))
    },
    seen: ({ env }) => ({ env: { GROVE_HOME: inTheWay(env) } }),
    hooks: /Grove cannot write to its home folder .*there is a file in its place.*goes on without Grove/,
    launcher:
      /^grove: Grove cannot write to its home folder .*, so Claude Code runs without the proxy\. Choose a folder/m,
  },
  {
    name: 'daemon stopped dead',
    happens: async (stage) => void process.kill((await stage.up()).pid, 'SIGSTOP'),
    hooks: /Grove does not answer, so its hooks work without it, which is slower\. Restart it: grove restart/,
    launcher: /^grove: .*, so Claude Code runs without the proxy\./m,
  },
  {
    name: 'daemon hangs',
    happens: hangs,
    hooks: /Grove does not answer, so its hooks work without it, which is slower\. Restart it: grove restart/,
    launcher: /^grove: Grove \(pid \d+\) does not answer, so Claude Code runs without the proxy\. Run `grove restart`/m,
  },
  {
    name: 'stopped',
    async happens(stage) {
      const { pid } = await stage.up()
      process.kill(pid, 'SIGTERM')
      while (holderOf(join(stage.home, 'run', 'proxy.json'))) await sleep(20)
    },
  },
  {
    name: 'port taken',
    async happens({ port }, whenFinished) {
      const stranger = await listenAs(port)
      whenFinished(stranger.close)
    },
    launcher: /^grove: Port \d+, wanted for the proxy, is taken by .*, so Claude Code runs without the proxy\./m,
  },
  {
    name: 'Node gone',
    happens: ({ home, env }) => {
      const script = join(home, 'bin', 'grove-hook')
      write(script, readFileSync(script, 'utf8').replace(/^node='.*'$/m, "node='/nowhere/node'"))
      mkdirSync(withoutNode(env))
      for (const name of ['sh', 'bash', 'cat', 'sed', 'cp', 'mv', 'rm', 'git', 'curl']) {
        const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file))
        if (found) symlinkSync(found, join(withoutNode(env), name))
      }
    },
    seen: ({ env }) => ({ env: { PATH: withoutNode(env) } }),
    hooks: /Grove cannot run, because its Node is gone; Claude Code goes on without it/,
  },
]

const MOUNTS = [
  ['unshare', '-m'],
  ['unshare', '-rm'],
].find(([program, ...args]) => spawnSync(program!, [...args, 'true']).status === 0)
// What only a mount can bring about; where nobody may mount, a file in place of the home stands for both.
if (MOUNTS) {
  const mounted = (commands: string) => (stage: LockOutStage) => ({
    under: [...MOUNTS, 'sh', '-c', `home=${stage.home}; ${commands} && exec "$@"`, 'sh'],
  })
  const said = (why: string) => ({
    hooks: new RegExp(`Grove cannot write to its home folder .*: ${why}\\. Claude Code goes on without Grove`),
    launcher: new RegExp(`^grove: Grove cannot write to its home folder .*: ${why}, so Claude Code runs without`, 'm'),
  })
  faults.push({
    name: 'home read-only',
    seen: mounted('mount --bind $home $home && mount -o remount,bind,ro $home'),
    ...said('(the disk is read-only|no write permission)'),
  })
  faults.push({
    name: "an administrator's settings",
    happens: ({ home, simulator }) => {
      cpSync('/etc', join(home, 'etc'), { recursive: true, verbatimSymlinks: true })
      const settings = { env: { ANTHROPIC_BASE_URL: `${simulator.url}/` } }
      write(join(home, 'etc', 'claude-code', 'managed-settings.json'), JSON.stringify(settings))
    },
    seen: mounted('mount --bind $home/etc /etc'),
    launcher: /^grove: your administrator's settings send Claude Code to \S+, so Claude Code runs without the proxy\./m,
  })
  faults.push({
    name: 'disk full',
    seen: mounted(
      'cp -a $home $home.kept && mount -t tmpfs -o size=400k tmpfs $home && cp -a $home.kept/. $home/ && { cat /dev/zero >$home/filling 2>/dev/null; true; }',
    ),
    ...said('the disk is full'),
  })
}

/** A process that has taken the lock, the socket and the port, and answers nobody: its event loop stands still. */
async function hangs({ home, port }: LockOutStage, whenFinished: WhenFinished) {
  const run = join(home, 'run')
  const script = `const { createServer } = require('node:net')
    const [socket, port] = process.argv.slice(1)
    createServer(() => {}).listen(socket)
    createServer(() => {}).listen(Number(port), '127.0.0.1', () => process.stdout.write('up', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)))`
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const child = spawn(process.execPath, ['-e', script, socketPath(home), String(port)])
  const end = killWithUs(child)
  await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${port}`
  const holder = { pid: child.pid, host: hostname(), version: '99.0.0', startedAt: Date.now(), url }
  writeFileSync(join(run, 'proxy.json'), `${JSON.stringify(holder)}\n`)
  whenFinished(end)
}

/** Somebody else's program on the port that the proxy wants. */
export async function listenAs(port: number) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const { authorization, 'x-api-key': key } = request.headers
    heard.push(`${request.method} ${request.url}${(authorization ?? key) ? ' with a key' : ''}`)
    response.writeHead(404).end('{}')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    heard,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
