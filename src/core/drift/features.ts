/**
 * The numbers stage one sees. Drifting work hangs together, so a single action rarely gives it away; what does is a run
 * of actions with few ties to everything before it. So for each of the last few actions we ask: had a foreign run begun
 * there, how well would that run fit the goal, and how well the work before it?
 */
import { type Aim, GOAL_FEATURES } from './goal.ts'
import { type Index, indexNotes, type Ties, tiesOf, type Word } from './ties.ts'
import { isChange, type Note } from './trail.ts'

/** How many actions back a foreign run may have begun. */
export const LONGEST_RUN = 7

/** How an action is tied to the work before position s; `from` is the first that its ties were asked for. */
function linkTo(ties: Ties, s: number, from: number) {
  const text = tally(ties.text, (word) => word.firstText < s)
  const baseInText = tally(ties.base, (word) => word.firstText < s)
  const baseInBase = tally(ties.base, (word) => word.firstBase < s)
  const folder = tally(ties.folder, (word) => word.firstText < s || word.firstBase < s)
  const closest = ties.closest[s - from]!
  const named = count(ties.names, (name) => name.first < s)
  const placed = (x: number) => (ties.hasPath ? x : -1)
  return {
    textMax: text.max,
    textShare: text.share,
    textSum: Math.min(text.sum, 8),
    namesShare: ties.names.length ? named / ties.names.length : 0,
    namesCount: Math.min(named, 6),
    baseTextMax: baseInText.max,
    baseTextShare: baseInText.share,
    baseBaseMax: baseInBase.max,
    baseBaseShare: baseInBase.share,
    fileNamed: closest.fileNamed,
    sameFile: closest.sameFile,
    sameEdited: closest.sameEdited,
    sameDir: closest.sameDir,
    distance: placed(closest.distance),
    distanceEdited: placed(closest.distanceEdited),
    common: placed(closest.common),
    sameStem: closest.sameStem,
    sameExt: placed(closest.sameExt),
    sameTop: placed(closest.sameTop),
    folderShare: folder.share,
    near: closest.near,
    nearText: closest.nearText,
    nearAim: closest.nearAim,
    themeShare: themeShare(ties, s),
    inside: closest.inside,
  }
}

function tally(words: readonly Word[], passes: (word: Word) => boolean) {
  let max = 0
  let sum = 0
  let mass = 0
  for (const word of words) {
    mass += word.x
    if (!passes(word)) continue
    sum += word.x
    if (word.x > max) max = word.x
  }
  return { max, sum, share: mass ? sum / mass : 0 }
}

/** How much of an action belongs to the theme of the work before s. */
function themeShare({ text, base }: Ties, s: number): number {
  let sum = 0
  let mass = 0
  for (const words of [text, base]) {
    for (const word of words) {
      mass += word.x
      if (word.goal || word.second < s) sum += word.x
    }
  }
  return mass ? sum / mass : 0
}

/** What is usual in the work before a run: under a vague goal every action looks loose. */
interface Head {
  goal: number
  text: number
  base: number
  link: number
  names: number
  distance: number
  same: number
  files: number
  dirs: number
}

/** The work before each s from `from` on, read in one pass. The first action has nothing before it that it could be tied to. */
function headsOf(notes: Note[], { traits }: Index, from: number): Head[] {
  const sums = { goal: 0, text: 0, base: 0, link: 0, names: 0, distance: 0, same: 0 }
  const files = new Set<string>()
  const dirs = new Set<string>()
  const heads: Head[] = []
  let placed = 0
  for (let s = 0; s < notes.length; s++) {
    if (s >= from) {
      heads.push({
        goal: share(sums.goal, s),
        text: share(sums.text, s),
        base: share(sums.base, s),
        link: share(sums.link, s - 1),
        names: share(sums.names, s - 1),
        distance: share(sums.distance, placed),
        same: share(sums.same, s - 1),
        files: files.size,
        dirs: dirs.size,
      })
    }
    const { goal, link, path } = notes[s]!
    sums.goal += goal[GOAL.goalShare!]!
    sums.text += goal[GOAL.textShare!]!
    sums.base += goal[GOAL.baseShare!]!
    files.add(path)
    dirs.add(traits[s]!.folder)
    if (s === 0) continue
    sums.link += link[0]!
    sums.names += link[1]!
    sums.same += link[3]!
    if (link[2]! < 0) continue
    sums.distance += link[2]!
    placed++
  }
  return heads
}

