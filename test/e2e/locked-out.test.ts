import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { holderOf } from '../../src/daemon/process/lock.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'
import { dist, place, withBinary } from '../cli/grove.ts'
import { type ClaudeRun, clientPath, runClaude } from '../support/claude.ts'
import { story } from '../support/story.ts'

// Whatever happens to Grove, the real Claude Code works, and one line says what is off: attached by `grove init` (hooks
// and tools), started by `grove claude`, and attached by `grove init --proxy`. Times are printed, not asserted.

withBinary()

const WORDS = 'Still here.'
const times: string[] = []
afterAll(() => console.log(times.join('\n')))

interface Stage {
  simulator: Simulator
  home: string
  env: Record<string, string>
  /** The folder that npm would have made for the package. */
  installed: string
  settings: string
  port: number
  grove(...args: string[]): { code: number | null; stdout: string; stderr: string }
  claude(name: string, how?: { env?: Record<string, string>; via?: string[] }): Promise<ClaudeRun>
  /** `grove claude` of this installation. */
  through: string[]
}

/** Something that goes wrong. It may say how the client has to be started for it to be seen. */
interface Fault {
  name: string
  happens(stage: Stage): { env?: Record<string, string>; under?: string[] } | undefined | Promise<undefined>
  /** What the hook at the start of the session says; absent: nothing is off. */
  hooks?: RegExp
  /** What `grove claude` says. */
  launcher?: RegExp
}

const write = (file: string, text: string) => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  return undefined
}

const config = (text: string) => (stage: Stage) => write(join(stage.home, 'config.toml'), text)
const damage = (name: string) => (stage: Stage) => write(join(stage.installed, 'dist', name), 'const = damaged(\n')

const faults: Fault[] = [
  { name: 'nothing', happens: () => undefined },
  {
    name: 'Grove removed by npm',
    happens: ({ installed }) => void rmSync(installed, { recursive: true }),
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
    happens: ({ installed }) => void rmSync(join(installed, 'dist', 'chunks'), { recursive: true }),
    launcher:
      /^grove: this installation of Grove is damaged \(.*\), so Claude Code runs without the proxy\. Install Grove/m,
  },
  {
    name: 'config.toml is garbage',
    happens: config('[proxy\nport = '),
    hooks: /does not use a setting, but its default: .*config\.toml:1: not valid TOML/,
    launcher: /^warning: a setting is not used: .*config\.toml:1: not valid TOML/m,
  },
  {
    name: 'unknown and wrong settings',
    happens: config('prot = 1\n[drift]\ncheck_interval = "often"\n'),
    hooks: /does not use a setting.*prot: unknown setting; did you mean port\? \(and 1 more: `grove doctor`\)/,
    launcher: /^warning: a setting is not used: .*drift\.check_interval: expected a whole number/m,
  },
  {
    name: 'a file in place of its home',
    happens: ({ home, env }) => {
      const elsewhere = join(env.HOME!, 'in-the-way')
      cpSync(join(home, 'bin'), join(env.HOME!, 'bin'), { recursive: true })
      writeFileSync(elsewhere, 'a file')
      const script = join(home, 'bin', 'grove-hook')
      write(script, readFileSync(script, 'utf8').replace(`GROVE_HOME='${home}'`, `GROVE_HOME='${elsewhere}'`))
      return { env: { GROVE_HOME: elsewhere } }
    },
    hooks: /Grove cannot write to its home folder .*there is a file in its place.*goes on without Grove/,
    launcher:
      /^grove: Grove cannot write to its home folder .*, so Claude Code runs without the proxy\. Choose a folder/m,
  },
  {
    name: 'daemon stopped dead',
    happens: (stage) => {
      expect(stage.grove('restart').code).toBe(0)
      return void process.kill(holderOf(join(stage.home, 'run', 'proxy.json'))!.pid, 'SIGSTOP')
    },
    hooks: /Grove does not answer, and its hooks do without it, which is slower\. Start it anew: grove restart/,
    launcher: /^grove: .*, so Claude Code runs without the proxy\./m,
  },
  {
    name: 'Node gone',
    happens: ({ home, env }) => {
      const script = join(home, 'bin', 'grove-hook')
      write(script, readFileSync(script, 'utf8').replace(/^node='.*'$/m, "node='/nowhere/node'"))
      const bin = join(env.HOME!, 'without-node')
      mkdirSync(bin)
      for (const name of ['sh', 'bash', 'cat', 'sed', 'cp', 'mv', 'rm', 'git', 'curl']) {
        const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file))
        if (found) symlinkSync(found, join(bin, name))
      }
      return { env: { PATH: bin } }
    },
    hooks: /Grove cannot run, because its Node is gone; Claude Code goes on without it/,
  },
]

