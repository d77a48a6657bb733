import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeMatcher } from '#core/intent/scope.ts'
import { compileGlob } from './glob.ts'
import { ignoresCase, resolveInProject } from './paths.ts'

let base: string
let root: string

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'grove-paths-')))
  root = join(base, 'project')
  mkdirSync(join(root, 'src/deep'), { recursive: true })
  mkdirSync(join(base, 'elsewhere'))
  writeFileSync(join(root, 'src/a.ts'), '')
  symlinkSync('src', join(root, 'code'))
  symlinkSync('../elsewhere', join(root, 'out'))
  symlinkSync('src/deep', join(root, 'deep'))
  symlinkSync('a.ts', join(root, 'src/alias.ts'))
  symlinkSync('missing/later.ts', join(root, 'dangling'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync(root, join(base, 'door'))
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

const at = (path: string, cwd = root) => resolveInProject(root, cwd, path, { home: join(base, 'home') })

describe('a path in the project', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//deep/../a.ts', 'src/a.ts'],
    ['code/a.ts', 'src/a.ts'],
    ['code/new/file.ts', 'src/new/file.ts'],
    ['src/alias.ts', 'src/a.ts'],
    ['dangling', 'missing/later.ts'],
    ['deep/../a.ts', 'src/a.ts'],
    ['src/cafe\u0301.ts', 'src/café.ts'],
    ['.', ''],
  ])('%j leads to %j', (path, expected) => {
    expect(at(path)).toMatchObject({ relative: expected, outside: false })
  })

  it('is found from another folder, an absolute spelling or a linked root', () => {
    expect(at('../a.ts', join(root, 'src/deep')).relative).toBe('src/a.ts')
    expect(at(join(base, 'door/src/a.ts')).relative).toBe('src/a.ts')
    expect(resolveInProject(join(base, 'door'), root, 'src/a.ts').relative).toBe('src/a.ts')
  })

  it('is the link itself when the link is deleted or moved', () => {
    expect(resolveInProject(root, root, 'src/alias.ts', { entry: true }).relative).toBe('src/alias.ts')
    expect(resolveInProject(root, root, 'code/alias.ts', { entry: true }).relative).toBe('src/alias.ts')
  })
})

describe('a path outside', () => {
  it.each([
    '../elsewhere/x',
    'src/../../x',
    'out/x',
    '/etc/passwd',
    '~/x',
    'src/deep/../../../x',
    'loop',
    'loop/x',
    'a\0b',
    '',
  ])('%j is outside', (path) => {
    expect(at(path)).toMatchObject({ outside: true })
    expect(at(path)).not.toHaveProperty('relative')
  })

  it('may be far too long without harm', () => {
    expect(at(`src/${'x'.repeat(300)}/${'y/'.repeat(5000)}z`).outside).toBe(false)
    expect(at(`${'../'.repeat(3000)}etc`).absolute).toBe('/etc')
  })
})

describe('a checkout inside the project', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'user.name=t', '-c', 'user.email=nobody', ...args], {
      cwd,
      stdio: 'pipe',
    })

  it('counts as part of it when it is a submodule, by itself when it is a worktree, and is named when it is another repository', () => {
    const lib = join(base, 'lib')
    const top = join(base, 'top')
    for (const folder of [lib, top]) {
      mkdirSync(folder)
      git(folder, 'init', '-q')
      writeFileSync(join(folder, 'x.c'), '')
      git(folder, 'add', '.')
      git(folder, 'commit', '-qm', 'x')
    }
    git(top, 'submodule', '--quiet', 'add', lib, 'vendor/lib')
    git(top, 'worktree', 'add', '-q', 'trees/one')
    mkdirSync(join(top, 'other/.git'), { recursive: true })
    expect(resolveInProject(top, top, 'vendor/lib/x.c')).toMatchObject({
      relative: 'vendor/lib/x.c',
      within: 'submodule',
    })
    expect(resolveInProject(top, top, 'trees/one/x.c')).toMatchObject({ relative: 'x.c', within: 'worktree' })
    expect(resolveInProject(top, top, 'other/y')).toMatchObject({ relative: 'other/y', within: 'repository' })
    expect(resolveInProject(join(top, 'trees/one'), top, 'x.c')).toMatchObject({ outside: true })
  })
})

it('tells whether the disk ignores case without writing to it', () => {
  const upper = join(root, 'SRC')
  expect(ignoresCase(root)).toBe(existsSync(upper))
})

it('a write is in scope exactly when the file it really makes is, whatever links and dots lie on the way', () => {
  const inScope = scopeMatcher(compileGlob)
  const names = ['a', 'b', 'c.ts', '.d']
  const folder = fc.array(fc.constantFrom(...names.slice(0, 2)), { maxLength: 3 }).map((parts) => parts.join('/'))
  const tree = fc.record({
    folders: fc.array(folder, { minLength: 1, maxLength: 4 }),
    links: fc.array(
      fc.tuple(
        folder,
        fc.constantFrom('x', 'y'),
        fc.constantFrom('..', '../..', '.', 'a', '../b', 'ABSOLUTE', 'OUTSIDE', 'x', 'gone/file'),
      ),
      { maxLength: 4 },
    ),
    path: fc
      .array(fc.constantFrom(...names, 'x', 'y', '..', '.'), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join('/')),
    pattern: fc
      .array(fc.constantFrom('a', 'b', '*', '**', '*.ts', '?', '[ab]', '.*'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/')),
  })
  let written = 0
  fc.assert(
    fc.property(tree, ({ folders, links, path, pattern }) => {
      const place = mkdtempSync(join(base, 'tree-'))
      const project = join(place, 'project')
      mkdirSync(join(place, 'outside'))
      for (const each of folders) mkdirSync(join(project, each), { recursive: true })
      for (const [where, name, target] of links) {
        const link = join(project, where, name)
        if (!existsSync(join(project, where)) || lstatSync(link, { throwIfNoEntry: false })) continue
        symlinkSync(target === 'ABSOLUTE' ? project : target === 'OUTSIDE' ? join(place, 'outside') : target, link)
      }
      const found = resolveInProject(project, project, path)
      try {
        // Written as the operating system takes it: no library folds the dots first.
        writeFileSync(`${project}/${path}`, 'x')
      } catch {
        // Not a path one can write to (a folder, a loop, a missing parent): nothing to compare with.
        return
      }
      written++
      const real = realpathSync(`${project}/${path}`)
      expect(found.absolute).toBe(real)
      const isInside = real.startsWith(`${project}/`)
      expect(found.outside).toBe(!isInside)
      if (isInside)
        expect(inScope([pattern], found.relative!).allowed).toBe(gitMatches(project, relative(project, real), pattern))
      unlinkSync(real)
    }),
    { numRuns: 400, seed: 7 },
  )
  expect(written).toBeGreaterThan(60)
})

/** Git's own glob pathspecs as the judge: written by others, and known by everybody. */
function gitMatches(project: string, path: string, pattern: string): boolean {
  if (!existsSync(join(project, '.git'))) execFileSync('git', ['init', '-q'], { cwd: project })
  const listed = execFileSync('git', ['ls-files', '-z', '--others', '--', `:(glob)${pattern}`], {
    cwd: project,
    encoding: 'utf8',
  })
  return listed.split('\0').includes(path)
}
