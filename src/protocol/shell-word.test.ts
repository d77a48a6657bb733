import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord, singleQuoted } from './shell-word.ts'

const ODD = [
  '',
  'a b',
  "it's",
  "''",
  '$HOME',
  '`id`',
  '~',
  '~root/x',
  '*',
  'a;b',
  'a\nb',
  '-n',
  '#x',
  '\\',
  'ä',
  'a=b',
  '!x',
]

it('gives a shell back the words that it was made of', () => {
  for (const quote of [shellWord, singleQuoted]) {
    const script = `for word in ${ODD.map(quote).join(' ')}; do printf '%s\\0' "$word"; done`
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(ODD)
  }
})

it('leaves paths and refs as they are typed', () => {
  for (const word of ['/home/dev/shop', 'refs/grove/x', 'feature/a-b_c@2', 'C:/x']) expect(shellWord(word)).toBe(word)
})
