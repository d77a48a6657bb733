import fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { boundedGlob } from '#core/text/glob.ts'
import { compileGlob } from './glob.ts'

const name = fc.constantFrom('a', 'b', 'ab', 'src', 'x.ts', 'a.test.ts', '.env', 'a-b', 'b1')
const part = fc.constantFrom(
  '*',
  '**',
  '*.ts',
  'a*',
  '*b*',
  '?',
  '[ab]*',
  '[^a]*',
  '{a,b}',
  '{src,x.ts}',
  '*.{ts,js}',
  'a',
  'src',
  'x.ts',
  '.env',
)
const glob = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))

describe('a glob that is matched in bounded time', () => {
  it('means what it means elsewhere', () => {
    fc.assert(
      fc.property(glob, path, (pattern, place) => {
        expect(boundedGlob(pattern)(place), `${pattern} on ${place}`).toBe(picomatch(pattern, { dot: true })(place))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['@(a|b).ts', ['a.ts', 'b.ts', 'c.ts']],
    ['+(ab).ts', ['ab.ts', 'abab.ts', '.ts']],
    ['!(a).ts', ['a.ts', 'b.ts']],
    ['src/**/*.{test,spec}.[jt]s', ['src/a.test.ts', 'src/a/b/c.spec.js', 'src/a.ts']],
    ['\\[id\\]/*.ts', ['[id]/a.ts', 'i/a.ts']],
  ])('%s too', (pattern, places) => {
    for (const place of places)
      expect(boundedGlob(pattern)(place), place).toBe(picomatch(pattern, { dot: true })(place))
  })

  // An expression made of one of these would need longer than anybody waits.
  it.each([
    ['stars', `${'*a'.repeat(60)}b`, 'a'.repeat(4000)],
    ['folders', `${'**/a/'.repeat(60)}b`, 'a/'.repeat(1900)],
    ['choices', `${'{a,aa}'.repeat(60)}b`, 'a'.repeat(4000)],
    ['repeated groups', '+(a|aa)+(a|aa)+(a|aa)+(a|aa)b', 'a'.repeat(1000)],
    ['nested groups', '+(+(+(a)))b', 'a'.repeat(300)],
    ['groups too deep', `${'@('.repeat(500)}a${')'.repeat(500)}`, 'a'],
    ['a glob without end', '*'.repeat(100_000), 'a'.repeat(4000)],
    ['a path without end', '**/*a*', 'a'.repeat(1_000_000)],
  ])('is not stopped by %s', (_, pattern, place) => {
    expect(typeof compileGlob(pattern)(place)).toBe('boolean')
  })
})
