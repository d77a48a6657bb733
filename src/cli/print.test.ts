import { describe, expect, it } from 'vitest'
import { ago, bytes, clean, cleanLines, fold, painter, pairs, table } from './print.ts'

const plain = painter(false)
interface Row {
  name: string
  count: number
  text: string
}
const columns = [
  { head: 'NAME', cell: ({ name }: Row) => name },
  { head: 'COUNT', cell: ({ count }: Row) => String(count), align: 'right' as const },
  { head: 'TEXT', cell: ({ text }: Row) => text, stretch: true },
]

describe('a table', () => {
  it('is aligned, with numbers to the right', () => {
    const rows = [
      { name: 'a', count: 5, text: 'one' },
      { name: 'longer', count: 1234, text: '' },
    ]
    expect(table(rows, columns, plain, 80)).toBe(
      ['NAME    COUNT  TEXT', 'a           5  one', 'longer   1234'].join('\n'),
    )
  })

  it('fits the terminal by cutting the column that may be cut', () => {
    const [, line] = table([{ name: 'a', count: 1, text: 'word '.repeat(30) }], columns, plain, 40).split('\n')
    expect(line).toHaveLength(40)
    expect(line).toMatch(/…$/)
  })

  it('leaves out columns that may go, the least needed first, until the rest fits', () => {
    const more = [
      ...columns,
      { head: 'MODEL', cell: () => 'm'.repeat(20), droppable: 2 },
      { head: 'COST', cell: () => '$0.00', droppable: 1 },
    ]
    const heads = (width: number) => table([{ name: 'a', count: 1, text: 'x' }], more, plain, width).split('\n')[0]
    expect(heads(80)).toMatch(/NAME +COUNT +TEXT +MODEL +COST/)
    expect(heads(40)).toMatch(/NAME +COUNT +TEXT +COST/)
    expect(heads(20)).toMatch(/NAME +COUNT +TEXT$/)
  })

  it('leaves out a column that says nothing before it cuts one that says something', () => {
    const more = [...columns, { head: 'STANDS', cell: () => '' }]
    const long = { name: 'a', count: 1, text: 'x'.repeat(26) }
    expect(table([long], more, plain, 40)).toBe(`NAME  COUNT  TEXT\na         1  ${'x'.repeat(26)}`)
    expect(table([long], more, plain, 80)).toContain('STANDS')
  })

  it('never cuts what is typed elsewhere', () => {
    const id = 'lrn_7832f20a07ca'
    const more = [{ head: 'ID', cell: () => id, whole: true }, { head: 'TAGS', cell: () => 't'.repeat(30) }, ...columns]
    const [, line] = table([{ name: 'n'.repeat(30), count: 1, text: 'x'.repeat(50) }], more, plain, 80).split('\n')
    expect(line).toMatch(new RegExp(`^${id} `))
  })

  it('counts wide letters as two', () => {
    const rows = [
      { name: '日本', count: 1, text: 'x' },
      { name: 'abcd', count: 1, text: 'x' },
    ]
    expect(table(rows, columns, plain, 80).split('\n').slice(1)).toEqual(['日本      1  x', 'abcd      1  x'])
  })

  it('lets no text steer the terminal', () => {
    const evil = 'a\x1b[2J\x07b\r\nc\u202ed\x9b31m'
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be gone
    expect(clean(evil)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
    expect(table([{ name: evil, count: 1, text: '' }], columns, plain, 80).split('\n')).toHaveLength(2)
  })

  it('is coloured only when that is wanted', () => {
    expect(table([], columns, plain, 80)).toBe('NAME  COUNT  TEXT')
    expect(table([], columns, painter(true), 80)).toBe('\x1b[2mNAME  COUNT  TEXT\x1b[22m')
  })
})

it('pairs stand in two columns', () => {
  const lines = pairs(
    [
      ['a', '1'],
      ['long', '2'],
    ],
    '  ',
  )
  expect(lines).toBe('  a     1\n  long  2')
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 KB'],
  [48_000, '48 KB'],
  [5_600_000, '5.6 MB'],
])('%d bytes are %s', (count, text) => expect(bytes(count)).toBe(text))

it.each([
  [-5, '0 s ago'],
  [59_000, '59 s ago'],
  [61_000, '1 min ago'],
  [7_300_000, '2 h ago'],
  [200_000_000, '2 d ago'],
])('%d ms are %s', (ms, text) => expect(ago(ms)).toBe(text))

describe('text for people', () => {
  it('is folded between words, and goes on below its own beginning', () => {
    expect(fold('  - one two three four', 14)).toBe('  - one two\n    three four')
    expect(pairs([['Name', 'one two three four']], '', 14)).toBe('Name  one two\n      three\n      four')
  })

  it('keeps a line whole that somebody copies, a word that is longer than the line, and everything without a terminal', () => {
    const typed = `  grove search ${'word '.repeat(10)}`
    expect(fold(typed, 40)).toBe(typed)
    expect(fold(`Open http://127.0.0.1:3333/?token=${'x'.repeat(40)}`, 40)).toMatch(/^Open\nhttp:\S+$/)
    expect(fold('word '.repeat(40), undefined)).toBe('word '.repeat(40))
  })

  it('counts no colours', () => {
    const painted = painter(true).red('one two')
    expect(fold(painted, 7)).toBe(painted)
  })
})

describe('a table that is still too wide', () => {
  it('leaves empty columns out and cuts the widest texts, never the numbers', () => {
    const more = [...columns, { head: 'STANDS', cell: () => '' }]
    const wide = table([{ name: 'n'.repeat(50), count: 1234567, text: 'word '.repeat(9) }], more, plain, 44)
    for (const line of wide.split('\n')) expect(line.length).toBeLessThanOrEqual(44)
    expect(wide).toMatch(/^NAME +COUNT {2}TEXT\nn+… {2}1234567 {2}word/)
  })
})

it('keeps the lines and tabs of a longer text, and nothing else that steers a terminal', () => {
  expect(cleanLines('+\tone\r\n-\x1b[31mtwo\x07\n')).toBe('+\tone\n- [31mtwo \n')
})
