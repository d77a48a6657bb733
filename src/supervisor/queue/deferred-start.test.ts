import { expect, it } from 'vitest'
import { DeferredStart } from './deferred-start.ts'

function setUp() {
  const jobs: (() => void)[] = []
  const over: string[] = []
  const start = new DeferredStart((job) => void jobs.push(job))
  const pause = (name: string, session: string) => start.wait(session).then(() => void over.push(name))
  const rest = async () => {
    for (const job of jobs.splice(0)) job()
    await Promise.resolve()
  }
  return { start, pause, over, rest }
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

it('ends as soon as a job waits for what comes after it, in its own session alone', async () => {
  const { start, pause, over, rest } = setUp()
  const mine = [pause('a1', 's1'), pause('a2', 's1')]
  const other = pause('b', 's2')
  start.startNow('s1')
  await Promise.all(mine)
  expect(over).toEqual(['a1', 'a2'])
  start.startNow('s1')
  await rest()
  await other
  expect(over).toEqual(['a1', 'a2', 'b'])
})
