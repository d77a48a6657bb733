import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'

/** A running daemon, and clones that are made to harm whoever looks at them. */
export interface OddClones {
  /** The repository that they are copies of. */
  readonly original: string
  /** Stays empty: what runs leaves a mark here. */
  readonly marks: string
  clone(): string
  /** A command that leaves a mark. */
  mark(name: string): string
  /** A session in a clone, as it comes and goes. */
  session(cwd: string): Promise<void>
  /** Commands that a person runs there: each ends by itself, and says what is wrong in words. */
  commands(cwd: string, ...commands: string[][]): Promise<void>
}

export const MB = 1024 * 1024

export const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd, stdio: 'pipe', maxBuffer: 1e9 })

export const fifo = (path: string) => {
  rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

export const put = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Starts one for the tests of a file. After each of them nothing of a clone has run, nor blocked the daemon for two seconds. */
export function oddClones(): OddClones {
  withBinary()
  let at: Place
  let daemon: Running
  let original: string
  let marks: string
  let n = 0

  beforeAll(async () => {
    at = place({ NODE_OPTIONS: '--max-old-space-size=600' })
    original = join(at.cwd, '..', 'original')
    marks = join(at.cwd, '..', 'marks')
    for (const folder of [original, marks]) mkdirSync(folder)
    writeFileSync(join(original, 'a.ts'), 'export const a = 1\n')
    git(original, 'init', '-q', '--initial-branch=main')
    git(original, 'add', '-A')
    git(original, 'commit', '-q', '-m', 'start')
    daemon = await startGrove(at, 'web')
  })
  afterAll(() => daemon?.kill('SIGKILL'))
  afterEach(async () => {
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
    const said = daemon.stderr
    daemon.stderr = ''
    expect(said).not.toMatch(/blocked Grove|should not happen/)
    expect(spawnSync('ls', [marks], { encoding: 'utf8' }).stdout).toBe('')
  })

  async function tell(event: string, body: object) {
    const response = await fetch(`${daemon.url('Web')}/hooks/${event}`, {
      method: 'POST',
      headers: { ...daemon.asTool(), 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    })
    expect(response.status).toBe(200)
    return response.json()
  }

  async function session(cwd: string) {
    const head = { session_id: `clone-${n++}`, cwd, transcript_path: join(cwd, 't.jsonl') }
    const write = {
      tool_name: 'Write',
      tool_use_id: `toolu_${n}`,
      tool_input: { file_path: join(cwd, 'a.ts'), content: 'x' },
    }
    const bash = {
      tool_name: 'Bash',
      tool_use_id: `toolu_${n}b`,
      tool_input: { command: 'git commit -am x && rm -r src' },
    }
    await tell('session-start', { ...head, hook_event_name: 'SessionStart', source: 'startup' })
    await tell('user-prompt-submit', { ...head, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login in a.ts' })
    await tell('pre-tool-use', { ...head, hook_event_name: 'PreToolUse', ...write })
    put(join(cwd, 'a.ts'), 'changed\n')
    await tell('post-tool-use', { ...head, hook_event_name: 'PostToolUse', ...write, tool_response: {} })
    await tell('pre-tool-use', { ...head, hook_event_name: 'PreToolUse', ...bash })
    await tell('post-tool-use', { ...head, hook_event_name: 'PostToolUse', ...bash, tool_response: { stdout: '' } })
    await tell('stop', { ...head, hook_event_name: 'Stop', stop_hook_active: false })
    await tell('session-end', { ...head, hook_event_name: 'SessionEnd', reason: 'exit' })
  }

  return {
    get original() {
      return original
    },
    get marks() {
      return marks
    },
    clone() {
      const root = join(at.cwd, '..', `clone-${n++}`)
      cpSync(original, root, { recursive: true })
      return root
    },
    mark: (name) => `touch ${join(marks, name)}`,
    session,
    async commands(cwd, ...commands) {
      for (const args of commands) {
        const { code, stdout, stderr } = await grove({ ...at, cwd }, ...args)
        expect(code, args.join(' ')).not.toBeNull()
        expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      }
    },
  }
}
