import { describe, expect, it } from 'vitest'
import { boundedJson, DEEPEST, MOST_VALUES } from './json-bounds.ts'

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('JSON from outside', () => {
  it('is left as it is within the limits, whatever its texts hold', () => {
    for (const text of ['', '{"a":[1,{"b":"c"}]}', lists(DEEPEST), JSON.stringify({ a: `\\"${lists(5000)},,,\\` })])
      expect(boundedJson(text)).toBe(text)
    const long = JSON.stringify({ content: '[{,"'.repeat(MOST_VALUES) })
    expect(boundedJson(long)).toBe(long)
  })

  it('loses what is nested too deep, and keeps what stands beside it', () => {
    const read = JSON.parse(boundedJson(`{"a":${lists(5000)},"b":[{"c":${lists(2000)}}],"d":"kept"}`)!)
    expect(read.d).toBe('kept')
    let depth = 1
    for (let at = read.a; at !== null; at = at[0]) depth++
    expect(depth).toBe(DEEPEST)
  })

  it('stays broken when it is', () => {
    for (const text of ['['.repeat(5000), `${lists(5000)}]`, '{"a', ']'.repeat(5000)])
      expect(() => JSON.parse(boundedJson(text)!)).toThrow()
  })

  it('is not taken with more values than any client sends', () => {
    expect(boundedJson(`[${'1,'.repeat(MOST_VALUES)}1]`)).toBeUndefined()
    expect(boundedJson(lists(3_000_000))).toBeUndefined()
    expect(boundedJson(`{${Array.from({ length: 500_000 }, (_, n) => `"k${n}":1`).join(',')}}`)).toBeUndefined()
  })
})
