import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FeaturePlace, FeatureRepository } from '#core/ports/repository.ts'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { value } from '../../../test/support/outcome.ts'
import { tempDir } from '../../../test/support/project.ts'
import { featureRepository } from './repository.ts'

let project: ProjectWithRemote
let home: string
let repository: FeatureRepository
let at: FeaturePlace

beforeEach(async () => {
  project = await createProjectWithRemote({ 'src/a.ts': 'one\ntwo\nthree\n', 'docs/b.md': 'b\n' })
  home = await tempDir('home')
  repository = featureRepository({ env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }, helpers: [] })
  at = { repository: project.dir, folder: join(home, 'tree'), inPlace: false, branch: 'feature/x' }
})
afterEach(async () => {
  await project.remove()
  rmSync(home, { recursive: true, force: true })
})

function write(folder: string, path: string, content: string | Buffer) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

const OURS = ['protocol.file.allow=always', 'user.name=T', 'user.email=t', 'diff.orderFile=/dev/null', 'color.ui=false']

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', [...OURS.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  })

const open = async () => value(await repository.open({ ...at, baseBranch: 'main', copy: [] })).baseCommit

function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(^|\/)\.git(\/|$)/.test(path) && statSync(join(folder, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
}

/** Work, save, commit, go back, and get everything back: the whole way that no repository may break. */
async function goThrough() {
  const base = await open()
  write(at.folder, 'src/a.ts', 'changed\n')
  write(at.folder, 'src/new.ts', 'new\n')
  value(await repository.checkpoint(at, 'step-1', 'x'))
  const before = tree(at.folder)
  const { restore } = value(await repository.rollback(at, base, 'back'))
  expect(readFileSync(join(at.folder, 'src/a.ts'), 'utf8')).toBe('one\ntwo\nthree\n')
  execFileSync('sh', ['-c', restore], { stdio: 'pipe' })
  expect(tree(at.folder)).toEqual(before)
  value(await repository.commit(at, 'Work', []))
  const files = value(await repository.diff(at, base)).files.map(({ path, status }) => `${status} ${path}`)
  expect(files).toEqual(['modified src/a.ts', 'added src/new.ts'])
  expect(git(at.folder, 'show', '--name-only', '--format=', 'HEAD').trim()).toBe('src/a.ts\nsrc/new.ts')
}

describe('a feature goes all the way', () => {
  it('in a repository with submodules', async () => {
    git(project.dir, 'submodule', '--quiet', 'add', project.remote, 'lib')
    git(project.dir, 'commit', '--quiet', '--message=Submodule')
    await goThrough()
    git(at.folder, 'submodule', '--quiet', 'update', '--init')
    write(at.folder, 'lib/dirt', 'x')
    expect(value(await repository.find(at)).dirty).toBe(false)
    value(await repository.close(at, { deleteBranch: true }))
    expect(existsSync(at.folder)).toBe(false)
  })

  it('in a sparse checkout, without taking the rest for deleted', async () => {
    git(project.dir, 'sparse-checkout', 'set', '--cone', 'src')
    await goThrough()
    expect(git(at.folder, 'ls-tree', '-r', '--name-only', 'HEAD')).toContain('docs/b.md')
  })

  it('in a shallow clone, with a split index, and in a folder whose name is not plain', async () => {
    git(project.dir, 'commit', '--quiet', '--allow-empty', '--message=Two')
    git(project.dir, 'push', '--quiet', 'origin', 'main')
    const clone = join(home, `a'b "c" $(x) & ünï; -d`)
    git(home, 'clone', '--quiet', '--depth=1', `file://${project.remote}`, clone)
    git(clone, 'config', 'core.splitIndex', 'true')
    git(clone, 'config', 'user.name', 'T')
    git(clone, 'config', 'user.email', 't')
    at = { ...at, repository: clone, folder: join(home, 'work trees', '-x [1]') }
    expect(value(await repository.inspect(clone)).path).toBe(clone)
    await goThrough()
    expect(value(await repository.rebase(at, 'main'))).toEqual({ moved: false, conflicts: [] })
    value(await repository.push(at, {}))
  })

  it('where the user has other ideas of what git should print and do', async () => {
    const settings = {
      'diff.orderFile': '/nowhere',
      'diff.noprefix': 'true',
      'diff.context': '0',
      'merge.ff': 'only',
      'color.ui': 'always',
      'rebase.backend': 'apply',
      'commit.cleanup': 'scissors',
      'commit.verbose': 'true',
      'status.showUntrackedFiles': 'no',
      'push.default': 'nothing',
    }
    for (const [key, setting] of Object.entries(settings)) git(project.dir, 'config', key, setting)
    await goThrough()
    const message = '# Title\n\n# ------------------------ >8 ------------------------\nafter'
    write(at.folder, 'src/more.ts', 'more')
    value(await repository.commit(at, message, []))
    expect(git(at.folder, 'log', '-1', '--format=%B').trim()).toBe(message)
    git(project.dir, 'commit', '--quiet', '--allow-empty', '--message=Base moves')
    expect(value(await repository.mergeBase(at, 'main')).moved).toBe(true)
    value(await repository.push(at, {}))
  })

  it('from a base that only a remote of another name has', async () => {
    git(project.dir, 'remote', 'rename', 'origin', 'my.remote')
    git(project.dir, 'checkout', '--quiet', '-b', 'other')
    git(project.dir, 'branch', '--quiet', '-D', 'main')
    await goThrough()
    expect(value(await repository.rebase(at, 'main')).moved).toBe(false)
    value(await repository.push(at, {}))
  })

  it('in place, on no branch', async () => {
    git(project.dir, 'checkout', '--quiet', '--detach')
    git(project.dir, 'commit', '--quiet', '--allow-empty', '--message=Only here')
    const lonely = git(project.dir, 'rev-parse', 'HEAD').trim()
    at = { ...at, folder: project.dir, inPlace: true }
    await goThrough()
    expect(git(project.dir, 'for-each-ref', '--format=%(objectname)', 'refs/grove')).toContain(lonely)
  })
})

describe('a diff', () => {
  it('tells of renames, binary files, links, modes and new files, and keeps to its size', async () => {
    const base = await open()
    renameSync(join(at.folder, 'src/a.ts'), join(at.folder, 'src/moved to.ts'))
    write(at.folder, 'pic.bin', Buffer.from([0, 1, 2, 0, 255]))
    write(at.folder, 'big.txt', 'ünï line\n'.repeat(20_000))
    symlinkSync('/etc/passwd', join(at.folder, 'link'))
    rmSync(join(at.folder, 'docs/b.md'))
    const whole = value(await repository.diff(at, base))
    expect(whole.files).toEqual([
      { path: 'big.txt', status: 'added', added: 20_000, removed: 0, binary: false },
      { path: 'docs/b.md', status: 'deleted', added: 0, removed: 1, binary: false },
      { path: 'link', status: 'added', added: 1, removed: 0, binary: false },
      { path: 'pic.bin', status: 'added', added: 0, removed: 0, binary: true },
      { path: 'src/moved to.ts', status: 'renamed', from: 'src/a.ts', added: 0, removed: 0, binary: false },
    ])
    expect([whole.truncated, whole.patch.includes('root:')]).toEqual([false, false])
    const short = value(await repository.diff(at, base, { maxBytes: 10_000 }))
    expect([short.truncated, short.files.length, Buffer.byteLength(short.patch) <= 10_000]).toEqual([true, 5, true])
    expect(short.patch.endsWith('ünï line\n')).toBe(true)
    const one = value(await repository.diff(at, base, { paths: ['docs/b.md', '*.txt'] }))
    expect(one.files.map(({ path }) => path)).toEqual(['docs/b.md'])
    expect(git(at.folder, 'diff', '--cached', '--name-only')).toBe('')
  })
})

/** Names that shells, git's listings and its patterns read in ways of their own. */
const oddName = fc
  .array(
    fc.constantFrom(
      'a',
      'B',
      ' ',
      '"',
      "'",
      '\\',
      '\n',
      '\t',
      '*',
      '[',
      ']',
      '?',
      ':',
      '!',
      '#',
      '-',
      '$',
      '`',
      'é',
      'ü',
      '日',
      '🌳',
      '.',
      '~',
      '{',
      '}',
      '%',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((letters) => letters.join(''))
  .filter((name) => !/^\.+$/.test(name) && !/^\.git/i.test(name))

describe('whatever files are called', () => {
  it('a diff names them, and a rollback brings them back', async () => {
    const base = await open()
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(oddName, {
          minLength: 1,
          maxLength: 5,
          selector: (name) => name.normalize('NFC').toLowerCase(),
        }),
        async (names) => {
          for (const name of names) write(at.folder, `odd ${name}/${name}`, name)
          const paths = value(await repository.diff(at, base, { maxBytes: 0 })).files.map(({ path }) => path)
          expect(paths.sort()).toEqual(names.map((name) => `odd ${name}/${name}`).sort())
          const before = tree(at.folder)
          const { restore } = value(await repository.rollback(at, base, 'odd'))
          expect(Object.keys(tree(at.folder))).toEqual(['docs/b.md', 'src/a.ts'])
          execFileSync('sh', ['-c', restore], { stdio: 'pipe' })
          expect(tree(at.folder)).toEqual(before)
          value(await repository.rollback(at, base, 'odd'))
        },
      ),
      { numRuns: 8 },
    )
  })
})

describe('a branch name', () => {
  it('is refused when git does not take it, or takes it for something else', async () => {
    const names = [
      '',
      ' ',
      '-x',
      '--help',
      'a..b',
      'a b',
      'a~1',
      'x^',
      'a:b',
      '/a',
      'a/',
      'a//b',
      'a.lock',
      '@',
      '@{-1}',
      'a@{1}',
      'HEAD',
      '../x',
      'a\0b',
      'a\nb',
      '.a',
      'a\\b',
      'x'.repeat(10_000),
      'a'.repeat(40),
    ]
    const checked = await Promise.all(names.map(async (name) => [name, (await repository.checkBranch(name)).ok]))
    expect(checked.filter(([, ok]) => ok)).toEqual([])
  })

  it('that is taken can be checked out, and is free under the name that freeBranch gives', async () => {
    const name = fc
      .array(
        fc.constantFrom('a', 'b', 'A', '/', '-', '.', '@', '{', '$', '(', "'", 'é', '🌳', '%', '!', ';', '|', ' '),
        { minLength: 1, maxLength: 10 },
      )
      .map((letters) => letters.join(''))
    await fc.assert(
      fc.asyncProperty(name, async (wanted) => {
        const checked = await repository.checkBranch(wanted)
        if (!checked.ok) return
        const free = value(await repository.freeBranch(project.dir, wanted))
        git(project.dir, 'checkout', '--quiet', '-b', free)
        expect(git(project.dir, 'symbolic-ref', '--short', 'HEAD').trim()).toBe(free)
      }),
      { numRuns: 25 },
    )
  })

  it('is not free where another only differs in case, or is a folder of it', async () => {
    git(project.dir, 'branch', 'feature/Login')
    git(project.dir, 'push', '--quiet', 'origin', 'main:refs/heads/far')
    git(project.dir, 'fetch', '--quiet')
    const free = async (name: string) => value(await repository.freeBranch(project.dir, name))
    expect(await free('feature/login')).toBe('feature/login-2')
    expect(await free('feature')).toBe('feature-2')
    expect(await free('far')).toBe('far-2')
    expect(await free('other')).toBe('other')
  })
})
