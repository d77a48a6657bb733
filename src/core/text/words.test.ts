import fc from 'fast-check'
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

  it('cuts scripts without spaces into pairs, so that a part is found in the whole', () => {
    expect(words('修复登录超时 in login')).toEqual(['修复', '复登', '登录', '录超', '超时', 'in', 'login'])
    expect(words('超时')).toEqual(['超时'])
    expect(words('Größe des Кэш 캐시 크기')).toEqual(['größe', 'des', 'кэш', '캐시', '크기'])
  })

  it('are the same whether or not a letter beyond ASCII stands somewhere else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(words(`${text} é`)).toEqual([...words(text), 'é'])
      }),
    )
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
