import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCoChange, tieTo } from './co-change.ts'

describe('files that change together', () => {
  const history = countCoChange([
    ...Array.from({ length: 8 }, () => ['src/api.ts', 'docs/api.md']),
    ['src/api.ts', 'src/db.ts'],
    Array.from({ length: 80 }, (_, i) => `sweep/${i}.ts`),
  ])

  it('are tied by habit, not by one commit', () => {
    expect(tieTo(history, 'docs/api.md', ['src/api.ts'])).toBeCloseTo(0.8)
    expect(tieTo(history, 'src/db.ts', ['src/api.ts'])).toBeLessThan(0.4)
  })

  it('are not tied by a sweep over everything', () => {
    expect(tieTo(history, 'sweep/1.ts', ['sweep/2.ts'])).toBe(0)
  })

  it('are not tied when history never saw them', () => {
    expect(tieTo(history, 'new.ts', ['src/api.ts'])).toBe(0)
  })

  it('are tied the same both ways, and never by more than one', () => {
    const file = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(fc.array(fc.array(file, { maxLength: 4 })), file, file, (commits, a, b) => {
        const counted = countCoChange(commits)
        expect(tieTo(counted, a, [b])).toBe(tieTo(counted, b, [a]))
        expect(tieTo(counted, a, [b])).toBeLessThanOrEqual(1)
      }),
    )
  })
})
