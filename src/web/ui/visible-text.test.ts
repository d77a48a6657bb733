import { expect, it } from 'vitest'
import { plainly, withoutEscapes } from './visible-text.ts'

it.each([
  ['an order of letters that lies', 'src/\u202egpj.exe', 'src/‹U+202E›gpj.exe'],
  ['letters that take no room', 'rm\u200b -rf\ufeff', 'rm‹U+200B› -rf‹U+FEFF›'],
  ['what a terminal would obey', '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u0008', 'red ‹U+0008›'],
  ['a line that is written over', 'one\rtwo\r\nthree', 'one\ntwo\nthree'],
  ['what every text may have', 'café\tنص\n👩\u200d🚀 ok', 'café\tنص\n👩\u200d🚀 ok'],
])('shows %s as what it is', (_name, text, shown) => {
  expect(plainly(text)).toBe(shown)
})

it('takes only the escapes out of what a terminal said', () => {
  expect(withoutEscapes('\u001b[1;31mFAIL\u001b[0m \u200bone')).toBe('FAIL \u200bone')
})
