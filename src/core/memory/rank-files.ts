/**
 * Which files will the query's work touch? Entries whose words match point at their files, paths hold words of the query,
 * stack traces and module names mention files outright, and some files are simply being worked on at the moment.
 */
import { type Candidate, type FileStats, MANY_TOUCHES } from './index-port.ts'
import { baseName, fileNames, pathTerms } from './index-terms.ts'
import { type Model, scoreAll } from './rank-model.ts'
import type { TextMatch, TextQuery } from './rank-text.ts'

export interface Scored {
  entry: Candidate
  match: TextMatch
}

export interface FileGuess {
  path: string
  /** How likely the work touches this file rather than another; all guesses sum to 1. */
  share: number
}

export interface FileClues {
  text: string
  query: TextQuery
  now: number
  /** Entries found by their words, best first. */
  found: Scored[]
  /** The newest entries: what is being worked on. */
  recent: Candidate[]
}

/** Files the found and the newest entries point at, most pointed-at first. */
export function pointedAt({ found, recent }: FileClues, limit: number): string[] {
  const masses = massOf(found, 2)
  const active = activity(recent)
  const hot = [...active.keys()]
    .filter((path) => kindOf(path) === 'source')
    .sort((a, b) => active.get(b)! - active.get(a)!)
  const pointed = [...masses.keys()].sort((a, b) => masses.get(b)! - masses.get(a)!)
  return [...new Set([...pointed.slice(0, limit), ...hot.slice(0, 10)])]
}

export function guessFiles(clues: FileClues, stats: FileStats[], model: Model): FileGuess[] {
  const scores = scoreAll(model, fileFeatures(clues, stats), [1])
  const top = Math.max(...scores)
  const sum = scores.reduce((total, score) => total + Math.exp(score - top), 0)
  const guesses = stats.map(({ path }, i) => ({ path, share: Math.exp(scores[i]! - top) / sum }))
  return guesses.sort((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1))
}

/** One row of numbers per file; the file model's weights stand in the same order. */
export function fileFeatures(clues: FileClues, stats: FileStats[]): number[][] {
  const { query, found, recent, now } = clues
  const [flat, mass, sharp] = [massOf(found, 1), massOf(found, 2), massOf(found, 4)]
  const [topFlat, topMass, topSharp] = [largest(flat), largest(mass), largest(sharp)]
  const best = bestOf(found, ({ match }) => (match.total / topScore(found)) ** 2)
  const exact = bestOf(found, ({ match }) => match.exact / query.exactMass)
  const focused = massOf(
    found.filter(({ entry }) => entry.files.length <= 3),
    2,
  )
  const folders = sumBy(mass, folder)
  const twins = sumBy(mass, twinName)
  const active = activity(recent)
  const topFolder = largest(folders)
  const mentioned = new Set(fileNames(clues.text))
  const text = clues.text.toLowerCase()
  return stats.map(({ path, touches: all, lastAt }) => {
    const touches = Math.min(all, MANY_TOUCHES)
    const name = baseName(path)
    const own = mass.get(path) ?? 0
    const kind = kindOf(path)
    return [
      own / topMass,
      (flat.get(path) ?? 0) / topFlat,
      (sharp.get(path) ?? 0) / topSharp,
      Math.log(0.01 + own / topMass),
      own / Math.sqrt(touches),
      best.get(path) ?? 0,
      exact.get(path) ?? 0,
      focused.get(path) ?? 0,
      Math.log(1 + (twins.get(twinName(path)) ?? 0) - own),
      (folders.get(folder(path)) ?? 0) / topFolder,
      (found[0]?.entry.files.includes(path) ? 1 : 0) + (found[1]?.entry.files.includes(path) ? 0.5 : 0),
      worthOf(query, pathTerms(path)) / query.mass,
      worthOf(query, pathTerms(stripEnding(name))) / query.mass,
      nameShare(query, pathTerms(stripEnding(name))),
      worthOf(query, pathTerms(folder(path))) / query.mass,
      mentioned.has(name.toLowerCase()) ? 1 : 0,
      namesModule(text, path) ? 1 : 0,
      active.get(path) ?? 0,
      Math.log(touches),
      Math.log(1 + (now - lastAt) / DAY),
      path.split('/').length,
      kind === 'test' ? 1 : 0,
      kind === 'docs' ? 1 : 0,
      kind === 'config' ? 1 : 0,
      kind === 'other' ? 1 : 0,
    ]
  })
}

