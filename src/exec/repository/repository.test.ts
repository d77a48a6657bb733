import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FeaturePlace, FeatureRepository } from '#core/ports/repository.ts'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { value } from '../../../test/support/outcome.ts'
import { tempDir } from '../../../test/support/project.ts'
import { featureRepository } from './repository.ts'

const HELPERS = ['CLAUDE.md', 'CLAUDE.local.md', '.env*']

let project: ProjectWithRemote
let home: string
let repository: FeatureRepository
let at: FeaturePlace

beforeEach(async () => {
  project = await createProjectWithRemote({
    'src/a.ts': 'one\ntwo\nthree\n',
    'src/b.ts': 'b\n',
    '.gitignore': '.env\nnode_modules/\nCLAUDE.local.md\n',
  })
  home = await tempDir('home')
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  repository = featureRepository({ env, helpers: HELPERS })
  at = { repository: project.dir, folder: join(home, 'worktrees', 'login'), inPlace: false, branch: 'feature/login' }
})
afterEach(async () => {
  await project.remove()
  rmSync(home, { recursive: true, force: true })
})

function write(folder: string, path: string, text: string | Buffer) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

async function opened(place = at): Promise<string> {
  return value(await repository.open({ ...place, baseBranch: 'main', copy: HELPERS })).baseCommit
}

/** Everything in a folder but git's own files. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^\.git(\/|$)/.test(path) && statSync(join(folder, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, read(folder, path)]))
}

const inFolder = (folder: string, ...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })

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
    await opened()
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
    await opened()
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
    const base = await opened()
    write(at.folder, 'src/new.ts', 'new')
    expect(await opened()).toBe(base)
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
    await opened()
    inFolder(at.folder, 'checkout', '--quiet', '-b', 'elsewhere')
    expect(await repository.find(at)).toMatchObject({ ok: false, code: 'failed' })
    rmSync(at.folder, { recursive: true })
    expect(await repository.find(at)).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('closes without losing what was not committed', async () => {
    await opened()
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
    await opened()
    await project.git('branch', 'feature/by-hand')
    expect(value(await repository.orphanedBranches(project.dir, [at.branch]))).toEqual([])
    const [orphan] = value(await repository.orphanedBranches(project.dir, []))
    expect(orphan).toMatchObject({ name: at.branch })
    expect(new Date(orphan!.lastCommitAt).toISOString()).toBe(orphan!.lastCommitAt)
  })
})

describe('in place', () => {
  beforeEach(() => {
    at = { ...at, folder: project.dir, inPlace: true }
  })

  it('refuses a dirty checkout until it is stashed, and the stash gives everything back', async () => {
    write(project.dir, 'src/a.ts', 'mine\n')
    write(project.dir, 'untracked.txt', 'mine too')
    write(project.dir, 'CLAUDE.md', 'rules')
    const refused = await repository.open({ ...at, baseBranch: 'main', copy: HELPERS })
    expect(refused).toMatchObject({ ok: false, code: 'dirty', detail: 'src/a.ts\nuntracked.txt' })
    const { ref } = value(await repository.stash(project.dir, 'before the feature'))
    expect(read(project.dir, 'CLAUDE.md')).toBe('rules')
    await opened()
    expect(await project.git('branch', '--show-current')).toBe(at.branch)
    await project.git('checkout', '--quiet', 'main')
    await project.git('stash', 'apply', '--quiet', ref)
    expect([read(project.dir, 'src/a.ts'), read(project.dir, 'untracked.txt')]).toEqual(['mine\n', 'mine too'])
  })

  it('commits the work and not the helper files that lie there', async () => {
    write(project.dir, 'CLAUDE.md', 'rules')
    await opened()
    write(project.dir, 'src/new.ts', 'new')
    value(await repository.commit(at, 'Add it', []))
    expect(await project.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/new.ts')
    expect(value(await repository.diff(at, 'main')).files.map(({ path }) => path)).toEqual(['src/new.ts'])
    const without = value(await repository.diff(at, 'main', { without: ['src'] }))
    expect([without.files, without.patch]).toEqual([[], ''])
  })

  it('does not delete the branch that is checked out', async () => {
    await opened()
    expect(await repository.close(at, { deleteBranch: true })).toMatchObject({ ok: false, code: 'branch_exists' })
  })
})

describe('a checkpoint', () => {
  it('holds everything that is not ignored, and touches neither index nor files nor branch', async () => {
    await opened()
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
    await opened()
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
    const base = await opened()
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
    at = { ...at, folder: join(home, "it's a $(touch x) folder; #1") }
    const base = await opened()
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
    const base = await opened()
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
    await opened()
    write(at.folder, 'new', 'x')
    for (const to of ['f'.repeat(40), '--hard', '', 'HEAD~5', '$(true)'])
      expect(await repository.rollback(at, to, 'x')).toMatchObject({ ok: false, code: 'not_found' })
    expect(read(at.folder, 'new')).toBe('x')
  })
})

describe('the commit', () => {
  it('is one, of everything but the named paths, in the words it was given', async () => {
    await opened()
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
    await opened()
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
    await opened()
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
      await opened()
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
    await opened()
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
      await opened()
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
    await opened()
    renameSync(project.remote, `${project.remote}.gone`)
    expect(await repository.rebase(at, 'main')).toMatchObject({ ok: false, code: 'no_remote' })
  })
})

describe('a push', () => {
  it('publishes the branch, and with a lease replaces only what we pushed', async () => {
    await opened()
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
    await opened()
    await project.git('remote', 'remove', 'origin')
    expect(await repository.push(at, {})).toMatchObject({ ok: false, code: 'no_remote' })
  })
})
