import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProject, tempDir } from '../../../test/support/project.ts'
import { linesChanged, treeNow } from './changes.ts'

async function project(files: Record<string, string> = {}) {
  const made = await createProject(files)
  onTestFinished(made.remove)
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(made.dir, path, '..'), { recursive: true })
    writeFileSync(join(made.dir, path), text)
  }
  return { ...made, write, since: (baseline: Awaited<ReturnType<typeof treeNow>>) => linesChanged(made.dir, baseline) }
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
    expect(before).toEqual({ dirty: { 'staged.ts': 2 } })
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

  it('is unknown without git', async () => {
    const dir = await tempDir('plain')
    expect(await treeNow(dir)).toBeUndefined()
    expect(await linesChanged(dir, undefined)).toBeUndefined()
  })
})
