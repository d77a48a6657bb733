/** How one action is tied to each earlier one, kept so that "everything before step s" can be asked for the last few s. */
import { splitPath, weight } from './gist.ts'
import { type Aim, GOAL_FEATURES, inside } from './goal.ts'
import { isChange, type Note } from './trail.ts'

const NEVER = 1e9
const FARTHEST = 12
const GOAL_SHARE = GOAL_FEATURES.indexOf('goalShare')

/** Where a word has been, as positions in the notes. */
interface Places {
  text: number[]
  base: number[]
  any: number[]
}

export interface Index {
  words: Map<string, Places>
  names: Map<string, number[]>
  traits: Traits[]
}

/** What every comparison with a note asks for. */
interface Traits {
  dirs: string[]
  /** The same as one text. */
  folder: string
  extension: string
  mass: number
  textMass: number
}

const knownTraits = new WeakMap<Note, Traits>()

/** By note: it is compared with every later one. */
function traitsOf(note: Note): Traits {
  const known = knownTraits.get(note)
  if (known) return known
  const { dirs, file } = splitPath(note.path)
  let textMass = 0
  for (const word of note.text) textMass += weight(word)
  let mass = textMass
  for (const word of note.base) if (!note.text.includes(word)) mass += weight(word)
  const extension = file.slice(file.lastIndexOf('.') + 1)
  const traits = { dirs, folder: dirs.join('/'), extension, mass, textMass }
  knownTraits.set(note, traits)
  return traits
}

export function indexNotes(notes: Note[]): Index {
  const index: Index = { words: new Map(), names: new Map(), traits: notes.map(traitsOf) }
  for (let at = 0; at < notes.length; at++) {
    const note = notes[at]!
    for (const word of note.text) {
      const places = placesOf(index, word)
      places.text.push(at)
      places.any.push(at)
    }
    for (const word of note.base) {
      const places = placesOf(index, word)
      places.base.push(at)
      if (places.any.at(-1) !== at) places.any.push(at)
    }
    for (const name of note.ids) push(index.names, name, at)
  }
  return index
}

function placesOf(index: Index, word: string): Places {
  const known = index.words.get(word)
  if (known) return known
  const places: Places = { text: [], base: [], any: [] }
  index.words.set(word, places)
  return places
}

function push(map: Map<string, number[]>, key: string, at: number) {
  const places = map.get(key)
  if (places) places.push(at)
  else map.set(key, [at])
}

/** A word of the action: its weight, whether the goal has it, and where it was before. */
export interface Word {
  x: number
  goal: boolean
  firstText: number
  firstBase: number
  /** It belongs to the theme once two earlier actions used it. */
  second: number
  /** The latest earlier action that used it. */
  last: number
}

export interface Ties {
  base: Word[]
  folder: Word[]
  text: Word[]
  /** First and latest earlier place of each name. */
  names: Array<{ first: number; last: number }>
  hasPath: boolean
  /** For each s since `from`: the closest ties to any action before s. */
  closest: Closest[]
}

/** The closest tie of each kind that an action has to any of some others. */
interface Closest {
  near: number
  nearText: number
  nearAim: number
  inside: number
  fileNamed: number
  sameFile: number
  sameEdited: number
  sameStem: number
  sameDir: number
  sameExt: number
  sameTop: number
  common: number
  distance: number
  distanceEdited: number
}

const NOT_TIED: Closest = {
  ...{ near: 0, nearText: 0, nearAim: 0, inside: 0, fileNamed: 0, sameFile: 0, sameEdited: 0, sameStem: 0, sameDir: 0 },
  ...{ sameExt: 0, sameTop: 0, common: 0, distance: FARTHEST, distanceEdited: FARTHEST },
}

/** The ties of the action at `at` to those before it; asked for every s from `from` on. */
export function tiesOf(notes: Note[], at: number, index: Index, aim: Aim, from: number): Ties {
  const me = notes[at]!
  const word = (w: string): Word => {
    const places = index.words.get(w)
    return {
      x: weight(w),
      goal: aim.words.has(w),
      firstText: before(places?.text[0], at),
      firstBase: before(places?.base[0], at),
      second: before(places?.any[1], at),
      last: latest(places?.any, at),
    }
  }
  return {
    base: me.base.map(word),
    folder: me.folder.map(word),
    text: me.text.map(word),
    names: me.ids.map((name) => {
      const places = index.names.get(name)
      return { first: before(places?.[0], at), last: latest(places, at) }
    }),
    hasPath: me.path !== '',
    closest: closestTies(notes, at, index, from),
  }
}

function before(place: number | undefined, at: number): number {
  return place !== undefined && place < at ? place : NEVER
}

