import { describe, expect, it } from 'vitest'
import { isKept, type Labelled, readCandidates } from './candidates.ts'

// What people would keep, and what they would not, in many languages. `npm run bench learnings` prints the table.

const all = readCandidates(import.meta.dirname)
const share = (some: Labelled[], good: boolean) => {
  const those = some.filter((one) => one.good === good)
  return those.filter(isKept).length / those.length
}

describe.each([...new Set(all.map(({ set }) => set))])('of the set %s the write gate', (set) => {
  const own = all.filter((one) => one.set === set)

  it('keeps nine in ten of those worth it, and one in ten of the others at most', () => {
    expect(share(own, true)).toBeGreaterThanOrEqual(0.9)
    expect(share(own, false)).toBeLessThanOrEqual(0.1)
  })
})

it('no language is worse off than others', () => {
  const dev = all.filter(({ set }) => set === 'dev')
  for (const lang of new Set(dev.map((one) => one.lang))) {
    const own = dev.filter((one) => one.lang === lang)
    expect({ lang, kept: share(own, true) >= 0.85, refused: share(own, false) <= 0.15 }).toEqual({
      lang,
      kept: true,
      refused: true,
    })
  }
})
