import { describe, expect, it } from 'vitest'
import { BackgroundJobs } from './background-jobs.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('work that no answer depends on', () => {
  it('begins in a daemon when the answer has left, in order for each session', async () => {
    const jobs = new BackgroundJobs(silent, setImmediate)
    const done: string[] = []
    await jobs.run('a', 'work', async () => {
      await tick()
      done.push('a1')
    })
    await jobs.run('a', 'work', async () => void done.push('a2'))
    await jobs.run('b', 'work', async () => void done.push('b1'))
    expect(done).toEqual([])
    await jobs.drain('a')
    expect(done.filter((one) => one.startsWith('a'))).toEqual(['a1', 'a2'])
    await jobs.idle()
    expect(done.toSorted()).toEqual(['a1', 'a2', 'b1'])
  })

  it('is done before the answer in a process that ends with it', async () => {
    const jobs = new BackgroundJobs(silent)
    const done: string[] = []
    await jobs.run('a', 'work', async () => {
      await tick()
      done.push('a1')
    })
    expect(done).toEqual(['a1'])
  })

  it.each([
    ['in a daemon', setImmediate],
    ['alone', undefined],
  ])('that fails is logged, and the next is done, %s', async (_where, defer) => {
    const warnings: object[] = []
    const jobs = new BackgroundJobs({ ...silent, warn: (fields) => void warnings.push(fields) }, defer)
    const done: string[] = []
    await jobs.run('a', 'break', () => Promise.reject(new Error('no')))
    await jobs.run('a', 'work', async () => void done.push('a2'))
    await jobs.idle()
    expect(done).toEqual(['a2'])
    expect(warnings).toMatchObject([{ doing: 'break' }])
  })
})
