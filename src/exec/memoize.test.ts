import { expect, it } from 'vitest'
import { memoize } from './memoize.ts'

it('asks once per key, again after a while, and at once after a failure', async () => {
  const asked: string[] = []
  let clock = 0
  const ask = async (key: string) => {
    asked.push(key)
    if (key === 'bad') throw new Error('no')
    return key.toUpperCase()
  }
  const remembered = memoize(ask, 100, () => clock)
  expect([await remembered('a'), await remembered('a'), await remembered('b')]).toEqual(['A', 'A', 'B'])
  await expect(remembered('bad')).rejects.toThrow('no')
  await expect(remembered('bad')).rejects.toThrow('no')
  clock = 100
  await remembered('a')
  expect(asked).toEqual(['a', 'b', 'bad', 'bad', 'a'])
})