export const DAY = 86_400_000

/** How strongly the found entries point at each file; an entry of many files points weakly at each. */
function massOf(found: Scored[], sharpness: number): Map<string, number> {
  const top = topScore(found)
  const masses = new Map<string, number>()
  for (const { entry, match } of found) {
    const mass = (match.total / top) ** sharpness / Math.sqrt(entry.files.length)
    for (const path of new Set(entry.files)) masses.set(path, (masses.get(path) ?? 0) + mass)
  }
  return masses
}

function bestOf(found: Scored[], worth: (scored: Scored) => number): Map<string, number> {
  const bests = new Map<string, number>()
  for (const scored of found) {
    const value = worth(scored) / Math.sqrt(scored.entry.files.length)
    for (const path of scored.entry.files) bests.set(path, Math.max(bests.get(path) ?? 0, value))
  }
  return bests
}

function activity(recent: Candidate[]): Map<string, number> {
  const active = new Map<string, number>()
  recent.forEach(({ files }, i) => {
    for (const path of new Set(files))
      active.set(path, (active.get(path) ?? 0) + Math.exp(-i / 10) / Math.sqrt(files.length))
  })
  return active
}

const topScore = (found: Scored[]) => found[0]?.match.total || 1
const largest = (map: Map<string, number>) => [...map.values()].reduce((a, b) => Math.max(a, b), 1e-9)

function sumBy(masses: Map<string, number>, key: (path: string) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [path, mass] of masses) sums.set(key(path), (sums.get(key(path)) ?? 0) + mass)
  return sums
}

function worthOf(query: TextQuery, terms: string[]): number {
  return terms.reduce((sum, term) => sum + (query.terms.get(term)?.worth ?? 0), 0)
}

/** How much of a file's name the query says. */
function nameShare(query: TextQuery, terms: string[]): number {
  const rarities = terms.map((term) => query.terms.get(term)?.idf)
  const own = rarities.reduce<number>((sum, idf) => sum + (idf ?? 5), 0)
  return own ? rarities.reduce<number>((sum, idf) => sum + (idf ?? 0), 0) / own : 0
}

/** `core.concat`, `core/concat` or `core::concat` in the text names core/concat.py. */
function namesModule(text: string, path: string): boolean {
  const parts = stripEnding(path.toLowerCase()).split('/').slice(-2)
  return parts.length === 2 && ['.', '/', '::'].some((joint) => text.includes(parts.join(joint)))
}

const stripEnding = (path: string) => path.replace(/\.\w+$/, '')

export function folder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** A test and what it tests share this name: test_tmpdir.py, tmpdir.test.ts and tmpdir.py. */
function twinName(path: string): string {
  const name = baseName(path)
    .toLowerCase()
    .replace(/(\.d)?\.\w+$/, '')
  return name.replace(/^tests?_|([._-](tests?|spec|unit|integration))+$/g, '')
}

type Kind = 'source' | 'test' | 'docs' | 'config' | 'other'

const TEST =
  /(^|\/)(tests?|testing|testdata|spec|__tests__|fixtures)(\/|$)|(_test|\.test|\.spec|-test|_spec)[.-]|(^|\/)test_/
const DOCS = /\.(md|mdx|rst|txt|adoc|html)$|(^|\/)(docs?|changelog|changes|news)(\/|\.|$)|(^|\/)(authors|license)$/
const CONFIG = /\.(json|ya?ml|toml|lock|cfg|ini|sum|mod|xml|gradle)$|(^|\/)\.|(^|\/)(makefile|dockerfile)/
const SOURCE =
  /\.(go|rs|py|[cm]?[jt]sx?|java|rb|php|cc?|cpp|cxx|hh?|hpp|cs|kts?|swift|scala|exs?|erl|lua|sh|vue|svelte|dart|zig|hs|mli?|clj|sol|pl|r|jl|m|mm|sql)$/

export function kindOf(path: string): Kind {
  const known = kinds.get(path)
  if (known) return known
  if (kinds.size >= 20_000) kinds.clear()
  const lower = path.toLowerCase()
  const kind = TEST.test(lower)
    ? 'test'
    : DOCS.test(lower)
      ? 'docs'
      : CONFIG.test(lower)
        ? 'config'
        : SOURCE.test(lower)
          ? 'source'
          : 'other'
  kinds.set(path, kind)
  return kind
}

const kinds = new Map<string, Kind>()
