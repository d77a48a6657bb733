import { baseName, rarity } from '../search/terms.ts'
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

/** What a backend that holds these learnings finds among them. */
export function findAmong(
  learnings: readonly Learning[],
  query: LearningQuery,
  filters: LearningFilters,
): FoundLearning[] {
  return bestFirst(relevances(passing(learnings, filters), query), filters)
}

/** Those that pass the filters; their status is what the backend says. The very list where all of them do. */
export function passing(learnings: readonly Learning[], filters: LearningFilters): readonly Learning[] {
  const { status = 'active', scopes, createdAfter } = filters
  if (status === 'any' && !scopes && createdAfter === undefined) return learnings
  return learnings.filter((learning) => {
    if (status !== 'any' && learning.status !== status) return false
    if (scopes && !scopes.includes(learning.scope)) return false
    return createdAfter === undefined || learning.at >= createdAfter
  })
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
  const { shared, mass } = sharedWords(learnings, asked)
  const wanted = query.tags.map((tag) => tag.toLowerCase())
  const changed = changedFiles(query.files)
  const isMoreAsked = query.files.length + query.tags.length > 0
  return learnings.map((learning) => {
    const own = shared.get(learning) ?? 0
    if (own === 0 && !isMoreAsked) return { learning, relevance: 0 }
    const cover = own > 0 ? Math.min(1, (2 * own) / mass) : 0
    const best = Math.max(
      tagMatch(learning, wanted, own > 0 ? asked : NONE),
      fileMatch(learning.contextFiles, changed),
      own > 0 ? KEYWORDS * Math.min(1, 0.4 + cover) : 0,
    )
    return { learning, relevance: BEST_SHARE * best + (1 - BEST_SHARE) * cover }
  })
}

const NONE: ReadonlySet<string> = new Set()

/** `shared`: how much the words are worth that each learning has in common with the question. `mass`: how much all its words are. */
function sharedWords(learnings: readonly Learning[], asked: ReadonlySet<string>) {
  const shared = new Map<Learning, number>()
  let mass = 0
  // Without words in the question there is nothing to compare; indexing the learnings would be wasted.
  if (asked.size === 0) return { shared, mass }
  const holders = holdersOf(learnings)
  for (const term of asked) {
    const those = holders.get(term) ?? []
    const worth = rarity(Math.max(1, those.length), learnings.length)
    mass += worth
    for (const learning of those) shared.set(learning, (shared.get(learning) ?? 0) + worth)
  }
  return { shared, mass }
}

/** Cached by list: a project is searched many times before its learnings change. */
const listed = new WeakMap<readonly Learning[], Map<string, Learning[]>>()

/** For each word the learnings that hold it. */
function holdersOf(learnings: readonly Learning[]): ReadonlyMap<string, Learning[]> {
  const before = listed.get(learnings)
  if (before) return before
  const holders = new Map<string, Learning[]>()
  for (const learning of learnings) {
    const { summary, detail, tags } = learning
    for (const term of termsOf(`${summary}\n${detail}\n${tags.join(' ')}`)) {
      const known = holders.get(term)
      if (known) known.push(learning)
      else holders.set(term, [learning])
    }
  }
  listed.set(learnings, holders)
  return holders
}

function tagMatch({ tags }: Learning, wanted: readonly string[], asked: ReadonlySet<string>): number {
  if (tags.some((tag) => wanted.includes(tag))) return EXACT_TAG
  const isPart = (tag: string) => wanted.some((other) => other.includes(tag) || tag.includes(other))
  // All the words of the tag stand in what is asked.
  const isAsked = (tag: string) => {
    const terms = asked.size > 0 ? termsOfTag(tag) : []
    return terms.length > 0 && terms.every((term) => asked.has(term))
  }
  return tags.some((tag) => tag.length > 2 && (isPart(tag) || isAsked(tag))) ? PARTIAL_TAG : 0
}

const knownTags = new Map<string, string[]>()
const MOST_TAGS = 1000

function termsOfTag(tag: string): string[] {
  const known = knownTags.get(tag) ?? [...termsOf(tag)]
  if (knownTags.size >= MOST_TAGS) knownTags.clear()
  knownTags.set(tag, known)
  return known
}

interface ChangedFiles {
  /** Only files of one name can be the same. */
  byName: Map<string, string[]>
  folders: Set<string>
}

function changedFiles(files: readonly string[]): ChangedFiles {
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = baseName(file)
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  return { byName, folders: new Set(files.map(folderOf).filter((folder) => folder.includes('/'))) }
}

function fileMatch(contextFiles: readonly string[], { byName, folders }: ChangedFiles): number {
  if (byName.size === 0) return 0
  const isChanged = (known: string) => byName.get(baseName(known))?.some((file) => isSameFile(known, file))
  if (contextFiles.some(isChanged)) return SAME_FILE
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
  // Where words are not set apart, two signs in a row are as good as a word.
  for (const [run] of text.matchAll(UNSPACED)) {
    for (let at = 0; at < run.length - 1; at++) terms.add(run.slice(at, at + 2))
  }
  for (const identifier of identifiers(text))
    if (/[a-z][A-Z]|\w_\w/.test(identifier)) terms.add(identifier.toLowerCase())
  return terms
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]{2,}/gu

const COMMON = new Set(
  'the and for with that this from into are was were been has have had not but its it is be as at by on in of to or an a when then than so if will would can could should must may also does did do done there their them they you your our we use used using one all any some each more most other only very just via per about because which who what how why where while'.split(
    ' ',
  ),
)
