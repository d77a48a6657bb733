import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { holderOf } from '../../src/daemon/process/lock.ts'
import { dist, withBinary } from '../cli/grove.ts'
import { type ClaudeRun, clientPath } from '../support/claude.ts'
import { freePort } from '../support/free-port.ts'
import { faults, listenAs } from '../support/lock-out/faults.ts'
import { installationsOf, type LockOutStage, setLockOutStage, WORDS } from '../support/lock-out/stage.ts'

// Whatever happens to Grove, the real Claude Code works, and one line says what is off: attached by `grove init` (hooks
// and tools), started by `grove claude`, and attached by `grove init --proxy`. `npm run bench lock-out` measures the time.

withBinary()

const write = (file: string, text: string) => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

describe('Claude Code with hooks and tools of Grove', () => {
  it.for(faults)('answers: $name', async ({ name, happens, seen, hooks }) => {
    const stage = await setStage()
    const before = existsSync(stage.settings) ? readFileSync(stage.settings, 'utf8') : undefined
    expect(stage.grove('init').code).toBe(0)
    await happens?.(stage, onTestFinished)
    const how = seen?.(stage) ?? {}
    const run = await stage.claude({ ...how, via: [...(how.under ?? []), clientPath()] })
    expectAnswer(run)
    if (hooks) expect(run.stdout).toMatch(hooks)
    else expect(run.stdout).not.toContain('Grove')
    if (name === 'Grove removed by npm') {
      expect(existsSync(stage.settings) ? readFileSync(stage.settings, 'utf8') : undefined).toBe(before)
      const again = await stage.claude()
      expectAnswer(again)
      expect(again.stdout).not.toContain('Grove')
    }
  })
})

describe('grove claude', () => {
  it.for(faults.filter(({ launcher, name }) => launcher || name === 'nothing'))(
    'answers: $name',
    async ({ happens, seen, launcher }) => {
      const stage = await setStage()
      expect(stage.grove('init').code).toBe(0)
      await happens?.(stage, onTestFinished)
      const how = seen?.(stage) ?? {}
      const via = [...(how.under ?? []), ...stage.through]
      const run = await stage.claude({ ...how, via })
      expectAnswer(run)
      if (launcher) expect(run.stderr).toMatch(launcher)
      stage.grove('stop', '--now')
    },
  )

  it('goes through a proxy that runs, and past a stranger on its port', async () => {
    const stage = await setStage()
    expect(stage.grove('restart')).toMatchObject({ code: 0 })
    const run = await stage.claude({ via: stage.through })
    expectAnswer(run)
    expect(run.stderr).toBe('')
    // Noted after the answer has left.
    await expect.poll(() => turnsOf(stage)).toBe(1)
    expect(stage.grove('stop')).toMatchObject({ code: 0, stdout: expect.stringContaining('Grove has stopped') })

    const stranger = await listenAs(stage.port)
    const past = await stage.claude({ via: stage.through })
    expectAnswer(past)
    expect(past.stderr).toMatch(/^grove: Port \d+, wanted for the proxy, is taken by .*, so Claude Code runs without/)
    expect(stranger.heard).toEqual([])
    stranger.close()
  })

  it("reaches its proxy directly where a company's proxy is set, which is sent neither words nor key", async () => {
    const stage = await setStage()
    const companyPort = await freePort()
    const company = await listenAs(companyPort)
    onTestFinished(company.close)
    const env = { HTTPS_PROXY: `http://127.0.0.1:${companyPort}`, NO_PROXY: 'intranet.example' }
    await stage.up()
    const run = await stage.claude({ env, via: stage.through })
    expectAnswer(run)
    expect(run.stderr).toBe('')
    expect(company.heard).toEqual([])
    await expect.poll(() => turnsOf(stage)).toBe(1)
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

  it('goes through it while it runs, past it when it was stopped, and starts it when it was killed', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('sent your prompts'),
    })
    expect(stage.grove('restart').code).toBe(0)
    expectAnswer(await stage.claude())
    await expect.poll(() => turnsOf(stage)).toBe(1)
    stage.grove('stop')
    expect(baseUrlIn(stage)).toBe(stage.simulator.url)
    expectAnswer(await stage.claude())
    expect(stage.grove('restart').code).toBe(0)
    await expect.poll(() => baseUrlIn(stage)).toBe(`http://127.0.0.1:${stage.port}`)
    await killGrove(stage)
    expectAnswer(await stage.claude())
    stage.grove('stop', '--now')
  })

  it('is not pointed at a port that somebody else has, until Grove has it', async () => {
    const stage = await setStage()
    const stranger = await listenAs(stage.port)
    const { code, stdout, stderr } = stage.grove('init', '--proxy')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^warning: Port \d+, .* is taken by .*, so Claude Code goes straight to the API until Grove runs/m,
    )
    expect(stdout).not.toContain('now uses the proxy')
    expect(baseUrlIn(stage)).toBe(stage.simulator.url)
    expectAnswer(await stage.claude())
    expect(stranger.heard).toEqual([])
    stranger.close()
    expect(stage.grove('init', '--proxy').stdout).toContain('Claude Code now uses the proxy')
    expect(baseUrlIn(stage)).toBe(`http://127.0.0.1:${stage.port}`)
    stage.grove('stop', '--now')
  })

  it("is led past it where a company's proxy is set that would be sent everything, and told", async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy').code).toBe(0)
    const companyPort = await freePort()
    const company = await listenAs(companyPort)
    onTestFinished(company.close)
    const direct = new URL(stage.simulator.url).host
    const env = { HTTPS_PROXY: `http://127.0.0.1:${companyPort}`, NO_PROXY: direct }
    const first = await stage.claude({ env })
    expect(first.stdout).toContain('HTTPS_PROXY would be sent what is meant for Grove')
    if (!first.stdout.includes('nothing was sent')) expectAnswer(first)
    expectAnswer(await stage.claude({ env }))
    expect(company.heard).toEqual([])
  })

  it('is led past a stranger on the port, and told', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy').code).toBe(0)
    await killGrove(stage)
    const stranger = await listenAs(stage.port)
    const first = await stage.claude()
    expect(first.stdout).toMatch(/Port \d+, wanted for the proxy, is taken by .*now goes straight to the API/)
    if (follows || !first.stdout.includes('nothing was sent')) expectAnswer(first)
    expectAnswer(await stage.claude())
    // Older clients open a connection beforehand, without words or key.
    expect(stranger.heard.filter((request) => !/^HEAD \S+$/.test(request))).toEqual([])
    stranger.close()
  })

  it('is led past it when Grove was removed', async () => {
    const stage = await setStage()
    expect(stage.grove('init', '--proxy').code).toBe(0)
    await killGrove(stage)
    rmSync(stage.installed, { recursive: true })
    const first = await stage.claude()
    expect(first.stdout).toMatch(/Grove was removed without/)
    if (follows || !first.stdout.includes('nothing was sent')) expectAnswer(first)
    await expect.poll(() => existsSync(stage.settings)).toBe(false)
    expectAnswer(await stage.claude())
  })
})

