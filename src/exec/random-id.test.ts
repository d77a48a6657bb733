import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { randomId } from './random-id.ts'

describe('a random id', () => {
  it('has the shape of a UUID, and is another one each time', () => {
    const ids = Array.from({ length: 10_000 }, randomId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is another one in each process', () => {
    const drawn = Array.from({ length: 5 }, () =>
      execFileSync(process.execPath, ['-p', 'Math.random()'], { encoding: 'utf8' }),
    )
    expect(new Set(drawn).size).toBe(drawn.length)
  })
})
