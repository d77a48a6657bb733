import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  at,
  featureStageForEach,
  home,
  inFolder,
  openBranch,
  project,
  read,
  repository,
  tree,
  workAt,
  write,
} from '../../../test/support/feature-repository.ts'
import { value } from '../../../test/support/outcome.ts'

featureStageForEach()

describe('a checkpoint', () => {
  it('holds everything that is not ignored, and touches neither index nor files nor branch', async () => {
    await openBranch()
    write(at.folder, 'src/a.ts', 'changed\n')
    write(at.folder, 'staged.txt', 'staged')
    inFolder(at.folder, 'add', 'staged.txt')
    write(at.folder, 'new file.txt', 'new')
    write(at.folder, '.env', 'KEY=1')
    rmSync(join(at.folder, 'src/b.ts'))
    const before = [
      inFolder(at.folder, 'status', '--porcelain'),
      inFolder(at.folder, 'log', '--oneline'),
      tree(at.folder),
    ]
    const { ref, commit } = value(await repository.checkpoint(at, 'step-1', 'Step 1'))
    expect([
      inFolder(at.folder, 'status', '--porcelain'),
      inFolder(at.folder, 'log', '--oneline'),
      tree(at.folder),
    ]).toEqual(before)
    expect(await project.git('rev-parse', ref)).toBe(commit)
    expect((await project.git('ls-tree', '-r', '--name-only', commit)).split('\n')).toEqual([
      '.gitignore',
      'new file.txt',
      'src/a.ts',
      'staged.txt',
    ])
    expect(await project.git('branch', '--list')).not.toContain('grove')
    expect(
      readdirSync(join(project.dir, '.git/worktrees/login')).filter((name) => name.startsWith('grove-index')),
    ).toEqual([])
  })

  it('takes any name, and one feature never overwrites that of another', async () => {
    await openBranch()
    const refs = await Promise.all(
      ['step-1', '../x', 'a b', '', 'ünï', 'x'.repeat(500), '--help', 'a..b'].map((name) =>
        repository.checkpoint(at, name, ''),
      ),
    )
    expect(new Set(refs.map((ref) => value(ref).ref)).size).toBe(refs.length)
    const other = { ...at, branch: 'feature' }
    expect(value(await repository.checkpoint(other, 'step-1', 'x')).ref).not.toBe(value(refs[0]!).ref)
  })

  it('can be gone back to, with its new files', async () => {
    const base = await openBranch()
    write(at.folder, 'src/new.ts', 'one')
    write(at.folder, 'src/a.ts', 'one\n')
    const { commit } = value(await repository.checkpoint(at, 'step-1', 'Step 1'))
    const then = tree(at.folder)
    write(at.folder, 'src/new.ts', 'two')
    rmSync(join(at.folder, 'src/a.ts'))
    write(at.folder, 'src/more.ts', 'two')
    value(await repository.rollback(at, commit, 'back'))
    expect(tree(at.folder)).toEqual(then)
    expect(value(await repository.find(at)).head).toBe(base)
  })
})

describe('a rollback', () => {
  it('goes back to the base, keeps the helpers, and its command brings everything back', async () => {
    write(project.dir, 'CLAUDE.md', 'rules')
    workAt({ folder: join(home, "it's a $(touch x) folder; #1") })
    const base = await openBranch()
    write(at.folder, 'src/a.ts', 'committed\n')
    value(await repository.commit(at, 'Work', []))
    write(at.folder, 'src/b.ts', 'not committed\n')
    write(at.folder, 'deep/er/new "file".txt', 'untracked')
    write(at.folder, '-dash', 'untracked')
    const before = tree(at.folder)
    const head = value(await repository.find(at)).head

    const { savedAs, restore } = value(await repository.rollback(at, base, 'rolled-back'))
    expect(tree(at.folder)).toEqual({
      ...Object.fromEntries(Object.entries(before).filter(([path]) => /gitignore|CLAUDE|src/.test(path))),
      'src/a.ts': 'one\ntwo\nthree\n',
      'src/b.ts': 'b\n',
    })
    expect(value(await repository.find(at)).head).toBe(base)
    expect(savedAs).toMatch(/^refs\/grove\//)

    execFileSync('sh', ['-c', restore], { stdio: 'pipe' })
    expect(tree(at.folder)).toEqual(before)
    expect(value(await repository.find(at)).head).toBe(head)
    expect(inFolder(at.folder, 'status', '--porcelain', '-uall').split('\n')).toContain(' M src/b.ts')
  })

  it('takes back a merge that stands half done, and what was checked out by hand', async () => {
    const base = await openBranch()
    write(at.folder, 'src/a.ts', 'ours\n')
    value(await repository.commit(at, 'Ours', []))
    inFolder(at.folder, 'checkout', '--quiet', '--detach', base)
    write(at.folder, 'src/a.ts', 'theirs\n')
    inFolder(at.folder, 'commit', '--quiet', '--all', '--message=Theirs')
    expect(() => execFileSync('git', ['merge', at.branch], { cwd: at.folder, stdio: 'pipe' })).toThrow()
    value(await repository.rollback(at, base, 'rolled-back'))
    expect(value(await repository.find(at))).toEqual({ head: base, dirty: false })
    expect(existsSync(join(project.dir, '.git/worktrees/login/MERGE_HEAD'))).toBe(false)
  })

  it('refuses a commit that is not there, before anything is touched', async () => {
    await openBranch()
    write(at.folder, 'new', 'x')
    for (const to of ['f'.repeat(40), '--hard', '', 'HEAD~5', '$(true)'])
      expect(await repository.rollback(at, to, 'x')).toMatchObject({ ok: false, code: 'not_found' })
    expect(read(at.folder, 'new')).toBe('x')
  })
})
