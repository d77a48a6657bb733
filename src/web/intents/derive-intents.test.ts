import { expect, it } from 'vitest'
import { scopeTree } from './derive-intents.ts'

it('counts below each folder what an intent owns, folders first', () => {
  const files = [
    { path: 'README.md', intents: [] },
    { path: 'src/auth/login.ts', intents: ['A'] },
    { path: 'src/auth/out.ts', intents: ['A', 'B'] },
    { path: 'src/stock/count.ts', intents: ['B'] },
  ]
  const tree = scopeTree(files, 'A')
  expect([tree.owned, tree.files]).toEqual([2, 4])
  expect(tree.children.map(({ name, owned, files: all }) => [name, owned, all])).toEqual([
    ['src', 2, 3],
    ['README.md', 0, 1],
  ])
  expect(scopeTree(files, undefined).owned).toBe(3)
})
