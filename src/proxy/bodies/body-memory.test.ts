import { expect, it } from 'vitest'
import { BodyMemory } from './body-memory.ts'

it('lends memory again that was given back, and never twice at a time', () => {
  const memory = new BodyMemory()
  const [first, second] = [memory.take(80_000), memory.take(80_000)]
  expect(first.buffer).not.toBe(second.buffer)
  memory.give(first)
  memory.give(first)
  const again = memory.take(81_000)
  expect(again.buffer).toBe(first.buffer)
  expect(again.length).toBe(81_000)
  expect(memory.take(81_000).buffer).not.toBe(first.buffer)
})

it.each([1, 4095, 4096, 4097, 65_536, 1_048_576, 1_048_577])('has room for exactly %i bytes', (length) => {
  const body = new BodyMemory().take(length)
  expect([body.length, body.fill(1).at(-1)]).toEqual([length, 1])
})

it('takes nothing that it has not lent, however alike', () => {
  const memory = new BodyMemory()
  const foreign = Buffer.allocUnsafeSlow(4096)
  memory.give(foreign)
  expect(memory.take(4096).buffer).not.toBe(foreign.buffer)
})

it('lets go of what would lie unused', () => {
  const memory = new BodyMemory()
  const lent = Array.from({ length: 64 }, () => memory.take(1024 * 1024))
  for (const one of lent) memory.give(one)
  const blocks = new Set(lent.map(({ buffer }) => buffer))
  const again = lent.filter(() => blocks.has(memory.take(1024 * 1024).buffer))
  expect(again).toHaveLength(24)
})
