import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('jobs of one session', () => {
  it('run one after the other, in the order they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.constantFrom('a', 'b'), waits: fc.nat(3), fails: fc.boolean() })),
        async (jobs) => {
          const queue = new KeyedQueue()
          const seen: Record<string, number[]> = { a: [], b: [] }
          const running: Record<string, number> = { a: 0, b: 0 }
          const results = jobs.map(({ key, waits, fails }, index) =>
            queue.run(key, async () => {
              expect(++running[key]!).toBe(1)
              for (let i = 0; i < waits; i++) await tick()
              seen[key]!.push(index)
              running[key]!--
              if (fails) throw new Error('broken job')
            }),
          )
          await Promise.allSettled(results)
          for (const key of ['a', 'b']) {
            expect(seen[key]).toEqual(jobs.flatMap((job, index) => (job.key === key ? [index] : [])))
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('are all done when idle resolves, also those queued by others', async () => {
    const queue = new KeyedQueue()
    const done: number[] = []
    void queue.run('a', async () => {
      await tick()
      done.push(1)
      void queue.run('b', async () => {
        await tick()
        done.push(2)
      })
    })
    await queue.idle()
    expect(done).toEqual([1, 2])
  })
})

describe('a job that never ends', () => {
  it('is passed by those behind it when that is asked for, and only if it still runs then', async () => {
    const queue = new KeyedQueue()
    const seen: string[] = []
    void queue.run('a', () => new Promise(() => {}))
    let finish = () => {}
    void queue.run(
      'b',
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    const behind = queue.run('a', () => seen.push('a'))
    const other = queue.run('b', () => seen.push('b'))
    await tick()
    const pass = queue.passRunning()
    finish()
    await other
    pass()
    await behind
    expect(seen).toEqual(['b', 'a'])
    await queue.idle()
  })
})