const MOUNTS = [
  ['unshare', '-m'],
  ['unshare', '-rm'],
].find(([program, ...args]) => spawnSync(program!, [...args, 'true']).status === 0)
// What only a mount can bring about; where nobody may mount, a file in place of the home stands for both.
if (MOUNTS) {
  const mounted = (commands: string) => (stage: Stage) => ({
    under: [...MOUNTS, 'sh', '-c', `home=${stage.home}; ${commands} && exec "$@"`, 'sh'],
  })
  const said = (why: string) => ({
    hooks: new RegExp(`Grove cannot write to its home folder .*: ${why}\\. Claude Code goes on without Grove`),
    launcher: new RegExp(`^grove: Grove cannot write to its home folder .*: ${why}, so Claude Code runs without`, 'm'),
  })
  faults.push({
    name: 'home read-only',
    happens: mounted('mount --bind $home $home && mount -o remount,bind,ro $home'),
    ...said('(the disk is read-only|no write permission)'),
  })
  faults.push({
    name: 'disk full',
    happens: mounted(
      'cp -a $home $home.kept && mount -t tmpfs -o size=400k tmpfs $home && cp -a $home.kept/. $home/ && { cat /dev/zero >$home/filling 2>/dev/null; true; }',
    ),
    ...said('the disk is full'),
  })
}

describe('Claude Code with hooks and tools of Grove', () => {
  it.for(faults)('answers: $name', async ({ name, happens, hooks }) => {
    const stage = await setStage()
    const before = existsSync(stage.settings) ? readFileSync(stage.settings, 'utf8') : undefined
    expect(stage.grove('init').code).toBe(0)
    const how = (await happens(stage)) ?? {}
    const run = await stage.claude(`hooks: ${name}`, { ...how, via: [...(how.under ?? []), clientPath()] })
    expectAnswer(run)
    if (hooks) expect(run.stdout).toMatch(hooks)
    else expect(run.stdout).not.toContain('Grove')
    if (name === 'Grove removed by npm') {
      expect(existsSync(stage.settings) ? readFileSync(stage.settings, 'utf8') : undefined).toBe(before)
      const again = await stage.claude(`hooks: ${name}, again`)
      expectAnswer(again)
      expect(again.stdout).not.toContain('Grove')
    }
  })
})

describe('grove claude', () => {
  it.for(faults.filter(({ launcher, name }) => launcher || name === 'nothing'))(
    'answers: $name',
    async ({ name, happens, launcher }) => {
      const stage = await setStage()
      expect(stage.grove('init').code).toBe(0)
      const how = (await happens(stage)) ?? {}
      const via = [...(how.under ?? []), ...stage.through]
      const run = await stage.claude(`grove claude: ${name}`, { ...how, via })
      expectAnswer(run)
      if (launcher) expect(run.stderr).toMatch(launcher)
      stage.grove('stop', '--now')
    },
  )

  it('goes through a proxy that runs, and past a stranger on its port', async () => {
    const stage = await setStage()
    expect(stage.grove('restart')).toMatchObject({ code: 0 })
    const run = await stage.claude('grove claude: running', { via: stage.through })
    expectAnswer(run)
    expect(run.stderr).toBe('')
    // Noted after the answer has left.
    await expect.poll(() => turnsOf(stage), { timeout: 60_000 }).toBe(1)
    expect(stage.grove('stop')).toMatchObject({ code: 0, stdout: expect.stringContaining('Grove has stopped') })

    const stranger = await listenAs(stage.port)
    const past = await stage.claude('grove claude: port taken', { via: stage.through })
    expectAnswer(past)
    expect(past.stderr).toMatch(/^grove: Port \d+, wanted for the proxy, is taken by .*, so Claude Code runs without/)
    expect(stranger.heard).toEqual([])
    stranger.close()
  })

  it('hands on arguments, input, signals and how it ended', async () => {
    const stage = await setStage()
    const fake = join(stage.env.HOME!, 'fake')
    write(fake, '#!/bin/sh\necho "$@"; cat; [ "$1" = die ] && kill -TERM $$; exit 7\n')
    execFileSync('chmod', ['755', fake])
    const [node, ...args] = stage.through
    const env = { ...stage.env, GROVE_CLAUDE_BIN: fake, ANTHROPIC_BASE_URL: 'https://gateway.example' }
    const run = (...words: string[]) => spawnSync(node!, [...args, ...words], { env, input: 'piped', encoding: 'utf8' })
    expect(run('-p', 'a b', '--model', 'x', '--help')).toMatchObject({
      status: 7,
      stdout: '-p a b --model x --help\npiped',
    })
    expect(run('die')).toMatchObject({ status: null, signal: 'SIGTERM' })
    expect(run().stderr).toMatch(
      /^grove: ANTHROPIC_BASE_URL is https:\/\/gateway\.example, so .* without the proxy\. .*\n$/,
    )
    expect(spawnSync(node!, args, { env: { ...env, GROVE_CLAUDE_BIN: '/nowhere' }, encoding: 'utf8' }).status).toBe(127)
  })
})

