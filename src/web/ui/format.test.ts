import { expect, it } from 'vitest'
import { ago, countdown, duration, money, short, since, splitFlags, splitPath } from './format.ts'

const MINUTE = 60_000
const DAY = 86_400_000

it('says how long ago in as few letters as are needed', () => {
  const times = [10_000, 6 * MINUTE, 26 * 60 * MINUTE, 3 * DAY, 35 * DAY, 90 * DAY, 800 * DAY]
  expect(times.map((passed) => ago(1e12 - passed, 1e12))).toEqual([
    'now',
    '6 min',
    '26 h',
    '3 d',
    '5 weeks',
    '3 months',
    '2 years',
  ])
  expect(ago(1e12 + MINUTE, 1e12)).toBe('now')
  expect(since(1e12 - 6 * MINUTE, 1e12)).toBe('6 min ago')
  expect(since(1e12, 1e12)).toBe('just now')
})

it('counts down to the second', () => {
  expect([5_928_000, 128_000, 9_001].map(countdown)).toEqual(['1 h 38 min 48 s', '2 min 08 s', '10 s'])
})

it('writes spans, money and large numbers with their units', () => {
  expect([38_000, 12 * MINUTE, 80 * MINUTE, 120 * MINUTE, 20 * DAY].map(duration)).toEqual([
    '38 s',
    '12 min',
    '1 h 20 min',
    '2 h',
    '20 d',
  ])
  expect([undefined, 0, 0.004, 1.836, 12_345.5].map(money)).toEqual(['–', '$0.00', '< $0.01', '$1.84', '$12,345.50'])
  expect([999, 62_400, 1_300_000].map(short)).toEqual(['999', '62 k', '1.3 M'])
})

it('takes the flags of a command as words of their own, and no hyphen inside a word', () => {
  expect(splitFlags('npm install -g --save-exact the-package@1.0.0-rc')).toEqual([
    'npm install ',
    '-g',
    ' ',
    '--save-exact',
    ' the-package@1.0.0-rc',
  ])
  expect(splitFlags('--worktree -- :/')).toEqual(['', '--worktree', ' ', '--', ' :/'])
  expect(splitFlags('')).toEqual([''])
})

it('cuts a path before its file name', () => {
  expect(splitPath('src/a/b.ts')).toEqual(['src/a/', 'b.ts'])
  expect(splitPath('b.ts')).toEqual(['', 'b.ts'])
  expect(splitPath('src/folder/')).toEqual(['src/', 'folder/'])
})
