/**
 * The numbers stage one sees. Drifting work hangs together, so a single action rarely gives it away; what does is a run
 * of actions with few ties to everything before it. So for each of the last few actions we ask: had a foreign run begun
 * there, how well would that run fit the goal, and how well the work before it?
 */
import { type Aim, GOAL_FEATURES } from './goal.ts'
import { type Index, indexNotes, type Ties, tiesOf, type Word } from './ties.ts'
import type { Note } from './trail.ts'

/** How many actions back a foreign run may have begun. */
export const LONGEST_RUN = 7

/** How an action is tied to the work before position s. */
function linkTo(ties: Ties, s: number) {
  const text = tally(ties.text, (word) => word.firstText < s)
  const baseInText = tally(ties.base, (word) => word.firstText < s)
  const baseInBase = tally(ties.base, (word) => word.firstBase < s)
  const folder = tally(ties.folder, (word) => word.firstText < s || word.firstBase < s)
  const theme = tally([...ties.text, ...ties.base], (word) => word.goal || word.second < s)
  const named = ties.names.filter((name) => name.first < s).length
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
    fileNamed: ties.fileNamed[s]!,
    sameFile: ties.sameFile[s]!,
    sameEdited: ties.sameEdited[s]!,
    sameDir: ties.sameDir[s]!,
    distance: placed(ties.distance[s]!),
    distanceEdited: placed(ties.distanceEdited[s]!),
    common: placed(ties.common[s]!),
    sameStem: ties.sameStem[s]!,
    sameExt: placed(ties.sameExt[s]!),
    sameTop: placed(ties.sameTop[s]!),
    folderShare: folder.share,
    near: ties.near[s]!,
    nearText: ties.nearText[s]!,
    nearAim: ties.nearAim[s]!,
    themeShare: theme.share,
    inside: ties.inside[s]!,
  }
}

