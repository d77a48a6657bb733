/**
 * Which files will the query's work touch? Entries whose words match point at their files, paths hold words of the query,
 * stack traces and module names mention files outright, and some files are simply being worked on at the moment.
 */
import { type Candidate, type FileStats, MANY_TOUCHES } from '../ports/search-index.ts'
import { factsOf, type PathFacts } from './path-facts.ts'
import { type Model, scoreAll } from './rank-model.ts'
import type { TextMatch, TextQuery } from './rank-text.ts'
import { fileNames } from './terms.ts'

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
    .filter((path) => factsOf(path).kind === 'source')
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
  const folders = sumBy(mass, ({ folder }) => folder)
  const subjects = sumBy(mass, ({ subject }) => subject)
  const active = activity(recent)
  const topFolder = largest(folders)
  const mentioned = new Set(fileNames(clues.text))
  const text = clues.text.toLowerCase()
  return stats.map(({ path, touches: all, lastAt }) => {
    const touches = Math.min(all, MANY_TOUCHES)
    const own = mass.get(path) ?? 0
    const { name, folder, subject, kind, depth, modules, terms } = factsOf(path)
    return [
      own / topMass,
      (flat.get(path) ?? 0) / topFlat,
      (sharp.get(path) ?? 0) / topSharp,
      Math.log(0.01 + own / topMass),
      own / Math.sqrt(touches),
      best.get(path) ?? 0,
      exact.get(path) ?? 0,
      focused.get(path) ?? 0,
      Math.log(1 + (subjects.get(subject) ?? 0) - own),
      (folders.get(folder) ?? 0) / topFolder,
      (found[0]?.entry.files.includes(path) ? 1 : 0) + (found[1]?.entry.files.includes(path) ? 0.5 : 0),
      worthOf(query, terms.path) / query.mass,
      worthOf(query, terms.name) / query.mass,
      nameShare(query, terms.name),
      worthOf(query, terms.folder) / query.mass,
      mentioned.has(name) ? 1 : 0,
      modules.some((module) => text.includes(module)) ? 1 : 0,
      active.get(path) ?? 0,
      Math.log(touches),
      Math.log(1 + (now - lastAt) / DAY),
      depth,
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
    for (const path of distinct(entry.files)) masses.set(path, (masses.get(path) ?? 0) + mass)
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
    for (const path of distinct(files))
      active.set(path, (active.get(path) ?? 0) + Math.exp(-i / 10) / Math.sqrt(files.length))
  })
  return active
}

/** Without repetitions. Lists of one file, the common case, are not copied. */
export function distinct(files: string[]): string[] {
  return files.length < 2 ? files : [...new Set(files)]
}

const topScore = (found: Scored[]) => found[0]?.match.total || 1
const largest = (map: Map<string, number>) => [...map.values()].reduce((a, b) => Math.max(a, b), 1e-9)

function sumBy(masses: Map<string, number>, keyOf: (facts: PathFacts) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [path, mass] of masses) {
    const key = keyOf(factsOf(path))
    sums.set(key, (sums.get(key) ?? 0) + mass)
  }
  return sums
}

function worthOf(query: TextQuery, terms: string[]): number {
  let sum = 0
  for (const term of terms) sum += query.terms.get(term)?.worth ?? 0
  return sum
}

/** How much of a file's name the query says. */
function nameShare(query: TextQuery, terms: string[]): number {
  let own = 0
  let said = 0
  for (const term of terms) {
    const idf = query.terms.get(term)?.idf
    own += idf ?? 5
    said += idf ?? 0
  }
  return own ? said / own : 0
}
