import { expect, it } from 'vitest'
import { noteLostLocks } from '#core/lost-locks.ts'
import { sharedByKey } from './single-flight.ts'

/** A question whose answers are given by hand. */
function byHand() {
  const open: ((answer: number) => void)[] = []
  const asked: string[] = []
  const ask = sharedByKey<number>((key) => {
    asked.push(key)
    return new Promise((resolve) => open.push(resolve))
  })
  return { ask, asked, answer: (value: number) => open.shift()!(value) }
}

it('who asks while an answer is being found gets the next one, with all who ask meanwhile', async () => {
  const { ask, asked, answer } = byHand()
  const first = ask('a')
  const [second, third] = [ask('a'), ask('a')]
  expect(asked).toEqual(['a'])
  answer(1)
  expect(await first).toBe(1)
  await expect.poll(() => asked.length).toBe(2)
  answer(2)
  expect(await Promise.all([second, third])).toEqual([2, 2])
  const fourth = ask('a')
  expect(asked).toHaveLength(3)
  answer(3)
  expect(await fourth).toBe(3)
})

it('who asks in the second round waits for a third', async () => {
  const { ask, asked, answer } = byHand()
  const first = ask('a')
  const second = ask('a')
  answer(1)
  await first
  await expect.poll(() => asked.length).toBe(2)
  const third = ask('a')
  answer(2)
  expect(await second).toBe(2)
  await expect.poll(() => asked.length).toBe(3)
  answer(3)
  expect(await third).toBe(3)
})

it('other keys are asked at once, and a failure is not kept', async () => {
  let fails = true
  const ask = sharedByKey(async (key) => {
    if (fails) throw new Error(key)
    return key
  })
  await expect(Promise.all([ask('a'), ask('b')])).rejects.toThrow()
  fails = false
  expect(await ask('a')).toBe('a')
})

it('an answer that was lost is asked for again, and one that is still being found is not', async () => {
  const { ask, asked, answer } = byHand()
  void ask('a')
  const release = noteLostLocks()
  release()
  const second = ask('a')
  expect(asked).toEqual(['a', 'a'])
  const releaseAnother = noteLostLocks()
  answer(1)
  answer(2)
  expect(await second).toBe(2)
  void ask('a')
  releaseAnother()
  void ask('a')
  expect(asked).toHaveLength(3)
})
