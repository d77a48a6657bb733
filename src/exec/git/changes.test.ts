import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProject, tempDir } from '../../../test/support/project.ts'
import { ownLines, treeNow } from './changes.ts'

async function project(files: Record<string, string> = {}) {
  const made = await createProject(files)
  onTestFinished(made.remove)
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(made.dir, path, '..'), { recursive: true })
    writeFileSync(join(made.dir, path), text)
  }
  /** How many lines were changed since. */
  async function since(baseline: Awaited<ReturnType<typeof treeNow>>) {
    const own = await ownLines(made.dir, baseline)
    return own && Object.values(own).reduce((sum, lines) => sum + lines, 0)
  }
  return { ...made, write, since }
}

describe('what an agent changed', () => {
  it('is what differs from how it found the tree, committed or not', async () => {
    const { dir, git, write, since } = await project({ 'a.ts': 'one\ntwo\n', 'b.ts': 'b\n' })
    write('a.ts', 'one\ntwo\nthree\n')
    const before = await treeNow(dir)
    expect(before).toMatchObject({ head: expect.stringMatching(/^\w{40}$/), dirty: { 'a.ts': 1 } })
    expect(await since(before)).toBe(0)
    write('b.ts', 'b\nc\n')
    write('src/ä ö.ts', 'new\nfile')
    expect(await since(before)).toBe(3)
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Work')
    expect(await since(before)).toBe(3)
    expect(await since(undefined)).toBe(0)
  })

  it('is counted before the first commit too', async () => {
    const { dir, git, write, since } = await project()
    await git('checkout', '--quiet', '--orphan', 'fresh')
    write('staged.ts', 'one\ntwo\n')
    await git('add', '--all')
    const before = await treeNow(dir)
    expect(before).toMatchObject({ dirty: { 'staged.ts': 2 } })
    expect(before).not.toHaveProperty('head')
    write('more.ts', 'x\n')
    expect(await since(before)).toBe(1)
  })

  it('is counted from the last commit when the commit it began with is gone', async () => {
    const { write, since } = await project({ 'a.ts': '' })
    write('a.ts', 'x\n')
    expect(await since({ head: '0123456789012345678901234567890123456789', dirty: {} })).toBe(1)
  })

  it('is one line for a binary file, and nothing for notes about the work', async () => {
    const { write, since, dir } = await project({ 'logo.png': 'x' })
    const before = await treeNow(dir)
    write('logo.png', Buffer.from([0, 1, 2, 0, 255]))
    write('.grove/learnings.md', 'x\n'.repeat(99))
    write('.beads/issues.jsonl', 'x\n'.repeat(99))
    expect(await since(before)).toBe(1)
  })

  it('is not what came by checkout, pull, merge, rebase or reset', async () => {
    const { dir, git, write, since } = await project({ 'a.ts': 'one\n' })
    await git('checkout', '--quiet', '-b', 'theirs')
    write('theirs.ts', 'x\n'.repeat(500))
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Theirs')
    await git('checkout', '--quiet', 'main')
    const before = await treeNow(dir)
    await git('checkout', '--quiet', 'theirs')
    expect(await since(before)).toBe(0)
    await git('checkout', '--quiet', 'main')
    write('own.ts', 'x\n'.repeat(7))
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Own')
    expect(await since(before)).toBe(7)
    await git('rebase', '--quiet', 'theirs')
    expect(await since(before)).toBe(7)
    await git('reset', '--quiet', '--hard', 'HEAD~1')
    expect(await since(before)).toBe(7)
    await git('checkout', '--quiet', 'main')
    await git('merge', '--quiet', '--no-ff', '--message=Merge', 'theirs')
    write('more.ts', 'x\n'.repeat(2))
    expect(await since(before)).toBe(9)
  })

  it('is what was committed and amended here, once', async () => {
    const { dir, git, write, since } = await project({ 'a.ts': '' })
    const before = await treeNow(dir)
    write('a.ts', 'x\n'.repeat(5))
    await git('commit', '--quiet', '--all', '--message=One')
    write('a.ts', 'x\n'.repeat(8))
    await git('commit', '--quiet', '--all', '--amend', '--message=One')
    write('b.ts', 'x\n')
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Two')
    expect(await since(before)).toBe(9)
  })

  it('is nothing while a merge waits to be finished', async () => {
    const { dir, git, write, since } = await project({ 'a.ts': 'one\n' })
    await git('checkout', '--quiet', '-b', 'theirs')
    write('a.ts', 'theirs\n')
    write('more.ts', 'x\n'.repeat(300))
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Theirs')
    await git('checkout', '--quiet', 'main')
    write('a.ts', 'ours\n')
    await git('commit', '--quiet', '--all', '--message=Ours')
    const before = await treeNow(dir)
    await git('merge', '--quiet', 'theirs').catch(() => undefined)
    expect(await since(before)).toBe(0)
  })

  it('is unknown without git', async () => {
    const dir = await tempDir('plain')
    expect(await treeNow(dir)).toBeUndefined()
    expect(await ownLines(dir, undefined)).toBeUndefined()
  })
})
