import { isTelling, lineHash } from './lines.ts'

/** A change whose lines may be in a file today. */
export interface Origin {
  /** The change was made in this very file, under this name or an earlier one. */
  sameFile: boolean
  ranges: { start: number; lines: readonly number[] }[]
}

/** More than chance: so much of a run must be telling before it counts as moved here from another file. */
const MOVED = { lines: 3, letters: 40 }

/**
 * Which change each line of a file comes from, as an index into `origins`, which come newest first; -1 for none. Lines
 * are found by what they say, wherever they stand now, so moves, rebases, squashes and new indentation do not matter.
 * The newest change that wrote a line has it; changes of this file come before those of others.
 */
export function blameLines(text: readonly string[], origins: readonly Origin[]): number[] {
  const file = new File(text)
  for (const isSame of [true, false]) {
    for (const [index, origin] of origins.entries()) {
      if (origin.sameFile !== isSame) continue
      for (const { start, lines } of origin.ranges) file.claim(lines, start - 1, index, isSame)
    }
  }
  return file.owners
}

interface LineRun {
  /** Where it begins in the change's lines, and in the file. */
  from: number
  at: number
  length: number
  telling: number
  letters: number
}

class File {
  readonly owners: number[]
  private readonly hashes: number[]
  private readonly telling: boolean[]
  private readonly places = new Map<number, number[]>()
  private readonly text: readonly string[]

  constructor(text: readonly string[]) {
    this.text = text
    this.owners = text.map(() => -1)
    this.hashes = text.map(lineHash)
    this.telling = text.map(isTelling)
    for (const [at, hash] of this.hashes.entries()) {
      const known = this.places.get(hash)
      if (known) known.push(at)
      else this.places.set(hash, [at])
    }
  }

  claim(lines: readonly number[], expected: number, owner: number, isSame: boolean) {
    const claimed = this.match(lines, 0, lines.length, 0, this.text.length, expected, isSame, owner)
    // A brace or a blank line proves nothing elsewhere; it is claimed only at the place where it was written.
    if (!claimed && isSame && lines.every((hash, i) => this.isFree(expected + i, hash))) {
      for (let i = 0; i < lines.length; i++) this.owners[expected + i] = owner
    }
  }

  /** The longest run first, then what lies before and behind it. */
  private match(
    lines: readonly number[],
    from: number,
    to: number,
    low: number,
    high: number,
    expected: number,
    isSame: boolean,
    owner: number,
  ): boolean {
    const run = this.longestRun(lines, from, to, low, high, expected)
    if (!run) return false
    const isWhole = run.length === lines.length && run.letters >= MOVED.letters
    if (!isSame && run.telling < MOVED.lines && !isWhole) return false
    for (let i = 0; i < run.length; i++) this.owners[run.at + i] = owner
    // What stood beside it in the change belongs to it beside it here too, though it alone would prove nothing.
    this.match(lines, from, run.from, low, run.at, expected, true, owner)
    this.match(lines, run.from + run.length, to, run.at + run.length, high, expected, true, owner)
    return true
  }

  private longestRun(
    lines: readonly number[],
    from: number,
    to: number,
    low: number,
    high: number,
    expected: number,
  ): LineRun | undefined {
    let best: LineRun | undefined
    for (let i = from; i < to; i++) {
      for (const place of this.places.get(lines[i]!) ?? []) {
        if (place < low || place >= high || !this.telling[place] || this.owners[place] !== -1) continue
        // Inside a run that has been measured already.
        if (best && i >= best.from && i < best.from + best.length && place - best.at === i - best.from) continue
        const run = this.runAround(lines, i, place, from, to, low, high)
        if (!best || isBetter(run, best, expected)) best = run
      }
    }
    return best
  }

  private runAround(
    lines: readonly number[],
    i: number,
    place: number,
    from: number,
    to: number,
    low: number,
    high: number,
  ): LineRun {
    let back = 0
    while (i - back > from && place - back > low && this.isFree(place - back - 1, lines[i - back - 1]!)) back++
    let length = back + 1
    while (i - back + length < to && place - back + length < high) {
      if (!this.isFree(place - back + length, lines[i - back + length]!)) break
      length++
    }
    const at = place - back
    let [telling, letters] = [0, 0]
    for (let n = at; n < at + length; n++) {
      if (this.telling[n]) telling++
      letters += this.text[n]!.trim().length
    }
    return { from: i - back, at, length, telling, letters }
  }

  private isFree(at: number, hash: number): boolean {
    return this.hashes[at] === hash && this.owners[at] === -1
  }
}

function isBetter(run: LineRun, best: LineRun, expected: number): boolean {
  if (run.telling !== best.telling) return run.telling > best.telling
  if (run.length !== best.length) return run.length > best.length
  return Math.abs(run.at - run.from - expected) < Math.abs(best.at - best.from - expected)
}
