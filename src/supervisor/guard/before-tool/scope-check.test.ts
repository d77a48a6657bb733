import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { tempDir } from '../../../../test/support/project.ts'

// The one promise of the guard, checked against the operating system: a path is allowed exactly when what it resolves
// to lies in the scope.

const folder = fc.constantFrom('a', 'b', 'c', '.hidden')
const leaf = fc.constantFrom('x.ts', 'y.md', 'z', 'ä.ts')
const place = fc.array(folder, { maxLength: 3 }).map((parts) => parts.join('/'))
const file = fc.tuple(place, leaf).map((parts) => parts.filter(Boolean).join('/'))
const glob = fc
  .tuple(place, fc.constantFrom('', '/**', '/*.ts', '/**/*.ts', '/?.md', '/{x,z}*'), fc.boolean())
  .map(([base, end, negated]) => `${negated ? '!' : ''}${base + end || 'a'}`.replace(/^(!?)\//, '$1'))

/** A path as an agent might spell it: through folders, links, dots and back. */
const spelled = fc
  .tuple(fc.array(fc.oneof(folder, fc.constantFrom('..', '.', 'link', 'away', 'down')), { maxLength: 5 }), leaf)
  .map(([parts, name]) => [...parts, name].join('/'))

interface Tree {
  files: string[]
  links: { at: string; to: string }[]
}
const tree: fc.Arbitrary<Tree> = fc.record({
  files: fc.array(file, { maxLength: 6 }),
  links: fc.array(
    fc.record({
      at: fc.tuple(place, fc.constantFrom('link', 'down', 'x.ts')).map((parts) => parts.filter(Boolean).join('/')),
      to: fc.oneof(place, file, fc.constantFrom('..', '../../..', '/tmp')),
    }),
    { maxLength: 4 },
  ),
})

describe('a path is allowed exactly when its resolved form lies in the scope', () => {
  it('for random trees, links and globs', async ({ onTestFinished }) => {
    const stage = await guarded(onTestFinished, { '.orchestration/active_intents.yaml': '' })
    const { dir, mayWrite, put, select } = stage
    const outside = await tempDir('outside')
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await select('it')
    await fc.assert(
      fc.asyncProperty(tree, fc.array(glob, { minLength: 1, maxLength: 4 }), spelled, async (shape, scope, path) => {
        build(dir, outside, shape)
        await put('.orchestration/active_intents.yaml', intentsYaml({ it: scope }))
        const real = resolved(`${dir}/${path}`)
        const expected = real !== undefined && owns(scope, relative(dir, real)) ? 'allowed' : 'scope_violation'
        expect(await mayWrite(`${dir}/${path}`), `${path} → ${real} in ${scope}`).toBe(expected)
      }),
      // A file where a folder should be, once found by chance.
      { numRuns: 300, examples: [[{ files: ['z'], links: [{ at: 'link', to: 'z' }] }, ['a'], 'link/x.ts']] },
    )
  })
})

function build(dir: string, outside: string, { files, links }: Tree) {
  for (const name of ['a', 'b', 'c', '.hidden', 'x.ts', 'y.md', 'z', 'ä.ts', 'link', 'down', 'away']) {
    rmSync(join(dir, name), { recursive: true, force: true })
  }
  symlinkSync(outside, join(dir, 'away'))
  for (const path of files)
    attempt(() => {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), '')
    })
  for (const { at, to } of links)
    attempt(() => {
      mkdirSync(dirname(join(dir, at)), { recursive: true })
      symlinkSync(to.startsWith('/') ? outside : to.startsWith('..') ? to : join(dir, to), join(dir, at))
    })
}

/** A random tree may ask for a folder where it has a file, or for a link twice. */
function attempt(work: () => void) {
  try {
    work()
  } catch {
    // Then it is a tree without it.
  }
}

/** Where the operating system itself would write: every part that is there is asked of it, the rest is spelled. */
function resolved(spelling: string, depth = 0): string | undefined {
  let at: string | undefined = '/'
  for (const part of spelling.split('/').filter((one) => one !== '' && one !== '.')) {
    if (at === undefined || depth > 20) return undefined
    const next = join(at, part)
    if (part === '..') at = dirname(at)
    else if (existsSync(next)) at = realpathSync(next)
    // A link to what is not there yet: writing through it makes its target.
    else if (isLink(next)) at = resolved(resolvedFrom(at, readlinkSync(next)), depth + 1)
    else at = next
  }
  return at
}

function resolvedFrom(folder: string, target: string): string {
  return target.startsWith('/') ? target : `${folder}/${target}`
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Not there, or below a file.
    return false
  }
}

/** The scope's rules once more, in the plainest way: the last line that matches wins. */
function owns(scope: string[], path: string): boolean {
  if (path.startsWith('..')) return false
  return scope.reduce((owned, line) => {
    const negated = line.startsWith('!')
    const body = negated ? line.slice(1) : line
    const isAnywhere = negated && /[*?{]/.test(body) && !body.includes('/')
    return pattern(isAnywhere ? `**/${body}` : body).test(path) ? !negated : owned
  }, false)
}

function pattern(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\/\*\*$|^\*\*$|\*|\?|\{[^}]*\})/)
    .map((piece) => {
      if (piece === '**/') return '(?:.*/)?'
      if (piece === '/**') return '/.+'
      if (piece === '**') return '.*'
      if (piece === '*') return '[^/]*'
      if (piece === '?') return '[^/]'
      if (piece.startsWith('{')) return `(?:${piece.slice(1, -1).replaceAll(',', '|')})`
      return piece.replace(/[.+^$()|[\]\\]/g, '\\$&')
    })
    .join('')
  // A name without wildcards is that file, or that folder with all that lies below.
  return new RegExp(`^${source}${/[*?{]/.test(basename(glob)) ? '' : '(?:/.*)?'}$`)
}