describe('Claude Code pointed at the proxy by its settings', () => {
  /** From this version on the client follows a base URL that changes in its settings. */
  const follows = isAtLeast(execFileSync(clientPath(), ['--version'], { encoding: 'utf8' }), [2, 1, 325])
  const impatient = { CLAUDE_CODE_MAX_RETRIES: '0' }

  it('goes through it while it runs, past it when it was stopped, and starts it when it was killed', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('sent your prompts'),
    })
    expect(stage.grove('restart').code).toBe(0)
    expectAnswer(await stage.claude('init --proxy: running'))
    await expect.poll(() => turnsOf(stage), { timeout: 60_000 }).toBe(1)
    stage.grove('stop')
    expect(baseUrlIn(stage)).toBe(stage.simulator.url)
    expectAnswer(await stage.claude('init --proxy: stopped'))
    expect(stage.grove('restart').code).toBe(0)
    await expect.poll(() => baseUrlIn(stage)).toBe(`http://127.0.0.1:${stage.port}`)
    process.kill(JSON.parse(stage.grove('status', '--json').stdout).daemon.proxy.pid, 'SIGKILL')
    expectAnswer(await stage.claude('init --proxy: killed'))
    stage.grove('stop', '--now')
  })

  it('is led past a stranger on the port, and told', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy').code).toBe(0)
    const stranger = await listenAs(stage.port)
    const first = await stage.claude('init --proxy: port taken', follows ? {} : { env: impatient })
    expect(first.stdout).toMatch(/Port \d+, wanted for the proxy, is taken by .*now goes straight to the API/)
    if (follows) {
      expectAnswer(first)
      expect(stranger.heard).toEqual([])
    }
    expectAnswer(await stage.claude('init --proxy: port taken, again'))
    stranger.close()
  })

  it('is led past it when Grove was removed', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy').code).toBe(0)
    rmSync(stage.installed, { recursive: true })
    const first = await stage.claude('init --proxy: removed', follows ? {} : { env: impatient })
    expect(first.stdout).toMatch(/Grove was removed without/)
    if (follows) expectAnswer(first)
    await expect.poll(() => existsSync(stage.settings), { timeout: 20_000 }).toBe(false)
    expectAnswer(await stage.claude('init --proxy: removed, again'))
  })
})

