/** How an action meets the goal, from words alone. */
import { pathWords } from '../text/paths.ts'
import { type Gist, gistOf, names, stems, weight } from './gist.ts'

/** The goal as a trail keeps it: plain lists of words. */
export interface GoalWords {
  words: string[]
  /** Names and files the goal spells out. */
  names: string[]
  /** Words of the prompts before this one. */
  context: string[]
}

export function goalWords(goal: string, context: string[]): GoalWords {
  const files = pathWords(goal).flatMap((path) => gistOf({ kind: 'read', path })?.stem || [])
  return { words: stems(goal), names: [...new Set([...names(goal), ...files])], context: stems(context.join('\n')) }
}

/** The goal as it is compared with: each word with how telling it is. */
export interface Aim {
  words: Map<string, number>
  mass: number
  names: Set<string>
  context: Set<string>
}

const aims = new WeakMap<GoalWords, Aim>()

export function aimOf(goal: GoalWords): Aim {
  const aim = aims.get(goal) ?? weighedAim(goal)
  aims.set(goal, aim)
  return aim
}

function weighedAim(goal: GoalWords): Aim {
  const words = new Map(goal.words.map((word) => [word, weight(word)]))
  let mass = 0
  for (const x of words.values()) mass += x
  return { words, mass: mass || 1, names: new Set(goal.names), context: new Set(goal.context) }
}

export function meetGoal(gist: Gist, aim: Aim) {
  const inGoal = (word: string) => aim.words.has(word)
  const base = overlap(gist.base, inGoal)
  const folder = overlap(gist.folder, inGoal)
  const text = overlap(gist.text, inGoal)
  const context = overlap([...gist.base, ...gist.text], (word) => aim.context.has(word))
  const mine = new Set([...gist.base, ...gist.folder, ...gist.text])
  let met = 0
  for (const [word, x] of aim.words) if (mine.has(word)) met += x
  return {
    baseMax: base.max,
    baseShare: base.share,
    folderMax: folder.max,
    folderShare: folder.share,
    textMax: text.max,
    textShare: text.share,
    textSum: Math.min(text.sum, 6),
    names: Math.min([gist.stem, ...gist.ids].filter((name) => name && aim.names.has(name)).length, 3),
    prefix: closest([...gist.base, ...gist.text], aim, samePrefix),
    goalShare: met / aim.mass,
    contextMax: context.max,
    contextShare: context.share,
    pathInside: closest([...gist.base, ...gist.folder], aim, inside),
    textInside: closest(gist.text, aim, inside),
  }
}

export const GOAL_FEATURES = Object.keys(
  meetGoal(
    { kind: 'cmd', path: '', role: 'source', stem: '', base: [], folder: [], text: [], ids: [] },
    aimOf({ words: [], names: [], context: [] }),
  ),
)

/** The weight of the words that pass: the greatest, the sum, and the sum's share of all. */
function overlap(words: string[], passes: (word: string) => boolean) {
  let max = 0
  let sum = 0
  let mass = 0
  for (const word of words) {
    const x = weight(word)
    mass += x
    if (!passes(word)) continue
    sum += x
    if (x > max) max = x
  }
  return { max, sum, share: mass ? sum / mass : 0 }
}

function closest(words: string[], aim: Aim, likeness: (a: string, b: string) => number): number {
  let best = 0
  for (const word of words) {
    const x = weight(word)
    if (x <= best || word.length < 3) continue
    for (const [goal, y] of aim.words) {
      const most = Math.min(x, y)
      if (most > best && goal.length > 2) best = Math.max(best, most * likeness(word, goal))
    }
  }
  return best
}

/** One word inside the other, as in `serveroptions` for "server". */
export function inside(a: string, b: string): number {
  if (a === b) return 1
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.includes(short) ? Math.min(1, (1.5 * short.length) / long.length) : 0
}

/** The same beginning, as in `serializer` and "serialization". */
function samePrefix(a: string, b: string): number {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n++
  return n < 4 ? 0 : n / Math.max(a.length, b.length)
}
