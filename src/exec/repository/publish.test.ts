import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  at,
  featureStageForEach,
  inFolder,
  openBranch,
  project,
  read,
  repository,
  write,
} from '../../../test/support/feature-repository.ts'
import { value } from '../../../test/support/outcome.ts'

featureStageForEach()

describe('the commit', () => {
  it('is one, of everything but the named paths, in the words it was given', async () => {
    await openBranch()
    write(at.folder, '.orchestration/active_intents.yaml', 'intents: []')
    write(at.folder, 'src/new.ts', 'new')
    rmSync(join(at.folder, 'src/b.ts'))
    inFolder(at.folder, 'add', '--all')
    const message = '# Not a comment\n\n--amend $(rm -rf x)\nline “two”'
    const { commit } = value(await repository.commit(at, message, ['.orchestration', 'does/not/exist']))
    expect(inFolder(at.folder, 'log', '-1', '--format=%B').trim()).toBe(message)
    expect(inFolder(at.folder, 'show', '--name-status', '--format=', commit!).trim()).toBe('D\tsrc/b.ts\nA\tsrc/new.ts')
    expect(inFolder(at.folder, 'status', '--porcelain').trim()).toBe('?? .orchestration/')
    expect(value(await repository.commit(at, 'Again', ['.orchestration']))).toEqual({})
  })

  it('leaves a repository inside the worktree out, even one without commits', async () => {
    await openBranch()
    inFolder(at.folder, 'init', '--quiet', 'cloned')
    write(at.folder, 'cloned/x', 'x')
    write(at.folder, 'src/new.ts', 'new')
    value(await repository.checkpoint(at, 'one', 'x'))
    value(await repository.commit(at, 'Work', []))
    expect(inFolder(at.folder, 'show', '--name-only', '--format=', 'HEAD').trim()).toBe('src/new.ts')
    value(await repository.rollback(at, 'main', 'back'))
    expect(read(at.folder, 'cloned/x')).toBe('x')
  })
})

describe('a push', () => {
  it('publishes the branch, and with a lease replaces only what we pushed', async () => {
    await openBranch()
    write(at.folder, 'src/new.ts', 'one')
    value(await repository.commit(at, 'One', []))
    const { commit } = value(await repository.push(at, {}))
    expect(inFolder(project.remote, 'rev-parse', at.branch).trim()).toBe(commit)

    inFolder(at.folder, 'commit', '--quiet', '--amend', '--message=Other')
    expect(await repository.push(at, {})).toMatchObject({ ok: false, code: 'rejected' })
    const again = value(await repository.push(at, { lease: true }))
    expect(inFolder(project.remote, 'rev-parse', at.branch).trim()).toBe(again.commit)

    inFolder(project.remote, 'update-ref', `refs/heads/${at.branch}`, 'main')
    inFolder(at.folder, 'fetch', '--quiet')
    inFolder(at.folder, 'commit', '--quiet', '--amend', '--message=Third')
    expect(await repository.push(at, { lease: true })).toMatchObject({ ok: false, code: 'rejected' })
    expect(inFolder(project.remote, 'for-each-ref', '--format=%(refname)', 'refs/grove')).toBe('')
  })

  it('needs a remote', async () => {
    await openBranch()
    await project.git('remote', 'remove', 'origin')
    expect(await repository.push(at, {})).toMatchObject({ ok: false, code: 'no_remote' })
  })
})