it('a newer Grove replaces the daemon of an older one, and an older one uses the newer', async () => {
  const stage = await setStage()
  const chunks = join(stage.installed, 'dist', 'chunks')
  const setVersion = (from: string, to: string) => {
    for (const name of readdirSync(chunks)) {
      const text = readFileSync(join(chunks, name), 'utf8')
      if (text.includes(`"${from}"`)) writeFileSync(join(chunks, name), text.replaceAll(`"${from}"`, `"${to}"`))
    }
  }
  const running = () => JSON.parse(stage.grove('status', '--json').stdout).daemon.proxy
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))
  setVersion(version, '0.0.1')
  expect(stage.grove('restart').code).toBe(0)
  const older = running()
  expect(older).toMatchObject({ version: '0.0.1', startedBy: 'claude' })

  setVersion('0.0.1', '99.0.0')
  expectAnswer(await stage.claude('grove claude: replaces an older daemon', { via: stage.through }))
  await expect.poll(() => running()?.version, { timeout: 60_000 }).toBe('99.0.0')
  expect(running().pid).not.toBe(older.pid)

  setVersion('99.0.0', version)
  const run = await stage.claude('grove claude: uses a newer daemon', { via: stage.through })
  expectAnswer(run)
  expect(run.stderr).toBe(
    `grove: Grove 99.0.0 is running, newer than this one (${version}), and is used; update with \`npm install -g grovekeeper\`.\n`,
  )
  expect(stage.grove('up').stderr).toContain('Grove 99.0.0 is already running')
  expect(stage.grove('stop').code).toBe(0)
})

it('grove unregister ends what Claude Code has started, and leaves what a person runs', async () => {
  const stage = await setStage()
  expect(stage.grove('init').code).toBe(0)
  expect(stage.grove('restart').code).toBe(0)
  expect(stage.grove('unregister').stdout).toMatch(/is detached from Claude Code[\s\S]*Grove has stopped \(pid \d+\)/)
  expect(JSON.parse(stage.grove('status', '--json').stdout).daemon.running).toBe(false)
})

function expectAnswer({ exitCode, result, stderr }: ClaudeRun) {
  expect({ exitCode, answer: result?.result, stderr }).toMatchObject({ exitCode: 0, answer: WORDS })
}

function turnsOf(stage: Stage): number {
  return JSON.parse(stage.grove('status', '--json').stdout).counts?.turns ?? 0
}

function baseUrlIn({ settings }: Stage): string {
  return JSON.parse(readFileSync(settings, 'utf8')).env.ANTHROPIC_BASE_URL
}

function isAtLeast(version: string, least: number[]): boolean {
  const numbers = version.match(/\d+/g)!.map(Number)
  const at = least.findIndex((number, i) => number !== numbers[i])
  return at < 0 || numbers[at]! > least[at]!
}

/** Somebody else's program on the port that the proxy wants. */
async function listenAs(port: number) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.writeHead(404).end('{}')
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  return { heard, close: () => server.closeAllConnections() ?? server.close() }
}

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

let installations = 0

/** A user with an installation of Grove of their own, and an API that answers. */
async function setStage(): Promise<Stage> {
  const simulator = await startSimulator({ scenario: story(...Array.from({ length: 9 }, () => ({ text: WORDS }))) })
  const port = await freePort()
  const at = place({ PROXY_PORT: String(port), PORT: '0', ANTHROPIC_TARGET: simulator.url })
  // Inside the package, where the native module is found.
  const installed = join(`${dist}-installed`, String(installations++), 'grove')
  cpSync(dist, join(installed, 'dist'), { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{"type":"module"}')
  const program = join(installed, 'dist', 'grove.js')
  // A daemon that a failed test leaves behind must not outlive it.
  onTestFinished(async () => {
    const holder = holderOf(join(at.home, 'run', 'proxy.json'))
    if (holder) process.kill(holder.pid, 'SIGKILL')
    await simulator.close()
  })
  const env = { ...at.env, ANTHROPIC_BASE_URL: simulator.url, GROVE_CLAUDE_BIN: clientPath() }
  return {
    simulator,
    home: at.home,
    env,
    installed,
    settings: join(at.env.HOME!, '.claude', 'settings.json'),
    port,
    through: [process.execPath, program, 'claude'],
    grove(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd: at.cwd,
        env,
        encoding: 'utf8',
      })
      return { code: status, stdout, stderr }
    },
    async claude(name, { env: more, via } = {}) {
      const began = performance.now()
      const run = await runClaude({
        baseUrl: simulator.url,
        prompt: 'Are you there?',
        cwd: at.cwd,
        home: at.env.HOME!,
        args: ['--include-hook-events'],
        env: { ...env, ...more },
        ...(via && { via }),
      })
      times.push(`${String(Math.round(performance.now() - began)).padStart(6)} ms  ${name}`)
      return run
    },
  }
}

afterAll(() => rmSync(`${dist}-installed`, { recursive: true, force: true }))
