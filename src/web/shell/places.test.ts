import { expect, it } from 'vitest'
import { pageOf } from './places.ts'

it.each([
  ['/features/p/f/output', 'features/p/f'],
  ['/features/new', 'features/new'],
  ['/agents/a', 'agents/a'],
  ['/memory/mem_1', 'memory'],
  ['/settings/doctor', 'settings'],
])('%s belongs to the page %s', (path, page) => {
  expect(pageOf(path)).toBe(page)
})
