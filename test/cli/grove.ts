import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { shared } from '../support/run/shared.ts'

/** The real binary, built once for a run of the tests, run with an environment of its own. */

export const dist = process.env.GROVE_TEST_DIST ?? ''
const binary = join(dist, 'grove.js')

/** Has it built before the tests of a file, and ends what they started after them. */
export function withBinary(): void {
  beforeAll(() => shared('binary'))
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** Everything started here; what a failed test left behind ends with the file. */
const running: ChildProcess[] = []

export interface Place {
  home: string
  /** Where the command is run. */
  cwd: string
  env: Record<string, string>
}

/** A fresh home and an empty folder to stand in; all ports are free ones. */
export function place(env: Record<string, string> = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), 'grove-cli-'))
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  const home = join(folder, 'home')
  const own = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    GROVE_HOME: home,
    PORT: '0',
    PROXY_PORT: '0',
    ANTHROPIC_TARGET: 'http://127.0.0.1:9',
  }
  return { home, cwd, env: { ...own, ...env } }
}

export interface Result {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs one command to its end. */
export async function grove({ cwd, env }: Place, ...args: string[]): Promise<Result> {
  const child = spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

export interface Running {
  pid: number
  stdout: string
  stderr: string
  url(listener: 'Web' | 'Proxy' | 'Open'): string
  /** The headers of a tool that has read the token. */
  asTool(): { authorization: string }
  /** Resolves when the text has been printed to either side. */
  says(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a command that goes on running, and waits until it says that it runs. */
export async function startGrove({ home, cwd, env }: Place, ...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const output = collect(child)
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const says = async (text: string) => {
    const isSaid = () => (output.stdout + output.stderr).includes(text)
    while (!isSaid()) {
      const next = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), exit.then(() => 'gone')])
      if ((await next) === 'gone' && !isSaid())
        throw new Error(`it ended without saying "${text}":\n${output.stdout}${output.stderr}`)
    }
  }
  const url = (listener: string) => new RegExp(`${listener} +(http://\\S+)`).exec(output.stdout)?.[1] ?? ''
  await says('Stop it with Ctrl+C.')
  return Object.assign(output, {
    pid: child.pid!,
    url,
    asTool: () => ({ authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` }),
    says,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    exit,
  })
}

/** Starts a command that prints line after line. */
export function watch({ cwd, env }: Place, ...args: string[]) {
  const child = spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const output = collect(child)
  return {
    /** The first so many lines, as soon as they are there. */
    async lines(count: number): Promise<string[]> {
      for (;;) {
        const lines = output.stdout.split('\n').slice(0, -1)
        if (lines.length >= count) return lines.slice(0, count)
        await once(child.stdout!, 'data')
      }
    },
    stop: () => void child.kill('SIGTERM'),
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  for (const side of ['stdout', 'stderr'] as const) {
    child[side]!.setEncoding('utf8').on('data', (text) => {
      output[side] += text
    })
  }
  return output
}
