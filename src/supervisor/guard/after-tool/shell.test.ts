import { existsSync } from 'node:fs'
import { appendFile, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { SLOTS } from '../../state-slots.ts'
import { inbox } from '../approvals/approvals.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'], billing: ['src/billing/**'] }),
  'src/auth/token.ts': 'export const ttl = 5\nexport const unit = "s"\n',
  'src/billing/price.ts': 'export const price = 1\n',
  'README.md': '# Readme\n',
}

async function shell(whenFinished: Parameters<typeof guarded>[0], more: Record<string, string> = {}) {
  const stage = await guarded(whenFinished, { ...files, ...more })
  await stage.select('auth')
  /** Runs the command for real, if the guard lets it. */
  const sh = (command: string, who = {}) =>
    stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }), who)
  return { ...stage, sh }
}

describe('commands whose writes can be read', () => {
  it.for([
    'echo x > src/billing/price.ts',
    'echo x >> README.md',
    'cat <<EOF > README.md\nx\nEOF',
    'sed -i s/1/2/ src/billing/*.ts',
    'tee src/auth/a.ts src/billing/b.ts < README.md',
    'mv src/auth/token.ts src/billing/',
    'mv src/billing/price.ts src/auth/',
    'cp -r src/auth lib',
    'rm -rf src',
    'rm -rf src/*',
    'find . -name "*.ts" -delete',
    'git checkout -- src/billing/price.ts',
    'git rm -q README.md',
    'npx prettier --write src/billing/price.ts',
    "python3 -c \"open('README.md', 'w').write('x')\"",
    'cd src/auth && touch ../billing/x.ts',
    'echo x > ../outside.txt',
    'ln -s /etc src/link',
    'mkdir -p lib/new',
    'bash -c "echo x > README.md"',
  ])('are refused before anything happens: %s', async (command, { onTestFinished }) => {
    const { sh, git } = await shell(onTestFinished)
    expect(await sh(command)).toBe('scope_violation')
    expect(await git('status', '--porcelain')).toBe('')
  })

  it.for([
    `${'true;'.repeat(3000)} rm README.md`,
    `rm ${'src/auth/x '.repeat(1001)} README.md`,
    `${'('.repeat(2000)} rm README.md`,
    `${'eval '.repeat(20)} rm README.md`,
    `a=x; ${'a=$a$a;'.repeat(20)} ${'b=$a;'.repeat(40_000)} rm README.md`,
  ])('are refused when they are too intricate to be read (%#)', async (command, { onTestFinished }) => {
    const { sh, git } = await shell(onTestFinished)
    expect(await sh(command)).toBe('scope_violation')
    expect(await git('status', '--porcelain')).toBe('')
  })

  it('are traced when they stay in the scope', async ({ onTestFinished }) => {
    const { sh, trace } = await shell(onTestFinished)
    expect(await sh('sed -i s/5/60/ src/auth/token.ts')).toBe('fine')
    expect(await sh('echo "export const a = 1" > src/auth/a.ts; mkdir -p src/auth/deep')).toBe('fine')
    expect(await sh('rm src/auth/a.ts')).toBe('fine')
    expect(await sh('cat src/auth/token.ts')).toBe('fine')
    const [edited, created, removed, ...more] = await trace()
    expect(more).toEqual([])
    expect(edited).toMatchObject({
      files: [{ path: 'src/auth/token.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] }],
      metadata: { 'dev.grove': { tool: 'Bash', command: 'sed -i s/5/60/ src/auth/token.ts', intent: 'auth' } },
    })
    expect(created).toMatchObject({ metadata: { 'dev.grove': { files: [{ change: 'create' }] } } })
    expect(removed).toMatchObject({
      files: [{ path: 'src/auth/a.ts', conversations: [{ ranges: [] }] }],
      metadata: { 'dev.grove': { files: [{ change: 'delete' }] } },
    })
  })

  it('may not throw away what others have not committed yet', async ({ onTestFinished }) => {
    const { sh, put, text } = await shell(onTestFinished)
    await put('src/auth/token.ts', 'mine\n')
    expect(await sh('git checkout -- src/auth')).toBe('fine')
    await put('src/billing/price.ts', "somebody else's work\n")
    await put('src/billing/new.ts', 'untracked\n')
    for (const command of ['git stash', 'git reset --hard', 'git checkout -- .', 'git clean -fd', 'git restore .']) {
      expect(await sh(command), command).toBe('scope_violation')
    }
    expect(await text('src/billing/price.ts')).toBe("somebody else's work\n")
    expect(await text('src/billing/new.ts')).toBe('untracked\n')
  })
})

describe('what is written is read beforehand where it can be', () => {
  const patch = '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Readme\n+# Other\n'

  it.for([
    'git apply change.patch',
    'patch -p1 < change.patch',
    'tar xf packed.tar',
    'git stash pop',
    'git cherry-pick other',
    'git revert --no-edit HEAD',
    'bash tools/touch.sh',
  ])('%s', async (command, { onTestFinished }) => {
    const { sh, dir, git } = await shell(onTestFinished, {
      'change.patch': patch,
      'tools/touch.sh': 'echo x > README.md\n',
    })
    const make =
      'git switch -qc other && echo x > README.md && git commit -qam theirs && git switch -q - && echo y > README.md && tar cf packed.tar README.md && git stash -q -- README.md && git add -A && git commit -qm packed && echo z >> src/billing/price.ts && git commit -qam more'
    await run('bash', ['-c', make], { cwd: dir })
    expect(await sh(command)).toBe('scope_violation')
    expect(await git('status', '--porcelain')).toBe('')
  })
})

describe('without an intent', () => {
  const bare = async (whenFinished: Parameters<typeof guarded>[0]) => {
    const stage = await guarded(whenFinished, {
      ...files,
      '.gitignore': 'dist/\n.env\n',
      Makefile: 'test:\n\techo x > made.txt\n',
    })
    const sh = (command: string) => stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }))
    return { ...stage, sh }
  }

  it('tests run and are compared, what the project ignores is free, and nothing else is written', async ({
    onTestFinished,
  }) => {
    const { sh } = await bare(onTestFinished)
    expect(await sh('mkdir -p dist && echo 1 > dist/out.js')).toBe('fine')
    expect(await sh('cat README.md')).toBe('fine')
    expect(await sh('make test')).toContain('made.txt')
    expect(await sh('echo TOKEN=1 > .env')).toBe('intent_required')
    expect(await sh('echo x > README.md')).toBe('intent_required')
    expect(await sh('python3 -c "exec(input())"')).toBe('intent_required')
  })

  it('a person is asked about what leaves the working tree, and sees the command', async ({ onTestFinished }) => {
    const { hook, opened } = await guarded(onTestFinished, files, { settings: '[guard]\nask_in = "terminal"\n' })
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push origin main' } }
    expect((await hook({ ...event, tool_use_id: 'toolu_push' })).ask).toContain('git push origin main')
    const [asked] = await inbox(await opened.guard())
    expect(asked?.detail).toContain('Reaches outside the working tree: git push origin')
  })
})

