import { expect, it } from 'vitest'
import { limitEnd } from './usage-limit.ts'

const now = Date.parse('2026-03-01T10:00:00Z')
const later = Date.parse('2026-03-01T13:00:00Z')

it.each([
  [
    'the window of the account',
    { 'anthropic-ratelimit-unified-reset': String(later / 1000), 'retry-after': '7' },
    later,
  ],
  ['seconds to wait', { 'retry-after': '3600' }, now + 3_600_000],
  ['a date', { 'retry-after': 'Sun, 01 Mar 2026 13:00:00 GMT' }, later],
  [
    'seconds, when the window has passed already',
    { 'anthropic-ratelimit-unified-reset': '12', 'retry-after': '60' },
    now + 60_000,
  ],
  ['nothing that can be read', { 'retry-after': 'soon' }, undefined],
  ['nothing at all', {}, undefined],
])('the end of a limit is read from %s', (_, headers: Record<string, string>, end) => {
  expect(limitEnd(headers, now)).toBe(end)
})
