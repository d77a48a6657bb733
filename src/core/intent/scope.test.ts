import { describe, expect, it } from 'vitest'
import { compileGlob } from '#exec/glob.ts'
import { type ScopeOptions, scopeMatcher } from './scope.ts'

const inScope = scopeMatcher(compileGlob)
const allowed = (scope: string[], path: string, options?: ScopeOptions) => inScope(scope, path, options).allowed

describe('a scope', () => {
  it.each([
    ['src/auth', 'src/auth/login.ts', true],
    ['src/auth', 'src/auth', true],
    ['src/auth/', 'src/auth/deep/er.ts', true],
    ['src/auth', 'src/authors.ts', false],
    ['./src/auth', 'src/auth/a', true],
    ['/src/auth', 'src/auth/a', true],
    ['src/**', 'src/.env', true],
    ['src/**', 'src', false],
    ['src/*', 'src/a.ts', true],
    ['src/*', 'src/a/b.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/a/b.js', false],
    ['*.md', 'README.md', true],
    ['*.md', 'docs/a.md', false],
    ['**/*.md', 'docs/a.md', true],
    ['src/{a,b}.ts', 'src/b.ts', true],
    ['src/{a,b}/', 'src/b/x/y', true],
    ['packages/*/src', 'packages/core/src/x.ts', true],
    ['src/file?.ts', 'src/file1.ts', true],
    ['src/[ab].ts', 'src/a.ts', true],
    ['src/[ab].ts', 'src/c.ts', false],
    ['app/[id]/**', 'app/[id]/page.tsx', true],
    ['app/(auth)/login/**', 'app/(auth)/login/x.tsx', true],
    ['src/routes/+page.svelte', 'src/routes/+page.svelte', true],
    ['**', 'anything/at/all', true],
    ['.', 'anything', true],
    ['.github/**', '.github/workflows/ci.yml', true],
    ['docs/café.md', 'docs/cafe\u0301.md', true],
    ['Makefile', 'sub/Makefile', false],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(allowed([pattern], path)).toBe(expected)
  })

  it('of nothing covers nothing', () => {
    expect(inScope([], 'a')).toEqual({ allowed: false })
    expect(inScope(['!a'], 'b')).toEqual({ allowed: false })
  })

  it('lets the last line that speaks of a path decide, and names it', () => {
    const scope = ['src/**', '!src/secret/**', 'src/secret/readme.md', '!*.test.ts']
    expect(inScope(scope, 'src/a.ts')).toEqual({ allowed: true, by: 'src/**' })
    expect(inScope(scope, 'src/secret/key')).toEqual({ allowed: false, by: '!src/secret/**' })
    expect(inScope(scope, 'src/secret/readme.md')).toEqual({ allowed: true, by: 'src/secret/readme.md' })
    expect(inScope(scope, 'src/deep/a.test.ts')).toEqual({ allowed: false, by: '!*.test.ts' })
  })

  it('never reaches out of the project', () => {
    for (const path of ['/etc/passwd', '../x', 'a/../../b', 'src/\0']) expect(allowed(['**', '/'], path)).toBe(false)
  })

  it('ignores case only where the disk does', () => {
    expect(allowed(['src/Auth/**'], 'SRC/auth/A.ts')).toBe(false)
    expect(allowed(['src/Auth/**'], 'SRC/auth/A.ts', { caseInsensitive: true })).toBe(true)
  })
})

describe('a folder', () => {
  it('may be made on the way to the scope', () => {
    for (const path of ['src', 'src/auth', 'src/auth/new'])
      expect(allowed(['src/auth/**/*.ts'], path, { extent: 'folder' })).toBe(true)
    expect(allowed(['src/auth/**'], 'lib', { extent: 'folder' })).toBe(false)
    expect(allowed(['src/**', '!src/secret/'], 'src/secret', { extent: 'folder' })).toBe(false)
  })

  it('may be removed with all its content only when all of it is in scope', () => {
    const tree = { extent: 'tree' } as const
    expect(allowed(['src/auth/**'], 'src/auth', tree)).toBe(true)
    expect(allowed(['src/auth'], 'src/auth/deep', tree)).toBe(true)
    expect(allowed(['src/auth/**'], 'src', tree)).toBe(false)
    expect(allowed(['src/**/*.ts'], 'src', tree)).toBe(false)
    expect(allowed(['src/**', '!src/secret/**'], 'src', tree)).toBe(false)
    expect(allowed(['src/**', '!src/secret/**'], 'src/open', tree)).toBe(true)
    expect(allowed(['src/**', '!*.lock'], 'src/open', tree)).toBe(false)
    expect(allowed(['**'], '', tree)).toBe(true)
  })
})
