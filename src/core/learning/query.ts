import { identifiers, stem, words } from '../text/words.ts'
import type { Learning, LearningStatus, Scope } from './learning.ts'

/** What is known about the work at hand; not a search string. */
export interface LearningQuery {
  title?: string
  description?: string
  /** What the user just asked for. */
  prompt?: string
  /** Files of the current change, relative to the project. */
  files: string[]
  tags: string[]
}

export interface LearningFilters {
  /** Active ones only, unless it says otherwise. */
  status?: LearningStatus | 'any'
  scopes?: readonly Scope[]
  createdAfter?: number
  maxResults?: number
}

/** A learning with how well it fits the query, from 0 to 1. */
export interface FoundLearning {
  learning: Learning
  relevance: number
}

/** Where learnings are kept. Which of them gets what is decided in `routing.ts`. */
export interface LearningBackend {
  name: string
  write(learning: Learning): Promise<void>
  search(query: LearningQuery, filters: LearningFilters): Promise<FoundLearning[]>
  /** Whether it can be reached. */
  ping(): Promise<boolean>
}

/** Whether a learning passes the filters; its status is what the backend says. */
export function passes(learning: Learning, { status = 'active', scopes, createdAfter }: LearningFilters): boolean {
  if (status !== 'any' && learning.status !== status) return false
  if (scopes && !scopes.includes(learning.scope)) return false
  return createdAfter === undefined || learning.at >= createdAfter
}

/** The best first, the newer one where two fit alike, and no more than asked for. */
export function bestFirst(found: FoundLearning[], { maxResults }: LearningFilters): FoundLearning[] {
  const ordered = [...found].sort((a, b) => b.relevance - a.relevance || b.learning.at - a.learning.at)
  return maxResults === undefined ? ordered : ordered.slice(0, maxResults)
}

// What each kind of match is worth alone.
const EXACT_TAG = 1
const PARTIAL_TAG = 0.5
const SAME_FILE = 0.8
const SAME_FOLDER = 0.4
const KEYWORDS = 0.3
/** How much of the relevance is the best single match; the rest is how much of the query is covered. */
const BEST_SHARE = 0.7

/** How well each learning fits, by tags, files and words. Words that most learnings share count little. */
export function relevances(learnings: readonly Learning[], query: LearningQuery): FoundLearning[] {
  const asked = termsOf([query.title, query.description, query.prompt].join('\n'))
  const texts = learnings.map((learning) =>
    termsOf(`${learning.summary}\n${learning.detail}\n${learning.tags.join(' ')}`),
  )
  const holders = new Map<string, number>()
  for (const terms of texts) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1)
  const weigh = (term: string) => rarity(holders.get(term) ?? 1, learnings.length)
  const mass = sum([...asked].map(weigh))
  return learnings.map((learning, at) => {
    const shared = [...asked].filter((term) => texts[at]!.has(term))
    const cover = mass > 0 ? Math.min(1, (2 * sum(shared.map(weigh))) / mass) : 0
    const best = Math.max(
      tagMatch(learning.tags, query, asked),
      fileMatch(learning.contextFiles, query.files),
      shared.length > 0 ? KEYWORDS * Math.min(1, 0.4 + cover) : 0,
    )
    return { learning, relevance: BEST_SHARE * best + (1 - BEST_SHARE) * cover }
  })
}

function tagMatch(tags: readonly string[], query: LearningQuery, asked: ReadonlySet<string>): number {
  const wanted = query.tags.map((tag) => tag.toLowerCase())
  if (tags.some((tag) => wanted.includes(tag))) return EXACT_TAG
  const isPart = (tag: string) => wanted.some((other) => other.includes(tag) || tag.includes(other))
  if (tags.some((tag) => tag.length > 2 && (isPart(tag) || isAsked(tag, asked)))) return PARTIAL_TAG
  return 0
}

/** The tag's words all stand in what is asked. */
function isAsked(tag: string, asked: ReadonlySet<string>): boolean {
  const terms = [...termsOf(tag)]
  return terms.length > 0 && terms.every((term) => asked.has(term))
}

function fileMatch(contextFiles: readonly string[], files: readonly string[]): number {
  if (contextFiles.some((known) => files.some((file) => isSameFile(known, file)))) return SAME_FILE
  const folders = new Set(files.map(folderOf).filter((folder) => folder.includes('/')))
  return contextFiles.some((known) => folders.has(folderOf(known))) ? SAME_FOLDER : 0
}

/** Paths may start at different folders; the shorter must be the end of the longer. */
export function isSameFile(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter === longer) return true
  return shorter.includes('/') && longer.endsWith(`/${shorter}`)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Stems of the words, and identifiers as a whole. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  for (const word of words(text)) if (word.length > 2 && !COMMON.has(word)) terms.add(stem(word))
  for (const identifier of identifiers(text))
    if (/[a-z][A-Z]|\w_\w/.test(identifier)) terms.add(identifier.toLowerCase())
  return terms
}

const COMMON = new Set(
  'the and for with that this from into are was were been has have had not but its it is be as at by on in of to or an a when then than so if will would can could should must may also does did do done there their them they you your our we use used using one all any some each more most other only very just via per about because which who what how why where while'.split(
    ' ',
  ),
)

/** Inverse document frequency: the fewer learnings hold a word, the more it tells. */
function rarity(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
