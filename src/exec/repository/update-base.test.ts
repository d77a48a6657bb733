import { existsSync, renameSync, rmSync } from 'node:fs'
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
  write,
} from '../../../test/support/feature-repository.ts'
import { value } from '../../../test/support/outcome.ts'

featureStageForEach()

describe('the newest base', () => {
  async function baseMoves(text: string, path = 'src/a.ts') {
    const clone = join(home, 'clone')
    if (!existsSync(clone)) await project.git('clone', '--quiet', project.remote, clone)
    write(clone, path, text)
    inFolder(clone, 'add', '--all')
    inFolder(clone, '-c', 'user.name=B', '-c', 'user.email=b', 'commit', '--quiet', '--message=Base moves')
    inFolder(clone, 'push', '--quiet', 'origin', 'main')
  }

  it.each(['rebase', 'mergeBase'] as const)('is brought in by %s', async (how) => {
    await openBranch()
    write(at.folder, 'src/new.ts', 'new')
    value(await repository.commit(at, 'Work', []))
    expect(value(await repository[how](at, 'main'))).toEqual({ moved: false, conflicts: [] })
    await baseMoves('moved\n')
    write(at.folder, 'untracked', 'x')
    expect(value(await repository[how](at, 'main'))).toEqual({ moved: true, conflicts: [] })
    expect(read(at.folder, 'src/a.ts')).toBe('moved\n')
    expect([read(at.folder, 'src/new.ts'), read(at.folder, 'untracked')]).toEqual(['new', 'x'])
    expect(await project.git('log', '-1', '--format=%s', 'main')).toBe('Start')
  })

  it.each(['rebase', 'mergeBase'] as const)(
    'conflicts with %s are named and leave everything as it was',
    async (how) => {
      await openBranch()
      write(at.folder, 'src/a.ts', 'ours\n')
      write(at.folder, 'sp ace\nline.txt', 'ours')
      value(await repository.commit(at, 'Work', []))
      await baseMoves('theirs\n')
      await baseMoves('theirs', 'sp ace\nline.txt')
      const before = [
        tree(at.folder),
        inFolder(at.folder, 'log', '--format=%H'),
        inFolder(at.folder, 'status', '--porcelain'),
      ]
      const { moved, conflicts } = value(await repository[how](at, 'main'))
      expect([moved, conflicts.sort()]).toEqual([false, ['sp ace\nline.txt', 'src/a.ts']])
      expect([
        tree(at.folder),
        inFolder(at.folder, 'log', '--format=%H'),
        inFolder(at.folder, 'status', '--porcelain'),
      ]).toEqual(before)
      expect(value(await repository.find(at)).dirty).toBe(false)
    },
  )

  it('is not brought in over changes that are not committed, or untracked files in the way', async () => {
    await openBranch()
    write(at.folder, 'src/b.ts', 'mine\n')
    expect(await repository.rebase(at, 'main')).toMatchObject({ ok: false, code: 'dirty', detail: 'src/b.ts' })
    value(await repository.commit(at, 'Work', []))
    await baseMoves('theirs', 'fresh.txt')
    write(at.folder, 'fresh.txt', 'mine')
    expect((await repository.rebase(at, 'main')).ok).toBe(false)
    expect((await repository.mergeBase(at, 'main')).ok).toBe(false)
    expect(read(at.folder, 'fresh.txt')).toBe('mine')
    expect(value(await repository.find(at)).dirty).toBe(true)
  })

  it.each(['rebase', 'mergeBase'] as const)(
    'comes in by %s over what is changed in a folder of our own',
    async (how) => {
      await openBranch()
      write(at.folder, '.orchestration/a.yaml', 'of the project\n')
      write(at.folder, '.orchestration/gone.yaml', 'of the project\n')
      value(await repository.commit(at, 'Work', []))
      await baseMoves('theirs', 'fresh.txt')
      write(at.folder, '.orchestration/a.yaml', 'of this work tree\n')
      rmSync(join(at.folder, '.orchestration/gone.yaml'))
      expect(value(await repository[how](at, 'main', ['.orchestration'])).moved).toBe(true)
      expect(read(at.folder, 'fresh.txt')).toBe('theirs')
      expect(read(at.folder, '.orchestration/a.yaml')).toBe('of this work tree\n')
      expect(existsSync(join(at.folder, '.orchestration/gone.yaml'))).toBe(false)
    },
  )

  it('is told to be out of reach when the remote is', async () => {
    await openBranch()
    renameSync(project.remote, `${project.remote}.gone`)
    expect(await repository.rebase(at, 'main')).toMatchObject({ ok: false, code: 'no_remote' })
  })
})