function share(sum: number, of: number): number {
  return of > 0 ? sum / of : 0
}

/** How the run hangs together, and how it compares with what is usual in this task. */
function shapeOf(notes: Note[], s: number, ties: Ties[], links: number[][], head: Head, goal: GoalUse) {
  const run = notes.slice(s)
  const link = average(links, (row) => row[LINK.textShare!]!)
  const within = (of: (tie: Ties) => number) => (ties.length > 1 ? average(ties.slice(1), of) : -1)
  const inText = within((tie) => tally(tie.text, (word) => word.last >= s).share)
  const shareOf = (is: (note: Note) => boolean) => count(run, is) / run.length
  return {
    headGoal: head.goal,
    headText: head.text,
    headBase: head.base,
    headLink: head.link,
    headNames: head.names,
    headDistance: head.distance,
    headSame: head.same,
    goalChange: average(run, (note) => note.goal[GOAL.goalShare!]!) - head.goal,
    linkChange: link - head.link,
    distanceChange: average(links, (row) => row[LINK.distance!]!) - head.distance,
    inText,
    inNames: within((tie) => count(tie.names, (name) => name.last >= s) / Math.max(1, tie.names.length)),
    inBase: within((tie) => tally(tie.base, (word) => word.last >= s).share),
    inMinusLink: inText - link,
    files: new Set(run.map((note) => note.path)).size / run.length,
    goalUsed: goal.used(s),
    goalFresh: goal.fresh(s),
    length: run.length,
    position: notes.length - 1,
    start: s,
    headFiles: head.files,
    headDirs: head.dirs,
    goalSize: goal.size,
    words: average(run, (note) => note.text.length),
    read: shareOf((note) => note.kind === 'read'),
    edit: shareOf(isChange),
    search: shareOf((note) => note.kind === 'search'),
    cmd: shareOf((note) => note.kind === 'cmd'),
    test: shareOf((note) => note.role === 'test'),
    docs: shareOf((note) => note.role === 'docs'),
    config: shareOf((note) => note.role === 'config'),
  }
}

/** Which words of the goal the work has used, and when. */
class GoalUse {
  readonly size: number
  readonly #mass: number
  readonly #words: { x: number; first: number; last: number }[] = []

  constructor({ words, mass }: Aim, { words: places }: Index, notes: Note[], from: number) {
    this.size = words.size
    this.#mass = mass
    const last = new Map<string, number>()
    for (let at = from; at < notes.length; at++) {
      const { text, base, folder } = notes[at]!
      for (const list of [text, base, folder]) for (const word of list) if (words.has(word)) last.set(word, at)
    }
    for (const [word, x] of words) {
      const first = places.get(word)?.any[0] ?? notes.length
      const used = last.get(word) ?? -1
      // What was used neither before nor in a run says nothing about any.
      if (first < notes.length || used >= 0) this.#words.push({ x, first, last: used })
    }
  }

