import { describe, expect, it } from 'vitest'
import type { Candidate } from '../ports/search-index.ts'
import { factsOf } from './path-facts.ts'
import { probability, softmax } from './rank-confidence.ts'
import { features, regimes } from './rank-features.ts'
import { guessFiles } from './rank-files.ts'
import { scoreAll } from './rank-model.ts'
import { matchText, textQuery } from './rank-text.ts'
import { queryTerms, terms } from './terms.ts'
import { shippedWeights } from './weights.ts'

const entry = (title: string, files: string[] = [], body = ''): Candidate => ({
  id: title,
  at: 0,
  files,
  title: terms(title),
  body: terms(body),
})

function ask(text: string, frequencies: Record<string, number>, size = 1000) {
  return textQuery(queryTerms(text), terms(text), { size, frequencies: new Map(Object.entries(frequencies)) })
}

describe('words', () => {
  const query = ask('retry the token', { retry: 5, token: 50 })

  it('count more when rare, and more in the title than in the body', () => {
    const score = (title: string, body = '') => matchText(query, entry(title, [], body)).total
    expect(score('retry')).toBeGreaterThan(score('token'))
    expect(score('token', '')).toBeGreaterThan(score('other', 'token'))
    expect(score('other')).toBe(0)
  })

  it('count in paths, as neighbours, and by their beginnings', () => {
    expect(matchText(query, entry('other', ['src/retry.ts'])).path).toBeGreaterThan(0)
    expect(matchText(query, entry('retry token')).phrase).toBeGreaterThan(matchText(query, entry('token retry')).phrase)
    expect(matchText(ask('serialization', {}), entry('serializer')).soft).toBe(1)
  })
})

it.each([
  ['src/a.ts', 'source'],
  ['src/a.test.ts', 'test'],
  ['pkg/a_test.go', 'test'],
  ['tests/helpers.py', 'test'],
  ['docs/guide.md', 'docs'],
  ['CHANGELOG.md', 'docs'],
  ['package-lock.json', 'config'],
  ['.github/workflows/ci.yml', 'config'],
  ['assets/logo.png', 'other'],
])('%s is %s', (path, kind) => {
  expect(factsOf(path).kind).toBe(kind)
})

it('guesses the file whose name the query says before one it does not', () => {
  const query = ask('fix the header parser', { fix: 300, header: 20, parser: 20 })
  const clues = { text: 'fix the header parser', query, now: 0, found: [], recent: [] }
  const stats = ['src/other.ts', 'src/header-parser.ts'].map((path) => ({ path, touches: 3, lastAt: 0 }))
  const guesses = guessFiles(clues, stats, shippedWeights.files)
  expect(guesses[0]!.path).toBe('src/header-parser.ts')
  expect(guesses.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
})

describe('the model', () => {
  it('adds the regime that applies, and the leaf a row falls into', () => {
    const tree = { feature: [0], cut: [5], left: [~0], right: [~1], leaf: [10, 20] }
    const model = { mean: [0], spread: [1], linear: [[1], [100]], trees: [tree] }
    expect(scoreAll(model, [[2], [6]], [1, 0])).toEqual([12, 24])
    expect(scoreAll(model, [[2]], [1, 0.5])).toEqual([112])
  })

  it('has a weight for every feature', () => {
    const query = ask('x', {})
    const pool = [{ entry: entry('a'), match: matchText(query, entry('a')) }]
    const evidence = {
      query,
      now: 0,
      pool,
      guesses: [],
      histories: [],
      open: { paths: [], histories: [], together: new Map() },
    }
    expect(shippedWeights.entries.mean).toHaveLength(features(evidence)[0]!.length)
    expect(shippedWeights.entries.linear).toHaveLength(regimes(evidence).length)
    expect(features(evidence).flat().every(Number.isFinite)).toBe(true)
  })
})

it('turns scores into shares and facts into a chance', () => {
  expect(softmax([0, 0])).toEqual([0.5, 0.5])
  expect(softmax([])).toEqual([])
  expect(probability({ bias: 0, weights: [1] }, [0])).toBe(0.5)
})
