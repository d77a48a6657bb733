import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Holder, holderOf } from '../../../src/daemon/process/lock.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/upstream.ts'
import { type ClaudeRun, clientPath, type RunningClaude, startClaude } from '../claude.ts'
import { freePort } from '../free-port.ts'
import { story } from '../story.ts'

/** What the simulated API answers, whatever it is asked. */
export const WORDS = 'Still here.'

/** A user with an installation of Grove of their own, which can be damaged, and an API that answers. */
export interface LockOutStage {
  simulator: Simulator
  home: string
  env: Record<string, string>
  /** The folder that npm would have made for the package. */
  installed: string
  settings: string
  /** Where the user works. */
  cwd: string
  port: number
  grove(...args: string[]): { code: number | null; stdout: string; stderr: string }
  /** Starts a daemon as hooks do, and resolves when it serves. Commands that are for people alone may be refused here. */
  up(): Promise<Holder>
  start(how?: ClientStart): Promise<RunningClaude>
  claude(how?: ClientStart): Promise<ClaudeRun>
  /** `grove claude` of this installation. */
  through: string[]
}

export interface ClientStart {
  env?: Record<string, string>
  via?: string[]
}

type WhenFinished = (work: () => Promise<void> | void) => void

let count = 0

/** Where the copies of one test file lie: another one may run at the same time. */
export function installationsOf(dist: string): string {
  return `${dist}-installed-${process.pid}`
}

/** `dist` is a built Grove; its copies lie inside this repository, where they find the native module as an installed one does. */
export async function setLockOutStage(
  whenFinished: WhenFinished,
  {
    dist,
    client = clientPath(),
    installations = installationsOf(dist),
  }: { dist: string; client?: string; installations?: string },
): Promise<LockOutStage> {
  const simulator = await startSimulator({ scenario: story(...Array.from({ length: 9 }, () => ({ text: WORDS }))) })
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'grove-lock-out-'))
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(cwd)
  const installed = join(installations, String(count++), 'grove')
  cpSync(dist, join(installed, 'dist'), { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{"type":"module"}')
  const program = join(installed, 'dist', 'grove.js')
  // A daemon that a failed test leaves behind must not outlive it.
  whenFinished(async () => {
    const holder = holderOf(join(home, 'run', 'proxy.json'))
    if (holder && holder.pid !== process.pid) process.kill(holder.pid, 'SIGKILL')
    await simulator.close()
  })
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    GROVE_HOME: home,
    PORT: '0',
    PROXY_PORT: String(port),
    ANTHROPIC_TARGET: simulator.url,
    ANTHROPIC_BASE_URL: simulator.url,
    GROVE_CLAUDE_BIN: client,
  }
  const start: LockOutStage['start'] = ({ env: more, via = [client] } = {}) =>
    startClaude({
      baseUrl: simulator.url,
      prompt: 'Are you there?',
      cwd,
      home: folder,
      args: ['--include-hook-events'],
      env: { ...env, ...more },
      via,
    })
  return {
    simulator,
    home,
    env,
    installed,
    settings: join(folder, '.claude', 'settings.json'),
    cwd,
    port,
    through: [process.execPath, program, 'claude'],
    grove(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' })
      return { code: status, stdout, stderr }
    },
    async up() {
      const child = spawn(process.execPath, [program, 'up'], {
        cwd: folder,
        env: { ...env, GROVE_STARTED_BY: 'claude' },
        detached: true,
        stdio: 'ignore',
      })
      child.unref()
      for (;;) {
        const holder = holderOf(join(home, 'run', 'proxy.json'))
        if (holder?.url) return holder
        if (child.exitCode !== null) throw new Error(`Grove did not start: \`grove up\` ended with ${child.exitCode}`)
        await sleep(20)
      }
    },
    start,
    claude: async (how) => (await start(how)).done,
  }
}
