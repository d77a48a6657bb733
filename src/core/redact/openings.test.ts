import { describe, expect, it } from 'vitest'
import { MAY_NAME, NAME, TELLING, tellingPlaces } from './names.ts'
import { firstMatch, matchesAt, nextOpening, openingsOf, placesOf, replaceAt } from './openings.ts'

const WORDS = openingsOf('pass|key|pw|log ')

describe('places where a word may begin', () => {
  it.each([
    ['the password', [4]],
    ['KEY and key', [0, 8]],
    ['pw', [0]],
    ['log in, login', [0]],
    ['compass', [3]],
    ['parse, kernel, logs', []],
  ])('of "%s" are %j', (text, places) => {
    expect(placesOf(text, WORDS)).toEqual(places)
    expect(nextOpening(text, WORDS, 0)).toBe(places[0] ?? -1)
  })

  it('are all that an expression needs to find what it finds in the whole text', () => {
    const text = 'pass=1 passkey=2 key=3, pw=4 log =5 compass=6'
    const source = '(pass|key|pw|log )\\w*=(\\d)'
    const whole = [...text.matchAll(new RegExp(source, 'g'))].map(({ index, 2: value }) => [index, value])
    const placed = matchesAt(text, placesOf(text, WORDS), new RegExp(source, 'y'))
    expect(placed.map(({ index, 2: value }) => [index, value])).toEqual(whole)
    expect(firstMatch(text, WORDS, /key=/y)).toBe(text.indexOf('key='))
    expect(replaceAt(text, placesOf(text, WORDS), new RegExp(source, 'y'), () => '-')).toBe(
      text.replace(new RegExp(source, 'g'), '-'),
    )
  })

  // One for each way in which a name may begin; the names of MAY_NAME that stand inside of words begin elsewhere.
  it.each(
    NAME.slice(1, -1)
      .match(/[\p{L}]{4,}/gu)!
      .filter((word) => new RegExp(`^${NAME}`, 'i').test(word)),
  )('are known for %s', (word) => {
    expect(tellingPlaces(`a ${word}`)).toContain(2)
    expect(MAY_NAME.test(word)).toBe(true)
  })

  it('are made from words of one letter or more', () => {
    expect(TELLING.split('|').every(Boolean)).toBe(true)
  })
})