function latest(places: readonly number[] = [], at: number): number {
  for (let i = places.length - 1; i >= 0; i--) if (places[i]! < at) return places[i]!
  return -1
}

function closestTies(notes: Note[], at: number, index: Index, from: number): Closest[] {
  const me = notes[at]!
  const { mass, textMass } = index.traits[at]!
  const { shared, sharedText } = sharedWeight(me, at, index)
  const fileTie = fileTies(me, index.traits[at]!)
  const now = { ...NOT_TIED }
  const closest = from === 0 ? [NOT_TIED] : []
  for (let i = 0; i < at; i++) {
    const note = notes[i]!
    const theirs = index.traits[i]!
    const near = shared[i]! / Math.sqrt((theirs.mass + 0.5) * (mass + 0.5))
    now.near = Math.max(now.near, near)
    now.nearAim = Math.max(now.nearAim, near * note.goal[GOAL_SHARE]!)
    if (me.text.length > 2) {
      now.nearText = Math.max(now.nearText, sharedText[i]! / Math.sqrt((theirs.textMass + 0.5) * (textMass + 0.5)))
    }
    const file = fileTie(note, theirs)
    now.inside = Math.max(now.inside, file.inside)
    now.fileNamed = Math.max(now.fileNamed, file.named)
    now.common = Math.max(now.common, file.common)
    now.distance = Math.min(now.distance, file.distance)
    if (me.path !== '' && note.path === me.path) now.sameFile = 1
    if (me.stem.length > 2 && note.stem === me.stem) now.sameStem = 1
    if (file.distance === 0) now.sameDir = 1
    if (file.sameExt) now.sameExt = 1
    if (file.sameTop) now.sameTop = 1
    if (isChange(note)) {
      now.distanceEdited = Math.min(now.distanceEdited, file.distance)
      if (me.path !== '' && note.path === me.path) now.sameEdited = 1
    }
    if (i + 1 >= from) closest.push({ ...now })
  }
  return closest
}

/** The weight of the words that an action shares with each earlier one. */
function sharedWeight(me: Note, at: number, index: Index) {
  const shared = new Float64Array(at)
  const sharedText = new Float64Array(at)
  for (const w of me.text) {
    const x = weight(w)
    const places = index.words.get(w)!
    for (const i of places.any) if (i < at) shared[i]! += x
    for (const i of places.text) if (i < at) sharedText[i]! += x
  }
  for (const w of me.base) {
    if (me.text.includes(w)) continue
    const x = weight(w)
    for (const i of index.words.get(w)!.any) if (i < at) shared[i]! += x
  }
  return { shared, sharedText }
}

/** How one file is tied to another. */
interface FileTie {
  inside: number
  named: number
  distance: number
  common: number
  sameExt: boolean
  sameTop: boolean
}

/** Compares an action's file with others; with each once, since a trail comes back to the same few files. */
function fileTies(me: Note, mine: Traits): (note: Note, theirs: Traits) => FileTie {
  const known = new Map<string, FileTie>()
  const text = new Set(me.text)
  const names = new Set(me.ids)
  return (note, theirs) => {
    const found = known.get(note.path)
    if (found) return found
    const depth = sharedDepth(mine.dirs, theirs.dirs)
    const arePlaced = me.path !== '' && note.path !== ''
    const tie = {
      inside: insideNames(me.base, note.base),
      named: fileNamed(note, text, names),
      distance: arePlaced ? mine.dirs.length + theirs.dirs.length - 2 * depth : FARTHEST,
      common: arePlaced ? depth / Math.max(1, mine.dirs.length, theirs.dirs.length) : 0,
      sameExt: mine.extension !== '' && theirs.extension === mine.extension,
      sameTop: mine.dirs.length > 0 && depth > 0,
    }
    known.set(note.path, tie)
    return tie
  }
}

/** How much of a file's name stands in an action's text. */
function fileNamed({ stem, base }: Note, text: ReadonlySet<string>, names: ReadonlySet<string>): number {
  if (stem.length < 3) return 0
  if (names.has(stem)) return 1
  let mass = 0
  let hit = 0
  for (const w of base) {
    mass += weight(w)
    if (text.has(w)) hit += weight(w)
  }
  return mass ? (hit / mass) * weight(base[0]!) : 0
}

function sharedDepth(a: string[], b: string[]): number {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n++
  return n
}

function insideNames(mine: string[], theirs: string[]): number {
  let best = 0
  for (const a of mine) {
    for (const b of theirs) {
      if (a !== b && a.length > 2 && b.length > 2) best = Math.max(best, inside(a, b) * Math.min(weight(a), weight(b)))
    }
  }
  return best
}
