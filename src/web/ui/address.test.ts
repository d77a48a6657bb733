import { expect, it } from 'vitest'
import { oneOf } from './address.ts'

it('takes the usual one where an address names none, or one that never was', () => {
  const views = ['tree', 'board'] as const
  expect([oneOf('board', views, 'tree'), oneOf(null, views, 'tree'), oneOf('toString', views, 'tree')]).toEqual([
    'board',
    'tree',
    'tree',
  ])
})
