import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { socketPath } from '../../src/config/paths.ts'
import { clientScript } from '../../src/hooks/client-script.ts'
import { makeProject } from './project.ts'

/** A home with its hook script. */
export interface Home {
  script: string
  env: Record<string, string>
}

export interface Stage {
  project: string
  /** A home whose daemon runs, and one that has none. */
  up: Home
  down: Home
  /** The daemon's process. */
  daemon: number
  webUrl: string
  /** An empty Fastify POST. */
  emptyUrl: string
  token: string
  /** `hook.cjs`, as it is used where there is no curl. */
  client: string
  close(): void
}

// The bundle lies in bench/out.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Builds what ships, and starts a daemon, with more variables where some are given, and an empty Fastify, each in a process
 * of its own.
 */
export async function setStage(more: Record<string, string> = {}): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grove-bench-')))
  // Inside the package, so that the native SQLite module is found as it is by an installed Grove.
  const dist = join(root, 'node_modules', '.cache', `grove-bench-${process.pid}`)
  const started: ChildProcess[] = []
  const close = () => {
    for (const child of started) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    rmSync(dist, { recursive: true, force: true })
  }
  process.once('exit', close)
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--out', dist], { stdio: 'ignore' })

  const project = join(folder, 'project')
  makeProject(project, join(root, 'test', 'corpus', 'learnings', 'pairs.jsonl'))
  const [up, down] = ['up', 'down'].map((name) => homeIn(join(folder, name), dist))
  const env = { ...up!.env, ...more }
  const webUrl = await start(process.execPath, [join(dist, 'grove.js'), 'up'], env, /Web +(http:\S+)/, started)
  const daemon = started[0]!.pid!
  writeFileSync(join(dist, 'empty.mjs'), EMPTY)
  const emptyUrl = await start(process.execPath, [join(dist, 'empty.mjs')], up!.env, /(http:\S+)/, started)
  const token = readFileSync(join(folder, 'up', 'token'), 'utf8').trim()
  return { project, up: up!, down: down!, daemon, webUrl, emptyUrl, token, client: join(dist, 'hook.cjs'), close }
}

const EMPTY = `import fastify from 'fastify'
const app = fastify()
app.post('/empty', async () => ({}))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))`

function homeIn(home: string, dist: string): Home {
  mkdirSync(home)
  const script = join(home, 'grove-hook')
  const places = { home, socket: socketPath(home), node: process.execPath, client: join(dist, 'hook.cjs') }
  writeFileSync(script, clientScript(places), { mode: 0o755 })
  return {
    script,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      GROVE_HOME: home,
      PORT: '0',
      PROXY_PORT: '0',
      LOG_LEVEL: 'silent',
    },
  }
}

async function start(program: string, args: string[], env: NodeJS.ProcessEnv, url: RegExp, started: ChildProcess[]) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  child.stdout.setEncoding('utf8')
  for (let said = ''; ; ) {
    const found = url.exec(said)?.[1]
    if (found) return found
    const [text] = await once(child.stdout, 'data')
    said += text
  }
}
