import { expect, it } from 'vitest'
import { count, whole } from './numbers.ts'

it('takes whole numbers within its bounds, and nothing that only begins as one', () => {
  expect(whole(0, 100)('0')).toBe(0)
  expect(whole(0, 100)('100')).toBe(100)
  expect(count('1')).toBe(1)
  for (const text of ['-1', '101', '1.5', '5x', '', ' 1']) expect(() => whole(0, 100)(text), text).toThrow('0 to 100')
  expect(() => count('0')).toThrow('at least 1')
})
