import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/config/load.ts'
import type { GateSession } from '../../src/core/gate/session.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openWorld } from '../../src/daemon/compose/world.ts'
import type { HookAnswer } from '../../src/protocol/hook-event.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { handleHook } from '../../src/supervisor/handle-hook.ts'
import { learningPart } from '../../src/supervisor/learning/part.ts'
import { loadSession } from '../../src/supervisor/learning/sessions.ts'
import type { LearningWorld } from '../../src/supervisor/learning/world.ts'

/** The learning gate on a real store and a real project, as its tests use it. */
export interface Bench {
  world: LearningWorld
  store: Store
  root: string
  home: string
  warnings: string[]
  /** Moves the clock. */
  pass(ms: number): void
  git(...args: string[]): string
  write(path: string, text: string): void
  read(path: string): string
  has(path: string): boolean
  /** Sends one hook event, as the client would. */
  hook(name: string, more?: Record<string, unknown>): Promise<HookAnswer>
  session(id?: string): Promise<GateSession | undefined>
  /** The stats log, line by line. */
  stats(): Record<string, unknown>[]
  /** Where it lies, once there is one. */
  statsFile(): string | undefined
}

const START = Date.parse('2026-11-15T10:00:00Z')

/** With `later` as a daemon does it, else as a hook process without one. */
export interface Mode {
  later?: ((job: () => void) => void) | undefined
  /** How the client was started: before a person, unless it says otherwise. */
  entrypoint?: string
}

/** A line of a transcript in which the agent says or does something. */
export function spoken(entrypoint: string, ...content: object[]): string {
  return `${JSON.stringify({ type: 'assistant', entrypoint, message: { content } })}\n`
}

/** What a hook tells the agent. */
export function told({ hookSpecificOutput }: HookAnswer): string {
  return hookSpecificOutput?.additionalContext ?? ''
}

/** Sets it up with the given files in the project's first commit, and clears it away when the test is finished. */
export async function setBench(
  files: Record<string, string> = {},
  { later, entrypoint = 'cli' }: Mode = {},
): Promise<Bench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grove-gate-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const root = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(root)
  mkdirSync(home)
  const git = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const named = ['-c', 'user.name=T', '-c', 'user.email=t']
    return execFileSync('git', [...named, ...args], { cwd: root, env, encoding: 'utf8' }).trimEnd()
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message=Start')

  const warnings: string[] = []
  const warn = (fields: object, message: string) => {
    const plain = (_: string, value: unknown) => (value instanceof Error ? value.message : value)
    warnings.push(`${message} ${JSON.stringify(fields, plain)}`)
  }
  const log = { debug() {}, info() {}, warn, error: warn }
  let now = START
  const { config } = readConfig({ env: { GROVE_HOME: home }, cwd: root })
  const opened = openWorld({ config, clock: { now: () => now }, log, ...(later && { later }) })
  onTestFinished(() => opened.close())
  const [store, world] = await Promise.all([opened.store(), opened.learning()])
  const part = learningPart(world)
  const transcript = join(folder, 'transcript.jsonl')
  const statsFile = () => {
    const projects = join(home, 'projects')
    const files = existsSync(projects) ? readdirSync(projects).map((name) => join(projects, name, 'stats.log')) : []
    return files.find((file) => existsSync(file))
  }
  writeFileSync(
    transcript,
    spoken(entrypoint, { type: 'tool_use', id: 'b0', name: 'Bash', input: { command: 'true' } }),
  )

  return {
    world,
    store,
    root,
    home,
    warnings,
    git,
    write,
    pass: (ms) => {
      now += ms
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
    async hook(name, more = {}) {
      // There is no transcript yet when a session starts.
      const told = name === 'SessionStart' ? {} : { transcript_path: transcript }
      const event = readHookEvent({ hook_event_name: name, session_id: 's1', cwd: root, ...told, ...more })
      const answer = await handleHook([part], event, log)
      // What comes next comes when a daemon is at rest.
      await world.background.idle()
      return answer
    },
    session: (id = 's1') => loadSession(world, id),
    statsFile,
    stats: () => {
      const file = statsFile()
      if (file === undefined) return []
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    },
  }
}
