import { describe, expect, it } from 'vitest'
import { identifierParts, stem, words } from './words.ts'

describe('words of code', () => {
  it.each([
    ['parseHTTPHeader_v2', ['parse', 'http', 'header', 'v', '2']],
    ['src/http-parser.test.ts', ['src', 'http', 'parser', 'test', 'ts']],
    ['SCREAMING_SNAKE', ['screaming', 'snake']],
    ['XMLHttpRequest', ['xml', 'http', 'request']],
    ['größeÄndern', ['größe', 'ändern']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('keeps one hump together', () => {
    expect(identifierParts('token')).toEqual(['token'])
  })

  it.each([
    [['cache', 'caches', 'cached', 'caching']],
    [['retry', 'retries']],
    [['match', 'matches', 'matched', 'matching']],
    [['stop', 'stopped', 'stopping', 'stops']],
  ])('joins %j', (forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1)
  })

  it('leaves short and hissing words alone', () => {
    expect(['bus', 'class', 'api', 'this'].map(stem)).toEqual(['bus', 'class', 'api', 'this'])
  })
})
