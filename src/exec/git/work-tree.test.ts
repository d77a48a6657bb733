import { mkdir, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, tempDir } from '../../../test/support/project.ts'
import { headRevision } from './head.ts'
import { dropCopies, keepCopies, lookAtTree, textsBefore, treeChanges } from './work-tree.ts'

type WhenFinished = (work: () => Promise<void>) => void

const files = { 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'bee\n', '.gitignore': 'build/\n', 'with space ä.txt': 'x\n' }

async function watched(whenFinished: WhenFinished) {
  const project = await createProject(files)
  whenFinished(project.remove)
  const write = async (path: string, text: string) => {
    await mkdir(join(project.dir, path, '..'), { recursive: true })
    await writeFile(join(project.dir, path), text)
  }
  /** What a piece of work changes, by path. */
  const during = async (work: () => Promise<unknown>, root = project.dir) => {
    const before = (await lookAtTree(root))!
    await work()
    const changes = await treeChanges(root, before, (await lookAtTree(root))!)
    return changes.map(({ path, moved }) => (moved ? `${path} (moved)` : path)).sort()
  }
  return { ...project, write, during }
}

describe('comparing a working tree', () => {
  it('finds what was changed, made and deleted, but not what git ignores', async ({ onTestFinished }) => {
    const { dir, write, during } = await watched(onTestFinished)
    const changed = await during(async () => {
      await write('a.txt', 'one\n2\n')
      await write('new/file with "quotes".txt', 'new')
      await write('with space ä.txt', 'y\n')
      await write('build/out.js', 'built')
      await unlink(join(dir, 'sub/b.txt'))
    })
    expect(changed).toEqual(['a.txt', 'new/file with "quotes".txt', 'sub/b.txt', 'with space ä.txt'])
  })

  it('tells a file that was different before from one that is different now', async ({ onTestFinished }) => {
    const { write, during, git } = await watched(onTestFinished)
    await write('a.txt', 'mine\n')
    await write('draft.txt', 'mine\n')
    expect(await during(async () => {})).toEqual([])
    expect(await during(() => write('draft.txt', 'yours\n'))).toEqual(['draft.txt'])
    // Put back to the commit: the draft of it is lost, and that is a change.
    expect(await during(() => git('checkout', 'a.txt'))).toEqual(['a.txt'])
  })

  it('is not misled by commits, and sees what was changed and committed in one go', async ({ onTestFinished }) => {
    const { write, during, git } = await watched(onTestFinished)
    await write('a.txt', 'mine\n')
    expect(await during(() => git('commit', '-qam', 'mine'))).toEqual([])
    const changed = await during(async () => {
      await write('sub/b.txt', 'sneaked in\n')
      await git('commit', '-qam', 'all')
    })
    expect(changed).toEqual(['sub/b.txt'])
  })

  it('tells a checkout of work that was done before from work', async ({ onTestFinished }) => {
    const { write, during, git } = await watched(onTestFinished)
    await git('checkout', '-qb', 'other')
    await write('a.txt', 'other work\n')
    await git('commit', '-qam', 'other', '--date=2020-01-01T00:00:00Z')
    await git('rebase', '-q', '--committer-date-is-author-date', '--force-rebase', 'main')
    await git('checkout', '-q', 'main')
    expect(await during(() => git('merge', '-q', '--ff-only', 'other'))).toEqual(['a.txt (moved)'])
    expect(await during(() => git('checkout', '-q', 'HEAD~1'))).toEqual(['a.txt (moved)'])
  })

  it('is not blinded by index flags, claimed dates, ignored secrets, or a repository inside', async ({
    onTestFinished,
  }) => {
    const { dir, write, during, git } = await watched(onTestFinished)
    await write('.gitignore', 'build/\n.env\n')
    await write('inner/lib.txt', 'lib\n')
    await git('init', '-q', join(dir, 'inner'))
    await git('commit', '-qam', 'ignore')
    expect(
      await during(async () => {
        await git('update-index', '--assume-unchanged', 'a.txt')
        await git('update-index', '--skip-worktree', 'sub/b.txt')
        await write('a.txt', 'hidden\n')
        await write('sub/b.txt', 'hidden\n')
        await write('.env', 'TOKEN=1\n')
        await write('inner/lib.txt', 'changed\n')
        await write('.git/hooks/pre-commit', '#!/bin/sh\n')
      }),
    ).toEqual(['.env', '.git/hooks/pre-commit', 'a.txt', 'inner/lib.txt', 'sub/b.txt'])
    expect(
      await during(async () => {
        await write('with space ä.txt', 'z\n')
        await git('commit', '-qam', 'old', '--date=2001-01-01T00:00:00Z')
        await git('rebase', '-q', '--committer-date-is-author-date', '--force-rebase', 'HEAD~1')
      }),
    ).toEqual(['with space ä.txt'])
  })

  it('works in a subfolder of a checkout, in a worktree, and before the first commit', async ({ onTestFinished }) => {
    const { dir, write, during, git } = await watched(onTestFinished)
    expect(await during(() => write('a.txt', 'up there\n'), join(dir, 'sub'))).toEqual(['../a.txt'])
    const tree = join(await tempDir('worktree'), 'tree')
    onTestFinished(() => rm(join(tree, '..'), { recursive: true, force: true }))
    await git('worktree', 'add', '-q', tree)
    expect(await during(() => writeFile(join(tree, 'a.txt'), 'there\n'), tree)).toEqual(['a.txt'])
    expect(headRevision(tree)).toBe(await git('rev-parse', 'HEAD'))
    const empty = await tempDir('empty')
    onTestFinished(() => rm(empty, { recursive: true, force: true }))
    await git('init', '-q', empty)
    expect(await during(() => writeFile(join(empty, 'first.txt'), '1'), empty)).toEqual(['first.txt'])
    expect(headRevision(empty)).toBeUndefined()
  })

  it('looks into submodules', async ({ onTestFinished }) => {
    const { dir, write, during, git } = await watched(onTestFinished)
    const inner = await createProject({ 'lib.txt': 'lib\n' })
    onTestFinished(inner.remove)
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'vendor/inner')
    await git('commit', '-qm', 'submodule')
    const before = (await lookAtTree(dir))!
    const changed = await during(async () => {
      await write('vendor/inner/lib.txt', 'changed\n')
      await write('vendor/inner/new.txt', 'new\n')
      await write('a.txt', 'changed\n')
    })
    expect(changed).toEqual(['a.txt', 'vendor/inner/lib.txt', 'vendor/inner/new.txt'])
    const changes = await treeChanges(dir, before, (await lookAtTree(dir))!)
    const lib = changes.find(({ path }) => path === 'vendor/inner/lib.txt')!
    expect(lib.before).toBeUndefined()
    expect((await textsBefore(dir, [lib], {}, before)).get(lib.path)).toBe('lib\n')
    expect(changes.find(({ path }) => path === 'vendor/inner/new.txt')!.before).toBeNull()
  })

  it('works without git', async ({ onTestFinished }) => {
    const { during } = await watched(onTestFinished)
    const plain = await tempDir('plain')
    onTestFinished(() => rm(plain, { recursive: true, force: true }))
    await writeFile(join(plain, 'a.txt'), 'a')
    await writeFile(join(plain, 'b.txt'), 'b')
    await mkdir(join(plain, 'node_modules'))
    const changed = await during(async () => {
      await writeFile(join(plain, 'a.txt'), 'longer')
      await rm(join(plain, 'b.txt'))
      await symlink('a.txt', join(plain, 'link'))
      await writeFile(join(plain, 'node_modules/x.js'), '')
    }, plain)
    expect(changed).toEqual(['a.txt', 'b.txt', 'link'])
  })

  it('knows what a file said before: from its copy, else from the commit', async ({ onTestFinished }) => {
    const { dir, write } = await watched(onTestFinished)
    await write('a.txt', 'draft\n')
    const folder = join(await tempDir('copies'), 'x')
    onTestFinished(() => rm(join(folder, '..'), { recursive: true, force: true }))
    const before = (await lookAtTree(dir))!
    const copies = keepCopies(dir, Object.keys(before.files), folder)
    await write('a.txt', 'gone\n')
    await write('sub/b.txt', 'gone\n')
    await write('c.txt', 'new\n')
    const changes = await treeChanges(dir, before, (await lookAtTree(dir))!)
    const texts = await textsBefore(dir, changes, copies, before)
    expect(Object.fromEntries(texts)).toEqual({ 'a.txt': 'draft\n', 'sub/b.txt': 'bee\n' })
    expect(changes.find(({ path }) => path === 'c.txt')?.before).toBeNull()
    expect(changes.find(({ path }) => path === 'sub/b.txt')?.before).toBeUndefined()
    await dropCopies(folder)
    expect(headRevision(dir)).toBe(before.head)
  })

  it('reads the commit from packed refs', async ({ onTestFinished }) => {
    const { dir, git } = await watched(onTestFinished)
    await git('pack-refs', '--all')
    expect(headRevision(join(dir, 'sub'))).toBe(await git('rev-parse', 'HEAD'))
    await git('checkout', '-q', '--detach')
    expect(headRevision(dir)).toBe(await git('rev-parse', 'HEAD'))
  })
})
