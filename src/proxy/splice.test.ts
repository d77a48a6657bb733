import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splice } from './splice.ts'

it('puts every insertion where it belongs and keeps the order of those at one place', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(fc.nat(), fc.string()), { maxLength: 6 }), (text, list) => {
      const body = Buffer.from(text)
      const insertions = list.map(([at, added]) => ({ at: at % (body.length + 1), bytes: Buffer.from(added) }))
      const pieces: Buffer[] = []
      for (let at = 0; at <= body.length; at++) {
        pieces.push(...insertions.filter((one) => one.at === at).map(({ bytes }) => bytes), body.subarray(at, at + 1))
      }
      expect(splice(body, insertions).equals(Buffer.concat(pieces))).toBe(true)
      expect(body.toString()).toBe(text)
    }),
  )
})

it.each([-1, 4, 1.5, Number.NaN])('refuses position %s in three bytes', (at) => {
  expect(() => splice(Buffer.from('abc'), [{ at, bytes: Buffer.from('x') }])).toThrow(RangeError)
})