describe('commands whose writes nobody can know', () => {
  /** A short script is read beforehand; nobody reads one that is as long as this. */
  const long = `# ${'x'.repeat(70_000)}\n`
  const script = (body: string) => ({ 'work.mjs': `import * as fs from 'node:fs'\n${body}\n//${long}` })

  it('run, and are traced in the scope', async ({ onTestFinished }) => {
    const { sh, trace } = await shell(
      onTestFinished,
      script("fs.writeFileSync('src/auth/token.ts', 'export const ttl = 9\\nexport const unit = \"s\"\\n')"),
    )
    expect(await sh('node work.mjs')).toBe('fine')
    expect(await trace()).toMatchObject([
      { files: [{ path: 'src/auth/token.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] }] },
    ])
  })

  it('are told at once when they leave it, with the way back, which is open', async ({ onTestFinished }) => {
    const { sh, put, text, git, dir, trace, store, events } = await shell(
      onTestFinished,
      script(
        "fs.appendFileSync('src/billing/price.ts', '// sneaked in\\n'); fs.writeFileSync('new file.txt', 'x'); fs.writeFileSync('draft.md', 'lost'); fs.rmSync('README.md')",
      ),
    )
    await put('draft.md', 'not committed yet\n')
    const told = await sh('node work.mjs')
    const [error, ...undo] = told.split('\n')
    expect(JSON.parse(error!)).toMatchObject({ status: 'error', code: 'scope_violation' })
    expect(undo).toHaveLength(4)
    expect(events).toContainEqual(expect.objectContaining({ type: 'guard:violation' }))
    expect(await trace()).toMatchObject([{ metadata: { 'dev.grove': { scope_violation: true } } }])

    // What the agent is told to do, it may do, and then all is as it was.
    for (const line of undo) expect(await sh(line.slice(line.indexOf(': ') + 2))).toBe('fine')
    expect(await git('status', '--porcelain')).toBe(
      '?? .orchestration/.gitattributes\n?? .orchestration/agent_trace.jsonl\n?? draft.md',
    )
    expect(await text('draft.md')).toBe('not committed yet\n')
    expect(existsSync(join(dir, 'new file.txt'))).toBe(false)
    expect(await store.states.list(SLOTS.guardViolation, 10)).toEqual([])
    expect(await sh('echo x > README.md')).toBe('scope_violation')
  })

  it('are seen although they commit at once, and although they fail', async ({ onTestFinished }) => {
    const { sh, hook, gate, dir } = await shell(onTestFinished, {
      'sneak.sh': `echo x >> README.md; git commit -qam sneaky\n${long}`,
    })
    expect(await sh('bash sneak.sh')).toContain('README.md')
    const call = { tool_name: 'Bash', tool_input: { command: 'make all' }, tool_use_id: 'toolu_f' }
    expect(await gate('Bash', call.tool_input, { id: 'toolu_f' })).toBeUndefined()
    await appendFile(join(dir, 'src/billing/price.ts'), '// by make\n')
    const { context } = await hook({ hook_event_name: 'PostToolUseFailure', ...call, error: 'Exit code 2' })
    expect(context).toContain('src/billing/price.ts')
  })

  it('are not blamed for what another agent wrote meanwhile', async ({ onTestFinished }) => {
    const { select, bash, write, trace } = await shell(onTestFinished)
    const other = { session: 's2' }
    await select('billing', other)
    const told = await bash('npm test', async () => {
      expect(await write('src/billing/price.ts', 'export const price = 2\n', other)).toBe('written')
      // And the other one runs a command of its own at the same time.
      await bash('make billing', () => Promise.resolve(), other)
    })
    expect(told).toBe('fine')
    expect(await trace()).toMatchObject([{ metadata: { 'dev.grove': { session: 's2', intent: 'billing' } } }])
  })

  it('that were interrupted, or never ran, are not credited with later work', async ({ onTestFinished }) => {
    const { gate, write, hook, trace } = await shell(onTestFinished)
    expect(await gate('Bash', { command: 'npm test' })).toBeUndefined()
    expect(await write('src/auth/token.ts', 'export const ttl = 7\n')).toBe('written')
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' })
    expect((await trace()).map(({ metadata }) => metadata!['dev.grove']!.tool)).toEqual(['Write'])
  })

  it('may put back what they should not have changed, but not change it in another way', async ({ onTestFinished }) => {
    const { bash, put, mayWrite } = await shell(onTestFinished)
    expect(await bash('make', () => put('README.md', 'x\n'))).toContain('README.md')
    expect(await mayWrite('README.md')).toBe('scope_violation')
    expect(await bash('echo y > README.md')).toBe('scope_violation')
    expect(await bash('git checkout HEAD -- README.md && echo y > README.md')).toBe('scope_violation')
    expect(await bash('git restore README.md | tee README.md')).toBe('scope_violation')
    expect(await bash('cp src/auth/token.ts README.md')).toBe('scope_violation')
    expect(await bash('rm -- README.md')).toBe('scope_violation')
    expect(await bash('git checkout HEAD -- README.md', () => put('README.md', files['README.md']))).toBe('fine')
    expect(await bash('git checkout HEAD -- README.md')).toBe('scope_violation')
  })

  it('are told of Grove’s settings too, but not of what Grove itself writes there', async ({ onTestFinished }) => {
    const { bash, put } = await shell(onTestFinished)
    expect(await bash('make', () => put('.grove/learnings.md', '# Learnings\n'))).toBe('fine')
    expect(await bash('make', () => put('.grove/config.toml', '[guard]\nalways = ["**"]\n'))).toContain(
      'rm -- .grove/config.toml',
    )
  })

  it.for([
    "python3 -c \"import os; os.symlink((chr(46) * 2 + chr(47)) * 2 + 'lib' + chr(46) + 'ts', 'src/auth/lib.ts'); open('src/auth/lib.ts', 'w').write('x')\"",
    "python3 -c \"from os import rename; rename('READ' + 'ME' + chr(46) + 'md', 'lib' + chr(46) + 'ts')\"",
  ])('are seen through a link they made, and behind another name: %s', async (command, { onTestFinished }) => {
    const { sh } = await shell(onTestFinished)
    expect(await sh(command)).toContain('rm -- lib.ts')
  })

  it.for([
    "python3 -c \"import os; os.symlink('../../lib.ts', 'src/auth/lib.ts'); open('src/auth/lib.ts', 'w').write('x')\"",
    "python3 -c \"from os import rename; rename('README.md', 'lib.ts')\"",
    'python3 -c "import os; os.system(\'touch lib.ts\')"',
    'lua -e \'io.open("README.md", "w")\'',
    "F=README.md python3 -c \"import os; open(os.environ['F'], 'w')\"",
    'ln -s ../../lib.ts src/auth/lib.ts && echo x > src/auth/lib.ts',
    'cat list.txt | xargs rm',
    'cat fix.patch | patch -p1',
  ])('are refused beforehand when the code names the file: %s', async (command, { onTestFinished }) => {
    const { sh } = await shell(onTestFinished, {
      'list.txt': 'README.md\n',
      'fix.patch': '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Readme\n+# Other\n',
    })
    expect(await sh(command)).toBe('scope_violation')
  })

  it('two at once: each is given what its intent owns', async ({ onTestFinished }) => {
    const { select, bash, put, trace } = await shell(onTestFinished)
    const other = { session: 's2' }
    await select('billing', other)
    const told: string[] = []
    const inner = async () => {
      await put('src/auth/token.ts', 'export const ttl = 1\n')
      await put('src/billing/price.ts', 'export const price = 9\n')
    }
    told.push(await bash('make auth', async () => void told.push(await bash('make billing', inner, other))))
    expect(told).toEqual(['fine', 'fine'])
    const owners = (await trace()).map(({ files, metadata }) => [metadata!['dev.grove']!.intent, files[0]!.path])
    expect(owners).toContainEqual(['billing', 'src/billing/price.ts'])
    expect(owners).toContainEqual(['auth', 'src/auth/token.ts'])
    expect(owners).toHaveLength(2)
  })

  it('in the background: compared when the turn is over', async ({ onTestFinished }) => {
    const { bash, put, hook, trace } = await shell(onTestFinished)
    expect(await bash('npm run watch', async () => {}, { background: true })).toBe('fine')
    await put('src/auth/built.ts', 'export {}\n')
    await put('dist.js', 'built\n')
    const { context } = await hook({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(context).toContain('dist.js')
    expect(await trace()).toHaveLength(2)
    expect(await hook({ hook_event_name: 'Stop', stop_hook_active: false })).toEqual({})
  })

  it('in the background: compared again at the next turn, as long as the client says that it runs', async ({
    onTestFinished,
  }) => {
    const { bash, put, hook, trace } = await shell(onTestFinished)
    const stop = (...background_tasks: object[]) =>
      hook({ hook_event_name: 'Stop', stop_hook_active: false, background_tasks })
    expect(await bash('npm run watch', async () => {}, { background: true })).toBe('fine')
    expect(await stop({ id: 'b1', type: 'shell', status: 'running' })).toEqual({})
    await put('src/auth/built.ts', 'export {}\n')
    await put('dist.js', 'built\n')
    expect((await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' })).context).toContain('dist.js')
    // A person may have been at it, between two turns.
    expect(await trace()).toEqual([])
    await put('late.js', 'built\n')
    expect((await stop()).context).toContain('late.js')
    await put('later.js', 'a person’s\n')
    expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' })).toEqual({})
  })

  it('that leave something running: compared until the next turn is over', async ({ onTestFinished }) => {
    const { bash, put, hook } = await shell(onTestFinished)
    const stop = () => hook({ hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] })
    const prompt = () => hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' })
    expect(await bash('npm run watch & npm run watch & wait')).toBe('fine')
    expect(await bash('npm run watch &')).toBe('fine')
    await put('one.js', 'built\n')
    expect((await stop()).context).toContain('one.js')
    await put('two.js', 'built\n')
    expect((await prompt()).context).toContain('two.js')
    expect(await stop()).toEqual({})
    await put('three.js', 'a person’s\n')
    expect(await prompt()).toEqual({})
  })

  it('that run while a person writes to the agent: compared when they have run', async ({ onTestFinished }) => {
    const { hook, put } = await shell(onTestFinished)
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'toolu_p', prompt_id: 'p1' }
    expect(await hook({ hook_event_name: 'PreToolUse', ...call })).toEqual({})
    expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'And also', prompt_id: 'p1' })).toEqual({})
    await put('README.md', 'changed')
    expect((await hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} })).context).toContain('README.md')
  })

  it('of a tool we do not know: compared as well', async ({ onTestFinished }) => {
    const { gate, hook, put } = await shell(onTestFinished)
    const call = { tool_name: 'mcp__codemod__run', tool_input: {}, tool_use_id: 'toolu_m' }
    expect(await gate(call.tool_name, {}, { id: 'toolu_m' })).toBeUndefined()
    await put('README.md', 'changed')
    expect((await hook({ hook_event_name: 'PostToolUse', ...call, tool_response: [] })).context).toContain('README.md')
  })

  it('without git: seen too', async ({ onTestFinished }) => {
    const { dir, bash, put, trace } = await shell(onTestFinished)
    await rm(join(dir, '.git'), { recursive: true })
    const told = await bash('make', async () => {
      await put('README.md', '# Something longer\n')
      await put('src/auth/x.ts', 'x\n')
      await unlink(join(dir, 'src/billing/price.ts'))
    })
    expect(told).toContain('README.md')
    expect(told).toContain('src/billing/price.ts')
    expect(told).not.toContain('src/auth/x.ts')
    await bash('make', () => put('src/auth/token.ts', `${files['src/auth/token.ts']}export const more = 1\n`))
    expect((await trace()).at(-1)).toMatchObject({
      files: [{ path: 'src/auth/token.ts', conversations: [{ ranges: [{ start_line: 3, end_line: 3 }] }] }],
    })
  })
})
