import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blameLines, type Origin } from './blame.ts'
import { changedRanges, lineHash, linesOf, packHashes, unpackHashes } from './lines.ts'

const origin = (text: string, start = 1, sameFile = true): Origin => ({
  sameFile,
  ranges: [{ start, lines: linesOf(text).map(lineHash) }],
})
const older = `export function refresh(token) {
  if (!token) return
  return issue(token)
}
`
const human = `import { issue } from './issue'

const limit = 5
`

describe('blame', () => {
  it('gives each line to the change that wrote it, and the rest to nobody', () => {
    expect(blameLines(linesOf(human + older), [origin(older, 4)])).toEqual([-1, -1, -1, 0, 0, 0, 0])
  })

  it('finds lines that have moved, were indented or got others between them', () => {
    const moved = `class Tokens {\n  export function refresh(token) {\n\n\tif (!token) return\n  log()\n    return issue(token)\n  }\n}\n${human}`
    expect(blameLines(linesOf(moved), [origin(older, 90)])).toEqual([-1, 0, -1, 0, -1, 0, 0, -1, -1, -1, -1])
  })

  it('believes the newest change of a line', () => {
    const newer = origin('  if (!token || expired) return\n', 2)
    const text = older.replace('!token', '!token || expired')
    expect(blameLines(linesOf(text), [newer, origin(older)])).toEqual([1, 0, 1, 1])
  })

  it('does not give away a line twice: one was written by hand', () => {
    const text = 'return issue(token)\nsomething else\nreturn issue(token)\n'
    expect(blameLines(linesOf(text), [origin('return issue(token)\n', 3)])).toEqual([-1, -1, 0])
  })

  it('follows code into another file, but not a single line that anybody could have written', () => {
    expect(blameLines(linesOf(human + older), [origin(older, 1, false)])).toEqual([-1, -1, -1, 0, 0, 0, 0])
    expect(blameLines(['const limit = 5'], [origin('const limit = 5\nconst other = 6\n', 1, false)])).toEqual([-1])
  })

  it('gives a brace alone to whoever wrote it at this place', () => {
    expect(blameLines(['a()', '}'], [origin('}\n', 2)])).toEqual([-1, 0])
    expect(blameLines(['}', 'a()'], [origin('}\n', 2)])).toEqual([-1, -1])
  })
})

describe('the lines of a change', () => {
  it('are those that are new, at their places', () => {
    const before = linesOf('a\nb\nc\nd\ne\n')
    expect(changedRanges(before, linesOf('a\nB\nc\nd\nx\ny\ne\n'))).toEqual([
      { start: 2, end: 2 },
      { start: 5, end: 6 },
    ])
    expect(changedRanges(before, before)).toEqual([])
    expect(changedRanges(before, linesOf('a\ne\n'))).toEqual([])
    expect(changedRanges([], linesOf('a\r\nb'))).toEqual([{ start: 1, end: 2 }])
  })

  it('and the old ones make the new text, for any two texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '}', '', 'return x'), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const ranges = changedRanges(before, after)
        const kept = after.filter((_, at) => !ranges.some(({ start, end }) => at + 1 >= start && at + 1 <= end))
        // What is not new is a part of the old text, in its order.
        let at = 0
        for (const line of kept) {
          at = before.indexOf(line, at) + 1
          expect(at).toBeGreaterThan(0)
        }
        for (const [i, { start }] of ranges.entries()) if (i > 0) expect(start).toBeGreaterThan(ranges[i - 1]!.end + 1)
      }),
    )
  })

  it('are packed without loss', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffffffff })), (hashes) => {
        expect(unpackHashes(packHashes(hashes))).toEqual(hashes)
      }),
    )
  })

  it('copes with large files that have little in common', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `line ${i % 7}`)
    const after = Array.from({ length: 20_000 }, (_, i) => `line ${i % 5} new`)
    expect(changedRanges(before, after)).toEqual([{ start: 1, end: 20_000 }])
  })
})
