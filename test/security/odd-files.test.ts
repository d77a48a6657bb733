import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'

// A clone may hold anything where Grove expects a file: a pipe that never opens, a link that leads out, a device, a folder,
// or far too much. A daemon that tried to read it would be gone for everybody, so all of them are tried on a running one.

withBinary()

const PLACES = [
  '.grove/config.toml',
  '.grove/learnings.md',
  '.grove/stats.log',
  '.orchestration/active_intents.yaml',
  '.orchestration/agent_trace.jsonl',
  '.orchestration/.intentignore',
  '.orchestration/.gitattributes',
  '.intentignore',
  '.gitmodules',
  '.gitignore',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  'CLAUDE.md',
  '.tissue/issues.jsonl',
  '.beads/issues.jsonl',
  'transcript.jsonl',
]

const KINDS: Record<string, (path: string) => void> = {
  'a pipe': (path) => void spawnSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a link that leads out': (path) => symlinkSync('/etc/passwd', path),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'sixty megabytes': (path) => {
    writeFileSync(path, '{"a":')
    truncateSync(path, 60 * 1024 * 1024)
  },
}

describe.runIf(process.platform !== 'win32')('in place of a file', () => {
  let at: Place
  let daemon: Running
  beforeAll(async () => {
    at = place()
    for (const args of [
      ['init', '-q'],
      ['commit', '-q', '--allow-empty', '-m', 'start'],
    ])
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: at.cwd })
    daemon = await startGrove(at, 'web')
  })
  afterAll(() => daemon?.kill('SIGKILL'))

  const tell = (event: string, body: object) =>
    fetch(`${daemon.url('Web')}/hooks/${event}`, {
      method: 'POST',
      headers: { ...daemon.asTool(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    }).then((response) => response.status)

  /** A project of its own for each place, so that all places are tried side by side and none hides another. */
  const projectWith = (kind: string, name: string): string => {
    const root = join(at.cwd, '..', `${kind}-${name}`.replaceAll(/[^a-z]+/g, '-'))
    cpSync(join(at.cwd, '.git'), join(root, '.git'), { recursive: true })
    mkdirSync(join(root, '.orchestration'))
    mkdirSync(dirname(join(root, name)), { recursive: true })
    KINDS[kind]!(join(root, name))
    return root
  }

  it.each(Object.keys(KINDS))('%s wedges nothing and is not followed', { timeout: 600_000 }, async (kind) => {
    const visit = async (name: string, n: number) => {
      const cwd = projectWith(kind, name)
      const common = { session_id: `odd-${kind}-${n}`, cwd, transcript_path: join(cwd, 'transcript.jsonl') }
      const tool = {
        tool_name: 'Write',
        tool_use_id: `toolu_${n}`,
        tool_input: { file_path: join(cwd, 'a.ts'), content: 'x' },
      }
      const events: [string, object][] = [
        ['session-start', { hook_event_name: 'SessionStart', source: 'startup' }],
        ['user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login in src/login.ts' }],
        ['pre-tool-use', { hook_event_name: 'PreToolUse', ...tool }],
        ['post-tool-use', { hook_event_name: 'PostToolUse', ...tool, tool_response: {} }],
        ['stop', { hook_event_name: 'Stop', stop_hook_active: false }],
      ]
      for (const [event, more] of events)
        expect(await tell(event, { ...common, ...more }), `${event} with ${kind} at ${name}`).toBe(200)
      rmSync(cwd, { recursive: true, force: true })
    }
    await Promise.all(PLACES.map(visit))
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
  })

  it('a pipe makes no command wait', { timeout: 600_000 }, async () => {
    for (const name of ['.grove/config.toml', '.grove/learnings.md', '.orchestration/active_intents.yaml']) {
      const path = join(at.cwd, name)
      mkdirSync(dirname(path), { recursive: true })
      rmSync(path, { recursive: true, force: true })
      KINDS['a pipe']!(path)
      for (const command of ['status', 'learnings', 'intents', 'doctor'])
        expect((await grove(at, command)).code, `${command} with a pipe at ${name}`).not.toBeNull()
      rmSync(path)
    }
  })
})