it('a Grove that was removed while it runs ends by itself, and its hooks then detach', async () => {
  const stage = await setStage()
  expect(stage.grove('init').code).toBe(0)
  expect(stage.grove('restart').code).toBe(0)
  rmSync(stage.installed, { recursive: true })
  const lock = join(stage.home, 'run', 'proxy.json')
  await expect.poll(() => holderOf(lock), { timeout: 150_000 }).toBeUndefined()
  const run = await stage.claude()
  expectAnswer(run)
  expect(run.stdout).toMatch(/Grove was removed without `grove unregister`/)
})

it('a newer Grove replaces the daemon of an older one, and an older one uses the newer', async () => {
  const stage = await setStage()
  const chunks = join(stage.installed, 'dist', 'chunks')
  const setVersion = (from: string, to: string) => {
    // The build breaks long lines, within a text too.
    const written = new RegExp(`"${[...from].map((sign) => `[${sign}]`).join('(?:\\\\\n)?')}"`, 'g')
    for (const name of readdirSync(chunks)) {
      const text = readFileSync(join(chunks, name), 'utf8')
      const changed = text.replaceAll(written, `"${to}"`)
      if (changed !== text) writeFileSync(join(chunks, name), changed)
    }
  }
  const running = () => JSON.parse(stage.grove('status', '--json').stdout).daemon.proxy
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))
  setVersion(version, '0.0.1')
  expect(stage.grove('restart').code).toBe(0)
  const older = running()
  expect(older).toMatchObject({ version: '0.0.1', startedBy: 'claude' })

  setVersion('0.0.1', '99.0.0')
  expectAnswer(await stage.claude({ via: stage.through }))
  await expect.poll(() => running()?.version).toBe('99.0.0')
  expect(running().pid).not.toBe(older.pid)

  setVersion('99.0.0', version)
  const run = await stage.claude({ via: stage.through })
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

/** Its end as a full memory brings it: it can say and undo nothing. */
async function killGrove(stage: LockOutStage) {
  const lock = join(stage.home, 'run', 'proxy.json')
  process.kill(holderOf(lock)!.pid, 'SIGKILL')
  await expect.poll(() => holderOf(lock)).toBeUndefined()
}

function turnsOf(stage: LockOutStage): number {
  return JSON.parse(stage.grove('status', '--json').stdout).counts?.turns ?? 0
}

function baseUrlIn({ settings }: LockOutStage): string {
  return JSON.parse(readFileSync(settings, 'utf8')).env.ANTHROPIC_BASE_URL
}

function isAtLeast(version: string, least: number[]): boolean {
  const numbers = version.match(/\d+/g)!.map(Number)
  const at = least.findIndex((number, i) => number !== numbers[i])
  return at < 0 || numbers[at]! > least[at]!
}

const setStage = () => setLockOutStage(onTestFinished, { dist })

afterAll(() => rmSync(installationsOf(dist), { recursive: true, force: true }))