function tally(words: Word[], passes: (word: Word) => boolean) {
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

/** How the run hangs together, and what is usual in this task: under a vague goal every action looks loose. */
function shapeOf(notes: Note[], s: number, ties: Ties[], links: number[][], aim: Aim, index: Index) {
  const head = notes.slice(0, s)
  const later = head.slice(1)
  const run = notes.slice(s)
  const headGoal = average(head.map((note) => note.goal[GOAL.goalShare!]!))
  const [headLink, headNames, , headSame] = KEPT.map((_, k) => average(later.map((note) => note.link[k]!)))
  const headDistance = average(later.map((note) => note.link[2]!).filter((distance) => distance >= 0))
  const link = average(links.map((row) => row[LINK.textShare!]!))
  const within = (of: (tie: Ties) => number) => (ties.length > 1 ? average(ties.slice(1).map(of)) : -1)
  const inText = within((tie) => tally(tie.text, (word) => word.last >= s).share)
  const goal = goalUse(aim, index, run, s)
  const share = (is: (note: Note) => boolean) => run.filter(is).length / run.length
  return {
    headGoal,
    headText: average(head.map((note) => note.goal[GOAL.textShare!]!)),
    headBase: average(head.map((note) => note.goal[GOAL.baseShare!]!)),
    headLink: headLink!,
    headNames: headNames!,
    headDistance,
    headSame: headSame!,
    goalChange: average(run.map((note) => note.goal[GOAL.goalShare!]!)) - headGoal,
    linkChange: link - headLink!,
    distanceChange: average(links.map((row) => row[LINK.distance!]!)) - headDistance,
    inText,
    inNames: within((tie) => tie.names.filter((name) => name.last >= s).length / Math.max(1, tie.names.length)),
    inBase: within((tie) => tally(tie.base, (word) => word.last >= s).share),
    inMinusLink: inText - link,
    files: new Set(run.map((note) => note.path)).size / run.length,
    goalUsed: goal.used,
    goalFresh: goal.fresh,
    length: run.length,
    position: notes.length - 1,
    start: s,
    headFiles: new Set(head.map((note) => note.path)).size,
    headDirs: new Set(index.dirs.slice(0, s).map((dirs) => dirs.join('/'))).size,
    goalSize: aim.words.size,
    words: average(run.map((note) => note.text.length)),
    read: share((note) => note.kind === 'read'),
    edit: share((note) => note.kind === 'edit' || note.kind === 'write'),
    search: share((note) => note.kind === 'search'),
    cmd: share((note) => note.kind === 'cmd'),
    test: share((note) => note.role === 'test'),
    docs: share((note) => note.role === 'docs'),
    config: share((note) => note.role === 'config'),
  }
}

/** The share of the goal that the work before s has used, and the share that only this run uses. */
function goalUse(aim: Aim, index: Index, run: Note[], s: number) {
  const mine = new Set(run.flatMap((note) => [...note.text, ...note.base, ...note.folder]))
  let used = 0
  let fresh = 0
  for (const [word, x] of aim.words) {
    const first = index.words.get(word)?.any[0] ?? s
    if (first < s) used += x
    else if (mine.has(word)) fresh += x
  }
  return { used: used / aim.mass, fresh: fresh / aim.mass }
}

/** One row per possible beginning of a foreign run: the newest action alone, the last two, … And the newest one's ties. */
export function runRows(notes: Note[], aim: Aim): { rows: number[][]; link: number[] } {
  const index = indexNotes(notes)
  const newest = notes.length - 1
  const from = Math.max(0, newest + 1 - LONGEST_RUN)
  const ties = notes.slice(from).map((_, i) => tiesOf(notes, from + i, index, aim))
  const rows: number[][] = []
  for (let s = newest; s >= Math.max(1, from); s--) {
    const run = ties.slice(s - from)
    const goals = notes.slice(s).map((note) => note.goal)
    const links = run.map((tie) => Object.values(linkTo(tie, s)))
    rows.push([
      ...means(goals),
      ...means(links),
      ...GOAL_PEAKS.map((k) => peak(goals, k)),
      ...LINK_PEAKS.map((k) => peak(links, k)),
      ...Object.values(shapeOf(notes, s, run, links, aim, index)),
    ])
  }
  const own = Object.values(linkTo(ties.at(-1)!, newest))
  return { rows, link: KEPT.map((k) => own[k]!) }
}

function means(rows: number[][]): number[] {
  return rows[0]!.map((_, k) => average(rows.map((row) => row[k]!)))
}

function peak(rows: number[][], k: number): number {
  let best = -1
  for (const row of rows) if (row[k]! > best) best = row[k]!
  return best
}

function average(xs: number[]): number {
  let sum = 0
  for (const x of xs) sum += x
  return xs.length ? sum / xs.length : 0
}

// The names come from the functions themselves, so that a name and its number cannot come apart.
const nothing: Note = {
  ...{ kind: 'cmd', path: '', role: 'source', stem: '', base: [], folder: [], text: [], ids: [] },
  ...{ goal: GOAL_FEATURES.map(() => 0), link: [0, 0, 0, 0] },
}
const noAim: Aim = { words: new Map(), mass: 1, names: new Set(), context: new Set() }
const noIndex = indexNotes([nothing, nothing])
const noTies = tiesOf([nothing, nothing], 1, noIndex, noAim)
const LINK_FEATURES = Object.keys(linkTo(noTies, 1))

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

/**
 * Names of the numbers in a row, in order; training needs them.
 * @public
 */
export const FEATURES = [
  ...GOAL_FEATURES.map((name) => `goal.${name}`),
  ...LINK_FEATURES.map((name) => `link.${name}`),
  ...GOAL_PEAKS.map((k) => `goal.peak.${GOAL_FEATURES[k]}`),
  ...LINK_PEAKS.map((k) => `link.peak.${LINK_FEATURES[k]}`),
  ...Object.keys(shapeOf([nothing, nothing], 1, [noTies], [Object.values(linkTo(noTies, 1))], noAim, noIndex)).map(
    (name) => `run.${name}`,
  ),
]
