import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  at,
  featureStageForEach,
  HELPERS,
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

describe('a worktree', () => {
  it('begins at the base, leaves the checkout alone, and has the helper files', async () => {
    write(project.dir, 'src/a.ts', 'the user is at work\n')
    write(project.dir, 'CLAUDE.md', 'rules')
    write(project.dir, '.env', 'KEY=1')
    const before = tree(project.dir)
    const { baseCommit, copied } = value(await repository.open({ ...at, baseBranch: 'main', copy: HELPERS }))
    expect(baseCommit).toBe(await project.git('rev-parse', 'main'))
    expect(copied).toEqual(['.env', 'CLAUDE.md'])
    expect(read(at.folder, 'src/a.ts')).toBe('one\ntwo\nthree\n')
    expect(read(at.folder, 'CLAUDE.md')).toBe('rules')
    expect(tree(project.dir)).toEqual(before)
    expect(value(await repository.find(at))).toEqual({ head: baseCommit, dirty: false })
  })

  it('opens a second time as what it is, and refuses a branch of somebody else', async () => {
    const base = await openBranch()
    write(at.folder, 'src/new.ts', 'new')
    expect(await openBranch()).toBe(base)
    expect(read(at.folder, 'src/new.ts')).toBe('new')
    const other = await repository.open({ ...at, folder: join(home, 'other'), baseBranch: 'main', copy: [] })
    expect(!other.ok && other.code).toBe('branch_exists')
    expect(value(await repository.freeBranch(project.dir, at.branch))).toBe('feature/login-2')
    const missing = await repository.open({
      ...at,
      branch: 'feature/x',
      folder: join(home, 'x'),
      baseBranch: 'no',
      copy: [],
    })
    expect(!missing.ok && missing.code).toBe('base_missing')
  })

  it('goes on from a branch that was there, when told to, and a rollback leaves its commits alone', async () => {
    const main = await project.git('rev-parse', 'main')
    const tip = await project.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'begun by hand')
    await project.git('branch', at.branch, tip)
    const existing = { ...at, baseBranch: 'main', copy: [], existing: true }
    expect(value(await repository.open(existing)).baseCommit).toBe(tip)
    write(at.folder, 'src/new.ts', 'new')
    // After a crash in the middle it is found as it was left.
    expect(value(await repository.open(existing)).baseCommit).toBe(tip)
    expect(read(at.folder, 'src/new.ts')).toBe('new')
    expect(value(await repository.orphanedBranches(project.dir, []))).toEqual([])
    value(await repository.rollback(at, tip, 'test'))
    expect(await project.git('rev-parse', at.branch)).toBe(tip)

    await project.git('push', '--quiet', 'origin', `${main}:refs/heads/feature/remote`)
    await project.git('fetch', '--quiet')
    const remote = { ...existing, branch: 'feature/remote', folder: join(home, 'remote') }
    expect(value(await repository.open(remote)).baseCommit).toBe(main)
  })

  it('is not made from a branch that another checkout has', async () => {
    const refused = await repository.open({ ...at, branch: 'main', baseBranch: 'main', copy: [], existing: true })
    expect(refused).toMatchObject({ ok: false, code: 'branch_exists', message: expect.stringContaining(project.dir) })
  })

  it('never writes into a folder that has something in it', async () => {
    write(at.folder, 'precious', 'x')
    const refused = await repository.open({ ...at, baseBranch: 'main', copy: [] })
    expect(!refused.ok && refused.code).toBe('not_writable')
    expect(read(at.folder, 'precious')).toBe('x')
    expect(await project.git('branch', '--list', at.branch)).toBe('')
  })

  it('is found missing when folder or branch are gone, or something else is checked out', async () => {
    await openBranch()
    inFolder(at.folder, 'checkout', '--quiet', '-b', 'elsewhere')
    expect(await repository.find(at)).toMatchObject({ ok: false, code: 'failed' })
    rmSync(at.folder, { recursive: true })
    expect(await repository.find(at)).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('closes without losing what was not committed', async () => {
    await openBranch()
    write(at.folder, 'src/a.ts', 'half done\n')
    write(at.folder, 'notes.txt', 'new file')
    value(await repository.close(at, { deleteBranch: true }))
    expect(existsSync(at.folder)).toBe(false)
    expect(await project.git('branch', '--list', at.branch)).toBe('')
    const saved = (await project.git('for-each-ref', '--format=%(refname)', 'refs/grove')).split('\n')
    const ref = saved.find((name) => name.endsWith('/closed'))!
    expect(await project.git('show', `${ref}:notes.txt`)).toBe('new file')
    expect(await project.git('show', `${ref}:src/a.ts`)).toBe('half done')
  })

  it('is listed as an orphan when no feature session knows it; branches that people made are not', async () => {
    await openBranch()
    await project.git('branch', 'feature/by-hand')
    expect(value(await repository.orphanedBranches(project.dir, [at.branch]))).toEqual([])
    const [orphan] = value(await repository.orphanedBranches(project.dir, []))
    expect(orphan).toMatchObject({ name: at.branch })
    expect(new Date(orphan!.lastCommitAt).toISOString()).toBe(orphan!.lastCommitAt)
  })
})

describe('in place', () => {
  beforeEach(() => workAt({ folder: project.dir, inPlace: true }))

  it('refuses a dirty checkout until it is stashed, and the stash gives everything back', async () => {
    write(project.dir, 'src/a.ts', 'mine\n')
    write(project.dir, 'untracked.txt', 'mine too')
    write(project.dir, 'CLAUDE.md', 'rules')
    const refused = await repository.open({ ...at, baseBranch: 'main', copy: HELPERS })
    expect(refused).toMatchObject({ ok: false, code: 'dirty', detail: 'src/a.ts\nuntracked.txt' })
    const { ref } = value(await repository.stash(project.dir, 'before the feature'))
    expect(read(project.dir, 'CLAUDE.md')).toBe('rules')
    await openBranch()
    expect(await project.git('branch', '--show-current')).toBe(at.branch)
    await project.git('checkout', '--quiet', 'main')
    await project.git('stash', 'apply', '--quiet', ref)
    expect([read(project.dir, 'src/a.ts'), read(project.dir, 'untracked.txt')]).toEqual(['mine\n', 'mine too'])
  })

  it('commits the work and not the helper files that lie there', async () => {
    write(project.dir, 'CLAUDE.md', 'rules')
    await openBranch()
    write(project.dir, 'src/new.ts', 'new')
    value(await repository.commit(at, 'Add it', []))
    expect(await project.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/new.ts')
    expect(value(await repository.diff(at, 'main')).files.map(({ path }) => path)).toEqual(['src/new.ts'])
    const without = value(await repository.diff(at, 'main', { without: ['src'] }))
    expect([without.files, without.patch]).toEqual([[], ''])
  })

  it('does not delete the branch that is checked out', async () => {
    await openBranch()
    expect(await repository.close(at, { deleteBranch: true })).toMatchObject({ ok: false, code: 'branch_exists' })
  })
})
