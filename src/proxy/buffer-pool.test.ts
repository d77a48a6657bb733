import { describe, expect, it } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

describe('the buffer pool', () => {
  it('lends what was given back, and never to two at once', () => {
    const pool = new BufferPool()
    const first = pool.lend(100_000)
    const second = pool.lend(100_000)
    expect(second.buffer).not.toBe(first.buffer)
    pool.giveBack(first)
    const third = pool.lend(99_000)
    expect(third.buffer).toBe(first.buffer)
    expect(third).toHaveLength(99_000)
    expect(pool.lend(100_000).buffer).not.toBe(first.buffer)
  })

  it('takes a buffer back only once, and only its own', () => {
    const pool = new BufferPool()
    const lent = pool.lend(100_000)
    pool.giveBack(lent)
    pool.giveBack(lent)
    pool.giveBack(Buffer.alloc(100_000))
    pool.giveBack(Buffer.from('small, from the allocator shared by everybody'))
    expect(pool.lend(100_000).buffer).toBe(lent.buffer)
    expect(pool.lend(100_000).buffer).not.toBe(lent.buffer)
  })

  it('keeps no more than it may', () => {
    const pool = new BufferPool()
    const lent = Array.from({ length: 20 }, () => pool.lend(4 * 1024 * 1024))
    for (const one of lent) pool.giveBack(one)
    const known = new Set(lent.map(({ buffer }) => buffer))
    const again = Array.from({ length: 20 }, () => pool.lend(4 * 1024 * 1024))
    expect(again.filter(({ buffer }) => known.has(buffer))).toHaveLength(12)
  })
})
