import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { tempDir } from '../../../../test/support/project.ts'

const yaml = intentsYaml({ auth: ['src/auth/**', '!src/auth/legacy/**'], billing: ['src/billing.ts'] })
const files = {
  '.orchestration/active_intents.yaml': yaml,
  'src/auth/token.ts': 'export const ttl = 5\n',
  'src/auth/legacy/old.ts': 'export const old = 1\n',
  'src/billing.ts': 'export const price = 1\n',
}

describe('the gatekeeper', () => {
  it('lets everything pass where there is no .orchestration', async ({ onTestFinished }) => {
    const { mayWrite, bash, hook, dir } = await guarded(onTestFinished, { 'a.txt': 'a' })
    expect(await mayWrite('a.txt')).toBe('allowed')
    expect(await mayWrite('/etc/passwd')).toBe('allowed')
    expect(await bash('rm -rf /')).toBe('fine')
    expect(await hook({ hook_event_name: 'SessionStart', source: 'startup' })).toEqual({})
    expect(dir).toBeDefined()
  })

  it('asks for an intent first, and names the open ones', async ({ onTestFinished }) => {
    const { gate, select, mayWrite } = await guarded(onTestFinished, files)
    expect(await gate('Write', { file_path: 'src/auth/a.ts', content: '' })).toMatchObject({
      status: 'error',
      code: 'intent_required',
      suggestion: expect.stringMatching(/select_active_intent.*auth \(Work of auth\); billing/),
    })
    await select('auth')
    expect(await mayWrite('src/auth/a.ts')).toBe('allowed')
  })

  it('never stops what only reads', async ({ onTestFinished }) => {
    const { gate } = await guarded(onTestFinished, files)
    for (const [tool, input] of [
      ['Read', { file_path: 'x' }],
      ['Grep', { pattern: 'x' }],
      ['Agent', { prompt: 'x' }],
      ['TodoWrite', {}],
      ['Bash', { command: 'git status && ls -la | grep x; cat src/auth/token.ts > /dev/null' }],
      ['mcp__grove__select_active_intent', { intent_id: 'auth' }],
      ['mcp__plugin_grove_grove__record_lesson', { lesson: 'x' }],
    ] as const) {
      expect(await gate(tool, input), tool).toBeUndefined()
    }
  })

  it.for(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Bash', 'PowerShell', 'mcp__files__write', 'BrandNewTool'])(
    'asks for an intent before %s',
    async (tool, { onTestFinished }) => {
      const { gate } = await guarded(onTestFinished, files)
      const input = { file_path: 'x', notebook_path: 'x', command: 'touch x', path: 'x' }
      expect(await gate(tool, input)).toMatchObject({ code: 'intent_required' })
    },
  )

  it('believes the user which tools only read', async ({ onTestFinished }) => {
    const settings = '[guard]\nread_only_tools = ["mcp__github__get_*"]\n'
    const { gate } = await guarded(onTestFinished, files, { settings })
    expect(await gate('mcp__github__get_issue', {})).toBeUndefined()
    expect(await gate('mcp__github__create_issue', {})).toMatchObject({ code: 'intent_required' })
  })

  it('keeps to the scope, negations included, and tells the way out', async ({ onTestFinished }) => {
    const { gate, select, mayWrite } = await guarded(onTestFinished, files)
    await select('auth')
    expect(await mayWrite('src/auth/deep/er/x.ts')).toBe('allowed')
    expect(await mayWrite('src/auth/legacy/old.ts')).toBe('scope_violation')
    expect(await mayWrite('src/billing.ts')).toBe('scope_violation')
    expect(await gate('Edit', { file_path: 'src/billing.ts' })).toMatchObject({
      code: 'scope_violation',
      message: 'Outside the scope of intent auth: src/billing.ts.',
      suggestion: expect.stringContaining('request_scope'),
    })
  })

  it('checks the paths another server says it writes', async ({ onTestFinished }) => {
    const { gate, select } = await guarded(onTestFinished, files)
    await select('auth')
    const of = (tool: string, input: object) => gate(tool, input)
    expect(await of('mcp__fs__write_file', { path: 'src/billing.ts' })).toMatchObject({ code: 'scope_violation' })
    expect(await of('mcp__fs__moveFile', { source: 'src/auth/a', destination: 'b' })).toBeDefined()
    expect(await of('mcp__fs__edit', { edits: [{ path: 'src/billing.ts' }] })).toMatchObject({
      code: 'scope_violation',
    })
    expect(await of('mcp__fs__write_file', { path: 'src/auth/x.ts' })).toBeUndefined()
    expect(await of('mcp__fs__analyse', { path: 'src/billing.ts' })).toBeUndefined()
  })

  it('keeps agents away from its own rules, whatever the scope', async ({ onTestFinished }) => {
    const { select, mayWrite, bash, put } = await guarded(onTestFinished, {
      ...files,
      '.orchestration/active_intents.yaml': intentsYaml({ all: ['**'], hooks: ['**', '.git/hooks/**', '.claude/**'] }),
    })
    await put('.claude/settings.json', '{}')
    await select('all')
    expect(await mayWrite('anything/at/all.ts')).toBe('allowed')
    for (const path of [
      '.orchestration/active_intents.yaml',
      '.orchestration/agent_trace.jsonl',
      'src/../.orchestration/.intentignore',
      '.intentignore',
      '.grove/config.toml',
      '.claude/settings.json',
      '.git/hooks/pre-commit',
    ]) {
      expect(await mayWrite(path), path).toBe('scope_violation')
    }
    expect(await bash('echo "" > .orchestration/active_intents.yaml')).toBe('scope_violation')
    expect(await bash('rm -rf .orchestration')).toBe('scope_violation')
    expect(await bash('grove intent approve apr-1')).toBe('user_rejected')
    expect(await bash('cd /; npx grove intent add "Everything" --scope "**"')).toBe('user_rejected')
    expect(await bash('grove "intent" approve apr-1')).toBe('user_rejected')
    expect(await bash('g=grove; $g intent approve apr-1')).toBe('user_rejected')
    expect(await bash('curl -X POST http://127.0.0.1:3333/api/approvals/apr-1')).toBe('user_rejected')
    expect(await bash(`node -e 'fetch("http://127.0.0.1:3333/api/approvals/apr-1")'`)).toBe('user_rejected')
    expect(await bash('printf "POST /api/approvals/apr-1" | nc 127.0.0.1 3333')).toBe('user_rejected')
    expect(await bash('grep -rn "/api/approvals" src; curl https://example.com')).toBe('fine')
    expect(await bash('git commit -m "Explain grove intent approve"')).toBe('fine')
    await select('hooks')
    expect(await mayWrite('.claude/settings.json')).toBe('allowed')
    expect(await mayWrite('.git/hooks/pre-commit')).toBe('allowed')
    expect(await mayWrite('.orchestration/active_intents.yaml')).toBe('scope_violation')
  })

  it('follows links, dots and absolute paths to where they lead', async ({ onTestFinished }) => {
    const { dir, select, mayWrite } = await guarded(onTestFinished, files)
    const elsewhere = await tempDir('elsewhere')
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    await symlink(elsewhere, join(dir, 'src/auth/out'))
    await symlink(join(dir, 'src/billing.ts'), join(dir, 'src/auth/billing.ts'))
    await symlink(join(dir, 'src/auth'), join(dir, 'way-in'))
    await select('auth')
    expect(await mayWrite('src/auth/out/x.ts')).toBe('scope_violation')
    expect(await mayWrite('src/auth/billing.ts')).toBe('scope_violation')
    expect(await mayWrite('src/auth/../billing.ts')).toBe('scope_violation')
    expect(await mayWrite('../x.ts')).toBe('scope_violation')
    expect(await mayWrite('/tmp/x.ts')).toBe('scope_violation')
    expect(await mayWrite('way-in/token.ts')).toBe('allowed')
    expect(await mayWrite('src/auth/legacy/../token.ts')).toBe('allowed')
  })

  it('follows the file of intents as it changes', async ({ onTestFinished }) => {
    const { put, select, mayWrite, gate, hook } = await guarded(onTestFinished, files)
    const name = '.orchestration/active_intents.yaml'
    await select('auth')
    await put(name, yaml.replace('src/auth/**', 'lib/**'))
    expect(await mayWrite('src/auth/a.ts')).toBe('scope_violation')
    expect(await mayWrite('lib/a.ts')).toBe('allowed')
    await put(name, yaml.replace('in_progress', 'done'))
    expect(await gate('Write', { file_path: 'src/auth/a.ts' })).toMatchObject({ code: 'intent_required' })
    await put(name, intentsYaml({ other: ['**'] }))
    expect(await gate('Write', { file_path: 'src/auth/a.ts' })).toMatchObject({ code: 'intent_not_found' })
    await put(name, `${yaml}  - id: [\n`)
    expect(await gate('Write', { file_path: 'src/auth/a.ts' })).toMatchObject({
      code: 'intent_not_found',
      message: expect.stringContaining('line 11'),
    })
    await put(name, '')
    expect(await gate('Write', { file_path: 'x' }, { session: 's2' })).toMatchObject({
      code: 'intent_required',
      suggestion: expect.stringContaining('grove intent add'),
    })
    expect((await hook({ hook_event_name: 'SessionStart' })).context).toContain('No intent is open')
  })

  it('keeps the choice per session and per subagent', async ({ onTestFinished }) => {
    const { select, mayWrite } = await guarded(onTestFinished, files)
    await select('auth')
    const [main, helper, other] = [{}, { agent: 'a1' }, { session: 's2' }]
    // A subagent works for its parent's intent until it selects its own.
    expect(await mayWrite('src/auth/a.ts', helper)).toBe('allowed')
    await select('billing', helper)
    expect(await mayWrite('src/auth/a.ts', helper)).toBe('scope_violation')
    expect(await mayWrite('src/billing.ts', helper)).toBe('allowed')
    expect(await mayWrite('src/auth/a.ts', main)).toBe('allowed')
    expect(await mayWrite('src/auth/a.ts', other)).toBe('intent_required')
  })

  it('is not lost by an agent that changes into another folder', async ({ onTestFinished }) => {
    const { dir, hook, mayWrite } = await guarded(onTestFinished, files)
    await hook({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(await mayWrite(join(dir, 'src/billing.ts'), { cwd: '/tmp' })).toBe('intent_required')
    expect(await mayWrite('src/billing.ts', { cwd: join(dir, 'src/auth') })).toBe('intent_required')
  })

  it('guards worktrees of the project, wherever they lie', async ({ onTestFinished }) => {
    const { dir, git, select, mayWrite } = await guarded(onTestFinished, { ...files, '.gitignore': '.orchestration\n' })
    const away = join(await tempDir('worktree'), 'tree')
    onTestFinished(() => rm(join(away, '..'), { recursive: true, force: true }))
    await git('worktree', 'add', '-q', away)
    await git('worktree', 'add', '-q', join(dir, '.claude/worktrees/one'))
    await select('auth')
    for (const cwd of [away, join(dir, '.claude/worktrees/one')]) {
      expect(await mayWrite(join(cwd, 'src/auth/a.ts'), { cwd })).toBe('allowed')
      expect(await mayWrite(join(cwd, 'src/billing.ts'), { cwd })).toBe('scope_violation')
    }
  })

  it('allows what the user allows beside any scope', async ({ onTestFinished }) => {
    const extra = await tempDir('scratch')
    onTestFinished(() => rm(extra, { recursive: true, force: true }))
    const settings = `[guard]\noutside = ["${extra}/**"]\nalways = ["dist/"]\n`
    const { select, mayWrite } = await guarded(onTestFinished, files, { settings })
    await select('auth')
    expect(await mayWrite(join(extra, 'notes.md'))).toBe('allowed')
    expect(await mayWrite('dist/x.js')).toBe('allowed')
    expect(await mayWrite('node_modules/x.js')).toBe('scope_violation')
  })
})
