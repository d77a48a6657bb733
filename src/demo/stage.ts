import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SCENE_FILE } from '#config/paths.ts'
import type { DemoScene } from '#protocol/api/settings.ts'
import { singleQuoted } from '#protocol/shell-word.ts'
import { type Commit, PAYMENTS, SHOP } from './story/shop.ts'

const run = promisify(execFile)

/** Everything that a demo has on disk: a home, two repositories and the agent's program, all in one folder. */
export interface Stage {
  folder: string
  groveHome: string
  shop: string
  payments: string
  /** What takes the place of the `claude` command. */
  agent: string
  /** The environment of everything that is started: nothing of the user's own settings gets in. */
  env: Record<string, string>
  remove(): void
}

interface Needs {
  /** `grove.js` of this installation; the agent lies beside it. */
  program: string
  path: string | undefined
  pauseMs: number
}

const PREFIX = 'grove-demo-'

const SETTINGS = `[gate]
ask = "session"
[gate.substantial]
lines = 8
[guard]
ask_in = "inbox"
approval_wait_seconds = 1800
[workflow]
setup = false
`

const OPENING: DemoScene = {
  text: 'A small shop, and Grove beside it.',
  place: 'Inbox',
  hint: 'everything that needs you comes here',
}

export async function setStage({ program, path = '', pauseMs }: Needs): Promise<Stage> {
  sweepOld()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)))
  const inside = (name: string) => join(folder, name)
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    writeFileSync(inside('pid'), String(process.pid))
    const [groveHome, shop, payments] = [inside('grove'), inside('shop'), inside('payments')]
    const agent = inside('agent')
    const env = { PATH: path, HOME: folder, GROVE_HOME: groveHome, TMPDIR: inside('tmp'), GIT_CONFIG_NOSYSTEM: '1' }
    mkdirSync(inside('tmp'))
    put(join(groveHome, 'config.toml'), SETTINGS)
    put(join(groveHome, SCENE_FILE), JSON.stringify(OPENING))
    const words = [process.execPath, join(dirname(program), 'demo-agent.js'), `--pause=${pauseMs}`]
    writeFileSync(agent, `#!/bin/sh\nexec ${words.map(singleQuoted).join(' ')} "$@"\n`, { mode: 0o700 })
    put(inside('.gitconfig'), '[user]\n\tname = A teammate\n\temail = teammate\n[init]\n\tdefaultBranch = main\n')
    await makeRepository(shop, SHOP, env)
    await makeRepository(payments, PAYMENTS, env)
    return { folder, groveHome, shop, payments, agent, env, remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function makeRepository(folder: string, commits: Commit[], env: Record<string, string>): Promise<void> {
  mkdirSync(folder)
  const git = (...args: string[]) => run('git', args, { cwd: folder, env })
  await git('init', '--quiet')
  for (const { message, files } of commits) {
    for (const [path, text] of Object.entries(files)) put(join(folder, path), text)
    await git('add', '--all')
    await git('commit', '--quiet', `--message=${message}`)
  }
}

/** Hands scenes to the page, each for long enough to be read. */
export function onPage({ groveHome }: Stage, leastMs: number): (scene: DemoScene) => void {
  const file = join(groveHome, SCENE_FILE)
  let free = Promise.resolve()
  return (scene) => {
    free = free.then(async () => {
      if (!existsSync(groveHome)) return // The demo is over.
      // The page never reads half of one.
      writeFileSync(`${file}.new`, JSON.stringify(scene))
      renameSync(`${file}.new`, file)
      await sleep(leastMs, undefined, { ref: false })
    })
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A demo that was killed could not clear up behind itself. */
function sweepOld(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    try {
      if (!isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8'))))
        rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another user's, or one that is just being made.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
