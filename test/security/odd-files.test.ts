import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'

// A clone may hold anything where Grove expects a file: a pipe that never opens, a link that leads out, a device, a folder,
// or far too much. A daemon that tried to read it would be gone for everybody, so all of them are tried on a running one.

withBinary()

/** Where Grove, or git on its behalf, opens a file of a project; folders as well, which may be none. */
const PLACES = [
  '.grove',
  '.grove/config.toml',
  '.grove/learnings.md',
  '.grove/stats.log',
  '.grove/.gitattributes',
  '.orchestration',
  '.orchestration/active_intents.yaml',
  '.orchestration/agent_trace.jsonl',
  '.orchestration/.intentignore',
  '.orchestration/.gitattributes',
  '.intentignore',
  '.gitmodules',
  '.gitignore',
  '.gitattributes',
  '.mailmap',
  '.git',
  '.git/HEAD',
  '.git/refs/heads/main',
  '.git/packed-refs',
  '.git/index',
  '.git/config',
  '.git/config.worktree',
  '.git/commondir',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/objects/info/alternates',
  '.git/logs/HEAD',
  '.claude',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  'CLAUDE.md',
  '.tissue/issues.jsonl',
  '.beads/issues.jsonl',
  '.tickets',
  'package.json',
  'transcript.jsonl',
  'a.ts',
  'change.patch',
  'run.sh',
]

/** Nothing may come to be in here. */
let outside: string
const KINDS: Record<string, (path: string) => void> = {
  'a pipe': (path) => void spawnSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a link that leads out': (path) => symlinkSync('/etc/passwd', path),
  'a link to a folder outside': (path) => symlinkSync(outside, path),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'sixty megabytes': (path) => {
    writeFileSync(path, '{"a":')
    truncateSync(path, 60 * 1024 * 1024)
  },
}

/** `npm run test:security` tries every kind in every place; otherwise there is a pipe in each, and one of the others. */
const PAIRS = Object.keys(KINDS).map((kind, at, { length }) => ({
  kind,
  places: PLACES.filter((_, n) => process.env.GROVE_ATTACKS === 'all' || at === 0 || at === 1 + (n % (length - 1))),
}))

describe.runIf(process.platform !== 'win32')('in place of a file', () => {
  let at: Place
  let daemon: Running
  beforeAll(async () => {
    at = place({ NODE_OPTIONS: '--max-old-space-size=600' })
    for (const args of [
      ['init', '-q', '--initial-branch=main'],
      ['commit', '-q', '--allow-empty', '-m', 'start'],
    ])
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd: at.cwd })
    outside = join(at.cwd, '..', 'outside')
    mkdirSync(outside)
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
    const root = join(at.cwd, '..', `${kind}-${name}`.replaceAll(/[^a-z]+/gi, '-'))
    cpSync(join(at.cwd, '.git'), join(root, '.git'), { recursive: true })
    mkdirSync(join(root, '.orchestration'))
    for (const file of ['a.ts', 'change.patch', 'run.sh']) writeFileSync(join(root, file), '')
    const path = join(root, name)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(dirname(path), { recursive: true })
    KINDS[kind]!(path)
    return root
  }

  it.each(PAIRS)('$kind wedges nothing and is not followed', { timeout: 600_000 }, async ({ kind, places }) => {
    const visit = async (name: string, n: number) => {
      const cwd = projectWith(kind, name)
      const common = { session_id: `odd-${kind}-${n}`, cwd, transcript_path: join(cwd, 'transcript.jsonl') }
      const write = {
        tool_name: 'Write',
        tool_use_id: `toolu_${n}`,
        tool_input: { file_path: join(cwd, 'a.ts'), content: 'x' },
      }
      const bash = {
        tool_name: 'Bash',
        tool_use_id: `toolu_${n}b`,
        tool_input: { command: 'git apply change.patch && sh run.sh' },
      }
      const events: [string, object][] = [
        ['session-start', { hook_event_name: 'SessionStart', source: 'startup' }],
        ['user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login in src/login.ts' }],
        ['pre-tool-use', { hook_event_name: 'PreToolUse', ...write }],
        ['post-tool-use', { hook_event_name: 'PostToolUse', ...write, tool_response: {} }],
        ['pre-tool-use', { hook_event_name: 'PreToolUse', ...bash }],
        ['stop', { hook_event_name: 'Stop', stop_hook_active: false }],
      ]
      for (const [event, more] of events)
        expect(await tell(event, { ...common, ...more }), `${event} with ${kind} at ${name}`).toBe(200)
      rmSync(cwd, { recursive: true, force: true })
    }
    await Promise.all(places.map(visit))
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
    expect(readdirSync(outside)).toEqual([])
  })

  // All at once: every command meets every pipe that lies on its way.
  it('a pipe makes no command wait', { timeout: 600_000 }, async () => {
    for (const name of ['.grove/config.toml', '.grove/learnings.md', '.orchestration/active_intents.yaml']) {
      mkdirSync(dirname(join(at.cwd, name)), { recursive: true })
      KINDS['a pipe']!(join(at.cwd, name))
    }
    for (const [name, ...command] of [
      ['config.toml', 'status'],
      ['learnings.md', 'learnings'],
      ['active_intents.yaml', 'intent', 'list'],
      ['config.toml', 'doctor'],
    ] as const) {
      const { code, stdout, stderr } = await grove(at, ...command)
      expect(code, command.join(' ')).not.toBeNull()
      expect(stdout + stderr, command.join(' ')).toContain(name)
    }
    expect(existsSync(join(at.cwd, '.grove', 'config.toml'))).toBe(true)
  })
})
