import { describe, expect, it } from 'vitest'
import { duplicateOf, similarity } from '../../../src/core/learning/duplicates.ts'
import { bySubstring, measure, readPairs } from './measure.ts'

const pairs = readPairs(import.meta.dirname)
const isTwin: typeof bySubstring = (a, b) => duplicateOf(a, [b]) !== undefined

describe('near-duplicate learnings', () => {
  it('are tried on enough pairs of both kinds', () => {
    expect(pairs.filter(({ same }) => same).length).toBeGreaterThanOrEqual(60)
    expect(pairs.filter(({ same }) => !same).length).toBeGreaterThanOrEqual(60)
  })

  it.each(['dev', 'holdout'] as const)('are told from other points about the same topic (%s)', (split) => {
    const own = pairs.filter((pair) => pair.split === split)
    const { precision, recall, f1 } = measure(own, isTwin)
    expect({ precision: precision >= 0.85, recall: recall >= 0.85, f1: f1 >= 0.9 }).toEqual({
      precision: true,
      recall: true,
      f1: true,
    })
    expect(f1).toBeGreaterThan(measure(own, bySubstring).f1)
  })

  it('are not seen between learnings about different things', () => {
    const all = pairs.filter(({ same }) => same).map(({ a }) => a)
    const alike = all.flatMap((a, at) => all.slice(at + 1).filter((b) => isTwin(a, b)))
    expect(alike).toEqual([])
  })

  it('are not seen where one sentence says the same of something else', () => {
    const note = (what: string, port: number) => ({
      summary: `The ${what} service listens on port ${port}`,
      detail: `Local development expects it there; the gateway proxies /${what} to localhost:${port}.`,
    })
    expect(isTwin(note('billing', 4010), note('catalog', 4020))).toBe(false)
    expect(isTwin(note('billing', 4010), note('billing', 4020))).toBe(false)
    expect(isTwin(note('billing', 40101), note('billing', 40102))).toBe(false)
    const step = (number: number) => ({ ...note('billing', 1), summary: `Step ${number} of the release runs by hand` })
    expect(isTwin(step(3), step(4))).toBe(false)
    const init = (name: string) => ({ ...note('billing', 1), summary: `The ${name} must be initialised before use` })
    // Another spelling is no other thing.
    expect(isTwin(init('repo'), init('repository'))).toBe(true)
    expect(isTwin(init('scheduler'), init('schedular'))).toBe(true)
  })

  it('are not seen where one says no to what the other says', () => {
    const note = (summary: string) => ({ summary, detail: 'Tree shaking and renames depend on it in src/components.' })
    const known = note('Use default exports in the components')
    expect(isTwin(note('Do not use default exports in the components'), known)).toBe(false)
    expect(isTwin(note('Never use default exports in components'), known)).toBe(false)
    expect(isTwin(note('Always use default exports in components'), known)).toBe(true)
  })

  it('are found by the summary alone when one stands in the other, whatever the details say', () => {
    const [one, other] = [pairs[0]!.a, pairs[40]!.a]
    const differently = (summary: string) => ({ ...other, summary })
    expect(isTwin(one, differently(one.summary.toUpperCase()))).toBe(true)
    expect(isTwin(one, differently(`In CI, too: ${one.summary}.`))).toBe(true)
    expect(isTwin(differently(`${one.summary} (twice)`), one)).toBe(true)
    // A word or two of a person's own stand in many a summary, and a part of a word is no word.
    expect(isTwin({ summary: 'Tests', detail: 'Ours are slow.' }, { ...one, summary: 'Tests need a database' })).toBe(
      false,
    )
    expect(isTwin(differently('Log in to prod'), { ...one, summary: 'Log in to production' })).toBe(false)
  })

  it('are found whatever the order, and surely when nothing differs', () => {
    for (const { a, b } of pairs) expect(similarity(a, b)).toBeCloseTo(similarity(b, a), 10)
    for (const { a } of pairs) expect(isTwin(a, a)).toBe(true)
  })
})
