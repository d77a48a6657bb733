import { expect, it } from 'vitest'
import { Pauses } from './pauses.ts'

function setUp() {
  const jobs: (() => void)[] = []
  const over: string[] = []
  const pauses = new Pauses((job) => void jobs.push(job))
  const pause = (name: string, session: string) => pauses.of(session).then(() => void over.push(name))
  const rest = async () => {
    for (const job of jobs.splice(0)) job()
    await Promise.resolve()
  }
  return { pauses, pause, over, rest }
}

it('lasts until its time has come', async () => {
  const { pause, over, rest } = setUp()
  const paused = pause('a', 's1')
  await Promise.resolve()
  expect(over).toEqual([])
  await rest()
  await paused
  expect(over).toEqual(['a'])
})

it('ends as soon as somebody waits for what comes after it, and that alone', async () => {
  const { pauses, pause, over, rest } = setUp()
  const mine = [pause('a1', 's1'), pause('a2', 's1')]
  const other = pause('b', 's2')
  pauses.end('s1')
  await Promise.all(mine)
  expect(over).toEqual(['a1', 'a2'])
  pauses.end('s1')
  await rest()
  await other
  expect(over).toEqual(['a1', 'a2', 'b'])
})
