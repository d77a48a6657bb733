import { expect, it } from 'vitest'
import { inProject } from './project-paths.ts'

it('names a file the same from every folder of the project', () => {
  const atRoot = inProject({ cwd: '/r', root: '/r' })
  const inPackage = inProject({ cwd: '/r/packages/api', root: '/r' })
  expect([atRoot('packages/api/src/a.ts'), inPackage('src/a.ts'), inPackage('/r/packages/api/src/a.ts')]).toEqual(
    Array(3).fill('packages/api/src/a.ts'),
  )
  expect([inPackage('../web/b.ts'), inPackage('/r/web/b.ts')]).toEqual(['packages/web/b.ts', 'web/b.ts'])
})

it('leaves alone what lies elsewhere, and everything where no root is known', () => {
  const here = inProject({ cwd: '/r/a', root: '/r' })
  expect(['/etc/hosts', '~/.ssh/config', '../../x.ts'].map(here)).toEqual(['/etc/hosts', '~/.ssh/config', '../x.ts'])
  expect(inProject({ cwd: '/r' })('src/a.ts')).toBe('src/a.ts')
  expect(inProject({ cwd: '/rest', root: '/r' })('a.ts')).toBe('a.ts')
})
