import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldTerms, fieldText, fileNames, pathTerms, pruneTerms, queryTerms, rarity, tail, terms } from './terms.ts'

describe('terms', () => {
  it.each([
    [
      'limit_connections and limitConnections',
      ['limit', 'connection', 'limitconnection', 'limit', 'connection', 'limitconnection'],
    ],
    ['caching cached caches', ['cach', 'cach', 'cach']],
    ['HTTP/2 on port 8080', ['http', 'port', '8080']],
    ['error E1001', ['error', '1001', 'e1001']],
    ['the of and', []],
    ['数据库 größe', ['数据', '据库', '数据据库', 'größ']],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  it('are the same in a text that is all ASCII as beside a letter that is not', () => {
    const piece = fc.constantFrom(
      ...[
        'ing',
        'ies',
        'sses',
        'ches',
        'xes',
        'ed',
        'us',
        'tt',
        'ee',
        'The',
        'was',
        'XML',
        'Http',
        'get',
        'x',
        'S',
        'E',
      ],
      ...['_', '__', '0', '42', '1000', ' ', '.', '-', '\n', '’', ' → '],
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.string({ maxLength: 80 }),
    )
    fc.assert(
      fc.property(text, (some) => {
        expect(terms(some)).toEqual(terms(`${some} ж`))
      }),
      { numRuns: 2_000 },
    )
    const long = 'parseHTTPHeaders '.repeat(400)
    expect(terms(long)).toEqual(terms(`${long} ж`))
  })

  it('meet in one term however an identifier is written', () => {
    const [a, b] = [new Set(terms('WebSocket')), new Set(terms('websocket'))]
    expect([...b].every((term) => a.has(term))).toBe(true)
  })
})

it.each([
  ['see pkg/labels.go:165 and README.md', ['labels.go', 'readme.md']],
  ['at Object.<anonymous> (/app/src/my-file.test.ts:3:1)', ['my-file.test.ts']],
  ['version 1.2.3 of this one.', []],
  ['no names here', []],
])('file names in: %s', (text, names) => {
  expect(fileNames(text)).toEqual(names)
})

describe('an entry', () => {
  it('is not found by issue numbers and links', () => {
    expect(fieldTerms({ title: 'Fix retry (#123)', body: 'see https://example.com/abc' })).toEqual({
      title: ['fix', 'retry'],
      body: ['see'],
    })
  })

  it('does not count its title twice where the body repeats it', () => {
    expect(fieldTerms({ title: 'Fix retry', body: 'Fix retry\nDone.' }).body).toEqual(['don'])
  })

  it('is the same as words and as the text stores write', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (title, body) => {
        const text = fieldText({ title, body })
        const fields = fieldTerms({ title, body })
        expect(text.title).toBe(fields.title.map((term) => ` ${term}`).join(''))
        expect([...fields.title, ...fields.body].every((term) => /^[\p{L}\p{N}._-]+$/u.test(term))).toBe(true)
      }),
    )
  })
})

it('cuts a path into its words and its name', () => {
  expect(pathTerms('src/http/WebSocket.test.ts')).toEqual([
    'src',
    'http',
    'web',
    'socket',
    'websocket',
    'test',
    'ts',
    'websocket.test.ts',
  ])
  expect(tail('axum/src/extract/ws.rs')).toBe('extract/ws.rs')
  expect(tail('main.go')).toBe('main.go')
})

describe('a query', () => {
  it('weighs its first sentence, repeated words and whole identifiers', () => {
    const asked = new Map(
      queryTerms('Add tryFromUri. The parser and the parser of paths.').map((term) => [term.term, term]),
    )
    expect(asked.get('tryfromuri')).toMatchObject({ word: 'tryFromUri', head: true, exact: true })
    expect(asked.get('path')).toMatchObject({ head: false, exact: false })
    expect(asked.get('parser')!.weight).toBeGreaterThan(asked.get('path')!.weight)
  })

  it('looks up rare terms first and stops before common ones fill the list', () => {
    const asked = queryTerms('rare usual common')
    const frequencies = new Map([
      ['rar', 2],
      ['usual', 40],
      ['common', 900],
    ])
    const limits = { terms: 5, postings: 100 }
    expect(pruneTerms(asked, frequencies, 1000, limits).map(({ term }) => term)).toEqual(['rar', 'usual'])
    expect(pruneTerms(asked, new Map([['common', 900]]), 1000, limits)).toHaveLength(1)
  })

  it('never looks up more than allowed, with whole weights, in one order', () => {
    const frequency = fc.tuple(
      fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'omega'),
      fc.integer({ min: 1, max: 500 }),
    )
    fc.assert(
      fc.property(
        fc.array(frequency),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 800 }),
        (known, most, postings) => {
          const frequencies = new Map(known)
          const kept = pruneTerms(queryTerms('alpha beta gamma delta omega'), frequencies, 500, {
            terms: most,
            postings,
          })
          expect(kept.length).toBeLessThanOrEqual(most)
          expect(kept.every(({ weight }) => Number.isInteger(weight))).toBe(true)
          const looked = kept.map(({ term }) => known.findLast(([name]) => name === term)![1])
          if (kept.length > 1) expect(looked.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(postings)
          expect([...kept].sort((a, b) => b.weight - a.weight)).toEqual(kept)
        },
      ),
    )
  })
})

it('calls a term rarer the fewer entries hold it', () => {
  expect(rarity(1, 1000)).toBeGreaterThan(rarity(10, 1000))
  expect(rarity(1000, 1000)).toBeCloseTo(0, 2)
})
