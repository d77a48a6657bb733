import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectAt } from '../../../src/exec/git/git.ts'
import { startGithub } from '../../support/gh-github.ts'
import { createProject } from '../../support/project.ts'
import { startModel } from './live-feature.ts'
import { seedHome, seedProject } from './scene.ts'
import { seedFeatures, type WorkedFeatures } from './worked-features.ts'

/** The built Grove on a home with something in it. Used by tests and by the commands that take pictures and measure. */
export interface Scene {
  url: string
  /** The address that opens the page for a person. */
  link: string
  token: string
  dir: string
  home: string
  /** Where the feature sessions of the home are shown; empty unless they were asked for. */
  features: WorkedFeatures
  /** An agent asks a hook; resolves with its answer. */
  hook(event: string, body: object): Promise<unknown>
  get(path: string): Promise<unknown>
  /** Runs a command in the project. */
  grove(...args: string[]): Promise<void>
  stop(): Promise<void>
  /** Starts again on the same port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface SceneOptions {
  /** Nothing in the home, and a project without intents. */
  isEmpty?: boolean
  /** A month of work before today, for plots. */
  month?: boolean
  /** Feature sessions in every state, and the real client with a model that knows one more. */
  features?: boolean
  /** For the daemon, and whatever it starts. */
  env?: Record<string, string>
  /** The project, instead of the usual one. */
  files?: Record<string, string>
  /** config.toml of the home. */
  settings?: string
}

const PATIENCE_MS = 15_000

export async function openScene(
  dist: string,
  { isEmpty = false, month = false, features = false, env: more = {}, files, settings }: SceneOptions = {},
): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'grove-scene-'))
  const home = join(folder, 'home')
  const project = files ? await createProject(files) : await seedProject()
  if (settings) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'config.toml'), settings)
  }
  if (!isEmpty) {
    const { id, root } = await projectAt(project.dir)
    await seedHome(home, { id, name: 'billing', root }, { month })
  }
  const github = features ? await startGithub('stand-in') : undefined
  const model = features ? await startModel() : undefined
  const worked = github ? await seedFeatures(home, project, github) : ({} as WorkedFeatures)
  const env = (port: string) => ({
    PATH: process.env.PATH ?? '',
    GROVE_HOME: home,
    PORT: port,
    PROXY_PORT: '0',
    ANTHROPIC_TARGET: 'http://127.0.0.1:9',
    ...github?.env,
    // For the real `gh` alone: the client would look for its model there.
    http_proxy: '',
    https_proxy: '',
    ...model?.env,
    HOME: folder,
    ...more,
  })
  let running = await start(dist, env('0'), project.dir)
  const { port } = new URL(running.url)
  const token = readFileSync(join(home, 'token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  /** Agents that still wait for an answer give up when the scene closes. */
  const leaving = new AbortController()
  const stop = async () => {
    if (running.child.exitCode === null && running.child.kill('SIGKILL')) await once(running.child, 'close')
  }
  return {
    url: running.url,
    link: running.link,
    token,
    dir: project.dir,
    home,
    features: worked,
    async hook(event, body) {
      const response = await fetch(`${running.url}/hooks/${event}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: leaving.signal,
      })
      return response.json()
    },
    get: async (path) => (await fetch(`${running.url}${path}`, { headers })).json(),
    async grove(...args) {
      const child = spawn(process.execPath, [join(dist, 'grove.js'), ...args], {
        cwd: project.dir,
        env: env('0'),
        stdio: 'ignore',
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`grove ${args.join(' ')} ended with ${code}`)
    },
    stop,
    async restart() {
      await stop()
      running = await start(dist, env(port), project.dir)
    },
    async close() {
      leaving.abort()
      // Asked nicely, it ends the clients too that it has started; they would write into the folder while it is removed.
      const isEnding = running.child.exitCode === null && running.child.kill('SIGTERM')
      if (isEnding) await Promise.race([once(running.child, 'close'), sleep(PATIENCE_MS, undefined, { ref: false })])
      await stop()
      await project.remove()
      await github?.close()
      await model?.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

async function start(
  dist: string,
  env: Record<string, string>,
  cwd: string,
): Promise<{ child: ChildProcess; url: string; link: string }> {
  const child = spawn(process.execPath, [join(dist, 'grove.js'), 'up'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const side of [child.stdout, child.stderr])
    side.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  while (!said.includes('Stop it with Ctrl+C.')) {
    const next = await Promise.race([
      once(child.stdout, 'data'),
      once(child.stderr, 'data'),
      once(child, 'close').then(() => 'gone'),
    ])
    if (next === 'gone') throw new Error(`Grove did not start:\n${said}`)
  }
  const link = /Open +(http:\/\/\S+)/.exec(said)?.[1] ?? ''
  return { child, link, url: new URL(link).origin }
}
