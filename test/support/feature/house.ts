import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSnapshot, SessionSummary } from '../../../src/protocol/api/sessions.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/upstream.ts'
import { createProjectWithRemote, type ProjectWithRemote } from '../bare-remote.ts'
import { clientEnv, clientPath } from '../claude.ts'
import { type Github, startGithub } from '../gh-github.ts'
import { tempDir } from '../project.ts'
import { MODEL, PROJECT } from './model.ts'

/** Everything that one machine has: a home, repositories with a remote, a GitHub, a model, and the built Grove. */
export interface House {
  folder: string
  home: string
  project: ProjectWithRemote
  github: Github
  simulator: Simulator
  /** Starts the daemon and waits until it listens. */
  start(): Promise<Daemon>
  /** Starts the daemon and kills it so soon that it may not have come to anything. */
  killWhileStarting(afterMs: number): Promise<void>
  close(): Promise<void>
}

/** A daemon that runs, and its API. */
export interface Daemon {
  pid: number
  url: string
  /** What it has printed. */
  output(): string
  ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<T>>
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
  /** Ends it as a person would. */
  stop(): Promise<void>
}

export interface Answer<T> {
  status: number
  body: T & { code?: string; message?: string }
}

interface HouseOptions {
  /** The built command. */
  binary: string
  client?: string
  gh?: 'stand-in' | 'real'
  settings?: string
  files?: Record<string, string>
  scenario?: Parameters<typeof startSimulator>[0]['scenario']
  env?: Record<string, string>
  /** What the daemon is started by, such as a shell that has changed what it sees. */
  via?: string[]
}

export async function openHouse(options: HouseOptions): Promise<House> {
  const { binary, client = clientPath(), gh = 'stand-in', settings = '', files = PROJECT, scenario = MODEL } = options
  const folder = await tempDir('house')
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700 })
  const project = await createProjectWithRemote(files)
  // The real program looks for a remote that GitHub has; everything is pushed to the one on this disk.
  if (gh === 'real') await project.git('remote', 'add', 'github', 'http://github.localhost/team/app.git')
  const github = await startGithub(gh)
  const simulator = await startSimulator({ scenario })
  const toml = `[claude]\nbin = ${JSON.stringify(client)}\n\n[workflow]\nsetup = false\nci_poll_seconds = 1\n${settings}`
  await writeFile(join(home, 'config.toml'), toml)
  const env = {
    ...clientEnv(folder, 'http://127.0.0.1:9'),
    GROVE_HOME: home,
    PORT: '0',
    PROXY_PORT: '0',
    ANTHROPIC_TARGET: simulator.url,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    // Not localhost, of which the stand-in for GitHub has a name.
    NO_PROXY: '127.0.0.1',
    ...githubEnv(github, gh),
    ...options.env,
  }
  const running = new Set<ChildProcess>()

  function launch() {
    const [program = '', ...args] = [...(options.via ?? []), process.execPath, binary, 'up']
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    return { child, gone: once(child, 'exit').then(() => running.delete(child)) }
  }

  async function killWhileStarting(afterMs: number): Promise<void> {
    const { child, gone } = launch()
    await sleep(afterMs)
    child.kill('SIGKILL')
    await gone
  }

  async function start(): Promise<Daemon> {
    const { child, gone } = launch()
    let output = ''
    for (const side of [child.stdout, child.stderr]) {
      side.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    while (!output.includes('Stop it with Ctrl+C.')) {
      const heard = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), gone.then(() => 'gone')])
      if ((await heard) === 'gone') throw new Error(`the daemon ended: ${output}`)
    }
    const url = /Web +(http:\/\/\S+)/.exec(output)![1]!
    // Started by something else, it may see another disk there.
    const seen = options.via ? `/proc/${child.pid}/root${home}` : home
    const authorization = `Bearer ${readFileSync(join(seen, 'token'), 'utf8').trim()}`
    return {
      pid: child.pid!,
      url,
      output: () => output,
      async ask(method, path, body) {
        const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
        const answer = await fetch(new URL(path, url), { method, headers, ...(body && { body: JSON.stringify(body) }) })
        return { status: answer.status, body: (await answer.json()) as never }
      },
      async kill() {
        child.kill('SIGKILL')
        await gone
      },
      async stop() {
        child.kill('SIGTERM')
        await gone
      },
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...running].map((child) => child.kill('SIGKILL') && once(child, 'exit')))
    await simulator.close()
    await github.close()
    await project.remove()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  return { folder, home, project, github, simulator, start, killWhileStarting, close }
}

/** The stand-in is found by its path; the real program needs its way to the stand-in for GitHub besides. */
function githubEnv({ env }: Github, gh: 'stand-in' | 'real'): Record<string, string> {
  const { HOME: _, ...real } = env
  return gh === 'real' ? real : { PATH: env.PATH!, GH_STAND_IN: env.GH_STAND_IN! }
}

/** Begins the feature of the story. */
export async function beginFeature(daemon: Daemon, projectPath: string, more: object = {}): Promise<SessionSummary> {
  const { status, body } = await daemon.ask<{ session: SessionSnapshot }>('POST', '/api/sessions', {
    title: 'Add login',
    projectPath,
    description: 'People can log in.',
    acceptanceCriteria: [
      { text: 'All tests pass', checked: true, type: 'automated' },
      { text: 'Looks good on phones', checked: true, type: 'manual' },
    ],
    options: { recommendedReviews: 3, maxCallsPerHour: 100_000 },
    ...more,
  })
  if (status !== 201) throw new Error(`the form was refused: ${JSON.stringify(body)}`)
  return body.session.summary
}