  /** The share of the goal that the work before s has used. */
  used(s: number): number {
    let used = 0
    for (const { x, first } of this.#words) if (first < s) used += x
    return used / this.#mass
  }

  /** The share that only the run from s on uses. */
  fresh(s: number): number {
    let fresh = 0
    for (const { x, first, last } of this.#words) if (first >= s && last >= s) fresh += x
    return fresh / this.#mass
  }
}

/** One row per possible beginning of a foreign run: the newest action alone, the last two, … And the newest one's ties. */
export function runRows(notes: Note[], aim: Aim): { rows: number[][]; link: number[] } {
  const index = indexNotes(notes)
  const newest = notes.length - 1
  const from = Math.max(0, newest + 1 - LONGEST_RUN)
  const ties = notes.slice(from).map((_, i) => tiesOf(notes, from + i, index, aim, from))
  const heads = headsOf(notes, index, from)
  const goal = new GoalUse(aim, index, notes, from)
  const rows: number[][] = []
  for (let s = newest; s >= Math.max(1, from); s--) {
    const run = ties.slice(s - from)
    const goals = notes.slice(s).map((note) => note.goal)
    const links = run.map((tie) => Object.values(linkTo(tie, s, from)))
    const row: number[] = []
    addMeans(row, goals)
    addMeans(row, links)
    for (const k of GOAL_PEAKS) row.push(peak(goals, k))
    for (const k of LINK_PEAKS) row.push(peak(links, k))
    row.push(...Object.values(shapeOf(notes, s, run, links, heads[s - from]!, goal)))
    rows.push(row)
  }
  const own = Object.values(linkTo(ties.at(-1)!, newest, from))
  return { rows, link: KEPT.map((k) => own[k]!) }
}

function addMeans(to: number[], rows: number[][]) {
  for (let k = 0; k < rows[0]!.length; k++) {
    let sum = 0
    for (const row of rows) sum += row[k]!
    to.push(sum / rows.length)
  }
}

function peak(rows: number[][], k: number): number {
  let best = -1
  for (const row of rows) if (row[k]! > best) best = row[k]!
  return best
}

function average<T>(list: readonly T[], of: (one: T) => number): number {
  let sum = 0
  for (const one of list) sum += of(one)
  return list.length ? sum / list.length : 0
}

function count<T>(list: readonly T[], is: (one: T) => boolean): number {
  let n = 0
  for (const one of list) if (is(one)) n++
  return n
}

// The names come from the functions themselves, so that a name and its number cannot come apart.
const nothing: Note = {
  ...{ kind: 'cmd', path: '', role: 'source', stem: '', base: [], folder: [], text: [], ids: [] },
  ...{ goal: GOAL_FEATURES.map(() => 0), link: [0, 0, 0, 0] },
}
const noAim: Aim = { words: new Map(), mass: 1, names: new Set(), context: new Set() }
const noNotes = [nothing, nothing]
const noIndex = indexNotes(noNotes)
const noTies = tiesOf(noNotes, 1, noIndex, noAim, 1)
const noLink = linkTo(noTies, 1, 1)
const LINK_FEATURES = Object.keys(noLink)
const noUse = new GoalUse(noAim, noIndex, noNotes, 1)

const GOAL = Object.fromEntries(GOAL_FEATURES.map((name, k) => [name, k]))
const LINK = Object.fromEntries(LINK_FEATURES.map((name, k) => [name, k]))
/** The ties a note keeps: enough to know later what was usual in this task. */
const KEPT = ['textShare', 'namesShare', 'distance', 'sameFile'].map((name) => LINK[name]!)
/** Where one well-fitting action is enough to vouch for a run. */
const GOAL_PEAKS = 'baseMax baseShare textMax textShare names prefix pathInside textInside'
  .split(' ')
  .map((name) => GOAL[name]!)
const LINK_PEAKS = (
  'textMax textShare namesShare namesCount baseTextMax baseBaseMax fileNamed sameFile sameDir common sameStem near ' +
  'nearText nearAim themeShare inside'
)
  .split(' ')
  .map((name) => LINK[name]!)

const [noHead] = headsOf(noNotes, noIndex, 1)

/**
 * Names of the numbers in a row, in order; training needs them.
 * @public
 */
export const FEATURES = [
  ...GOAL_FEATURES.map((name) => `goal.${name}`),
  ...LINK_FEATURES.map((name) => `link.${name}`),
  ...GOAL_PEAKS.map((k) => `goal.peak.${GOAL_FEATURES[k]}`),
  ...LINK_PEAKS.map((k) => `link.peak.${LINK_FEATURES[k]}`),
  ...Object.keys(shapeOf(noNotes, 1, [noTies], [Object.values(noLink)], noHead!, noUse)).map((name) => `run.${name}`),
]
