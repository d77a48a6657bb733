/** How one action is tied to each earlier one, kept so that "everything before step s" can be asked for any s cheaply. */
import { splitPath, weight } from './gist.ts'
import { type Aim, GOAL_FEATURES, inside } from './goal.ts'
import type { Note } from './trail.ts'

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
  dirs: string[][]
  files: string[]
  mass: number[]
  textMass: number[]
}

export function indexNotes(notes: Note[]): Index {
  const index: Index = { words: new Map(), names: new Map(), dirs: [], files: [], mass: [], textMass: [] }
  notes.forEach((note, at) => {
    let mass = 0
    let textMass = 0
    for (const word of note.text) {
      const places = placesOf(index, word)
      places.text.push(at)
      places.any.push(at)
      textMass += weight(word)
    }
    mass = textMass
    for (const word of note.base) {
      const places = placesOf(index, word)
      places.base.push(at)
      if (places.any.at(-1) !== at) {
        places.any.push(at)
        mass += weight(word)
      }
    }
    for (const name of note.ids) push(index.names, name, at)
    const { dirs, file } = splitPath(note.path)
    index.dirs.push(dirs)
    index.files.push(file)
    index.mass.push(mass)
    index.textMass.push(textMass)
  })
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
  /** For each s: the closest tie to any action before s. */
  near: number[]
  nearText: number[]
  inside: number[]
  fileNamed: number[]
  sameFile: number[]
  sameEdited: number[]
  sameStem: number[]
  sameDir: number[]
  sameExt: number[]
  sameTop: number[]
  distance: number[]
  distanceEdited: number[]
  common: number[]
  nearAim: number[]
}

export function tiesOf(notes: Note[], at: number, index: Index, aim: Aim): Ties {
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
  const pairs = pairUp(notes, at, index)
  const best = (of: (i: number) => number) => running(at, 0, Math.max, of)
  const least = (of: (i: number) => number) => running(at, FARTHEST, Math.min, of)
  const edited = (i: number) => notes[i]!.kind === 'edit' || notes[i]!.kind === 'write'
  return {
    base: me.base.map(word),
    folder: me.folder.map(word),
    text: me.text.map(word),
    names: me.ids.map((name) => {
      const places = index.names.get(name)
      return { first: before(places?.[0], at), last: latest(places, at) }
    }),
    hasPath: me.path !== '',
    near: best((i) => pairs.near[i]!),
    nearText: best((i) => pairs.nearText[i]!),
    nearAim: best((i) => pairs.near[i]! * notes[i]!.goal[GOAL_SHARE]!),
    inside: best((i) => pairs.inside[i]!),
    fileNamed: best((i) => pairs.fileNamed[i]!),
    sameFile: best((i) => pairs.sameFile[i]!),
    sameEdited: best((i) => (edited(i) ? pairs.sameFile[i]! : 0)),
    sameStem: best((i) => pairs.sameStem[i]!),
    sameDir: best((i) => (pairs.distance[i] === 0 ? 1 : 0)),
    sameExt: best((i) => pairs.sameExt[i]!),
    sameTop: best((i) => pairs.sameTop[i]!),
    distance: least((i) => pairs.distance[i]!),
    distanceEdited: least((i) => (edited(i) ? pairs.distance[i]! : FARTHEST)),
    common: best((i) => pairs.common[i]!),
  }
}

function before(place: number | undefined, at: number): number {
  return place !== undefined && place < at ? place : NEVER
}

function latest(places: number[] | undefined, at: number): number {
  let last = -1
  for (const place of places ?? []) if (place < at) last = place
  return last
}

/** out[s] = the best over all i < s. */
function running(length: number, start: number, pick: (a: number, b: number) => number, of: (i: number) => number) {
  const out = [start]
  for (let i = 0; i < length; i++) out.push(pick(out[i]!, of(i)))
  return out
}

function pairUp(notes: Note[], at: number, index: Index) {
  const me = notes[at]!
  const shared = new Float64Array(at)
  const sharedText = new Float64Array(at)
  const textWords = new Set(me.text)
  const names = new Set(me.ids)
  for (const w of new Set([...me.text, ...me.base])) {
    const x = weight(w)
    const places = index.words.get(w)!
    for (const i of places.any) if (i < at) shared[i]! += x
    if (textWords.has(w)) for (const i of places.text) if (i < at) sharedText[i]! += x
  }
  const myDirs = index.dirs[at]!
  const myExt = extension(index.files[at]!)
  const of = (pair: (note: Note, i: number) => number) => notes.slice(0, at).map(pair)
  const depth = of((_, i) => sharedDepth(myDirs, index.dirs[i]!))
  return {
    near: of((_, i) => shared[i]! / Math.sqrt((index.mass[i]! + 0.5) * (index.mass[at]! + 0.5))),
    nearText: of((_, i) =>
      me.text.length > 2 ? sharedText[i]! / Math.sqrt((index.textMass[i]! + 0.5) * (index.textMass[at]! + 0.5)) : 0,
    ),
    inside: of((note) => insideNames(me.base, note.base)),
    fileNamed: of((note) => {
      if (note.stem.length < 3) return 0
      if (names.has(note.stem)) return 1
      let mass = 0
      let hit = 0
      for (const w of note.base) {
        mass += weight(w)
        if (textWords.has(w)) hit += weight(w)
      }
      return mass ? (hit / mass) * weight(note.base[0]!) : 0
    }),
    sameFile: of((note) => (me.path !== '' && note.path === me.path ? 1 : 0)),
    sameStem: of((note) => (me.stem.length > 2 && note.stem === me.stem ? 1 : 0)),
    sameExt: of((_, i) => (myExt && extension(index.files[i]!) === myExt ? 1 : 0)),
    sameTop: of((_, i) => (myDirs.length > 0 && depth[i]! > 0 ? 1 : 0)),
    distance: of((note, i) =>
      me.path && note.path ? myDirs.length + index.dirs[i]!.length - 2 * depth[i]! : FARTHEST,
    ),
    common: of((note, i) => (me.path && note.path ? depth[i]! / Math.max(1, myDirs.length, index.dirs[i]!.length) : 0)),
  }
}

function extension(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
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
