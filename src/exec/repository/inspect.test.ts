import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  at,
  featureStageForEach,
  home,
  inFolder,
  openBranch,
  project,
  repository,
  write,
} from '../../../test/support/feature-repository.ts'
import { value } from '../../../test/support/outcome.ts'

featureStageForEach()

describe('a path that a person typed', () => {
  it('is refused with the first thing that is wrong with it', async () => {
    write(home, 'file', '')
    const code = async (path: string) => {
      const outcome = await repository.inspect(path)
      return outcome.ok ? 'ok' : [outcome.code, outcome.message]
    }
    expect(await code(join(home, 'nowhere'))).toEqual(['not_found', 'Project path does not exist'])
    expect(await code(join(home, 'file'))).toEqual(['not_a_folder', 'Project path is not a directory'])
    expect(await code(home)).toEqual(['not_a_repository', 'Project path is not a git repository'])
    expect((await code('relative/path'))[0]).toBe('not_found')
    expect((await code('/tmp\0/x'))[0]).toBe('not_found')
    expect(await code(project.dir)).toBe('ok')
    expect(await code(project.remote)).toEqual(['not_a_repository', 'Project path is not a git repository'])
  })

  it('is told about: branch, remote without its password, changes, and files a worktree would miss', async () => {
    await project.git('remote', 'set-url', 'origin', 'https://ada:hunter2@example.com/team/app.git')
    write(project.dir, 'CLAUDE.md', 'untracked')
    write(project.dir, '.env', 'KEY=1')
    write(project.dir, 'packages/web/.env.local', 'KEY=2')
    write(project.dir, 'node_modules/x/CLAUDE.md', 'not ours')
    const facts = value(await repository.inspect(join(project.dir, 'src')))
    expect(facts).toMatchObject({
      path: project.dir,
      projectId: 'example.com/team/app',
      currentBranch: 'main',
      defaultBranch: 'main',
      branches: ['main'],
      dirty: false,
      remote: { name: 'origin', url: 'https://example.com/team/app.git', host: 'example.com' },
      untrackedHelpers: ['.env', 'CLAUDE.md', 'packages/web/.env.local'],
    })
    write(project.dir, 'src/a.ts', 'changed')
    expect(value(await repository.inspect(project.dir)).dirty).toBe(true)
  })

  it('may be a repository without commits, on no branch, or a worktree', async () => {
    const empty = join(home, 'empty')
    inFolder(home, 'init', '--quiet', '--initial-branch=trunk', empty)
    const facts = value(await repository.inspect(empty))
    expect([facts.head, facts.currentBranch, facts.branches]).toEqual([undefined, 'trunk', []])
    const refused = await repository.open({ ...at, repository: empty, baseBranch: 'trunk', copy: [] })
    expect(!refused.ok && refused.code).toBe('no_commit')

    await project.git('checkout', '--quiet', '--detach')
    expect(value(await repository.inspect(project.dir)).currentBranch).toBeUndefined()
    await openBranch()
    expect(value(await repository.inspect(at.folder))).toMatchObject({ path: at.folder, currentBranch: at.branch })
  })
})

describe('the fingerprint of a work tree', () => {
  it('changes with every file and commit, and with nothing else', async () => {
    const seen = new Set<string | undefined>()
    const next = async (isNew = true) => {
      const print = await repository.fingerprint(at)
      expect(seen.has(print)).toBe(!isNew)
      seen.add(print)
    }
    expect(await repository.fingerprint(at)).toBeUndefined()
    await openBranch()
    await next()
    write(at.folder, 'src/a.ts', 'changed\n')
    await next()
    write(at.folder, 'src/a.ts', 'chonged\n')
    await next()
    write(at.folder, 'odd \n "name"', 'new')
    await next()
    write(at.folder, 'odd \n "name"', 'old')
    await next()
    write(at.folder, '.orchestration/agent_trace.jsonl', '{}')
    write(at.folder, 'src/a.ts', 'chonged\n')
    await next(false)
    rmSync(join(at.folder, 'src/b.ts'))
    await next()
    value(await repository.commit(at, 'All of it', ['.orchestration']))
    await next()
  })
})
