import { describe, expect, onTestFinished, test } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'

const FILES = {
  'src/auth/token.ts': 'export const ttl = 5\n',
  'README.md': '# Readme\n',
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'] }),
}

async function project() {
  const stage = await guarded((work) => void onTestFinished(work), FILES)
  await stage.git('branch', 'other')
  await stage.git('tag', 'v1')
  await stage.select('auth')
  const commit = (await stage.git('rev-parse', 'HEAD')).slice(0, 12)
  /** A command that says nothing of what it does. */
  const quietly = (...args: string[]) => stage.bash('npm test', () => stage.git(...args))
  return { ...stage, commit, quietly }
}

describe('what a command does to the repository besides its files is told', () => {
  test('a branch and a tag that are gone, with the way back', async () => {
    const { quietly, commit } = await project()
    expect(await quietly('branch', '-D', 'other')).toContain(`branch other (back with \`git branch other ${commit}\`)`)
    expect(await quietly('tag', '-d', 'v1')).toContain(`tag v1 (back with \`git tag v1 ${commit}\`)`)
  })

  test('a branch that stands elsewhere, also when the refs lie in one file', async () => {
    const { quietly, git, commit, put } = await project()
    await git('pack-refs', '--all')
    await put('src/auth/token.ts', 'export const ttl = 6\n')
    await git('commit', '-qam', 'more')
    expect(await quietly('update-ref', 'refs/heads/other', 'HEAD')).toContain(`git branch -f other ${commit}`)
  })

  test('what is new: a branch, a tag, a note, a replacement, a stash, a worktree', async () => {
    const { quietly, put, dir } = await project()
    expect(await quietly('branch', 'hotfix')).toBe('New in the repository since Bash ran: branch hotfix.')
    expect(await quietly('tag', 'v2')).toContain('tag v2')
    expect(await quietly('notes', 'add', '-m', 'x')).toContain('refs/notes/commits')
    expect(await quietly('worktree', 'add', '-q', '-b', 'side', `${dir}/src/auth/side`)).toContain('worktree')
    await put('src/auth/token.ts', 'export const ttl = 6\n')
    expect(await quietly('stash')).toContain('a stash (')
    expect(await quietly('stash', 'drop', '-q')).toMatch(/git stash store [0-9a-f]{40}/)
  })

  test('settings: those that run programs or say where work goes have to be put back, those of branches are told', async () => {
    const { quietly, text } = await project()
    const before = await text('.git/config')
    expect(await quietly('config', 'branch.other.merge', 'refs/heads/main')).toContain('setting branch.other.merge')
    expect(before).not.toBe(await text('.git/config'))
    const told = await quietly('remote', 'add', 'backup', 'https://example.invalid/x.git')
    expect(told).toContain('"code":"scope_violation"')
    expect(told).toMatch(/- \.git\/config: cp -- /)
  })

  test('commits, and what a fetch brings, are nothing to tell', async () => {
    const { quietly, git, put, dir } = await project()
    await git('remote', 'add', 'origin', dir)
    await put('src/auth/token.ts', 'export const ttl = 6\n')
    expect(await quietly('commit', '-qam', 'work')).toBe('fine')
    expect(await quietly('fetch', '-q', 'origin')).toBe('fine')
    expect(await quietly('fetch', '-q', '--tags', 'origin')).toBe('fine')
    await put('src/auth/token.ts', 'export const ttl = 7\n')
    await git('stash', '-q')
    expect(await quietly('gc', '-q')).toBe('fine')
    expect(await quietly('update-ref', 'refs/remotes/origin/other', 'HEAD')).toContain('refs/remotes/origin/other')
  })
})

describe('a command that says that it changes what git runs or compares', () => {
  const DENIED = [
    'git remote add backup https://example.invalid/x.git',
    'git -C src remote set-url origin x',
    'cd src && git config core.excludesFile all',
    'git config set core.hooksPath hooks',
    'git config --unset core.fsmonitor',
    'git config remove-section filter.lfs',
    'git config --global user.name x',
    'git config url.x.insteadOf y',
    'git lfs install --local',
  ]
  test.each(DENIED)('is refused: %s', async (command) => {
    expect(await (await project()).bash(command)).toBe('scope_violation')
  })

  const FINE = [
    'git remote -v',
    'git remote show origin',
    'git remote get-url origin',
    'git config --get core.hooksPath',
    'git config get core.hooksPath',
    'git config core.hooksPath',
    'git config list --show-origin',
    'git branch x',
    'git stash list',
    'git fetch --all',
    'git lfs ls-files',
  ]
  test.each(FINE)('is not: %s', async (command) => {
    expect(await (await project()).bash(command)).toBe('fine')
  })
})
