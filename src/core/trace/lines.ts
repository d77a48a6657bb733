/** Texts as lines, and lines as numbers: how a change is found, and how it is found again. */

/** Lines from first to last, counted from 1, both included. */
export interface LineRange {
  start: number
  end: number
}

/** The lines of a text; a line end at the end begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The lines of the new text that are not in the old one, at their places in the new text. */
export function changedRanges(before: readonly string[], after: readonly string[]): LineRange[] {
  const changed: LineRange[] = []
  compare(before, after, 0, before.length, 0, after.length, (from, to) => {
    const last = changed.at(-1)
    if (last && last.end === from) last.end = to
    else if (to > from) changed.push({ start: from + 1, end: to })
  })
  return changed
}

type Report = (from: number, to: number) => void

/** Patience: lines that occur once on both sides are the anchors, and what lies between two anchors is compared alone. */
function compare(
  a: readonly string[],
  b: readonly string[],
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
  report: Report,
): void {
  let [a0, a1, b0, b1] = [aFrom, aTo, bFrom, bTo]
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
    a0++
    b0++
  }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
    a1--
    b1--
  }
  if (b0 === b1) return
  if (a0 === a1) {
    report(b0, b1)
    return
  }
  const anchors = uniquePairs(a, b, a0, a1, b0, b1)
  if (anchors.length === 0) {
    smallest(a, b, a0, a1, b0, b1, report)
    return
  }
  let [fromA, fromB] = [a0, b0]
  for (const [inA, inB] of anchors) {
    compare(a, b, fromA, inA, fromB, inB, report)
    fromA = inA + 1
    fromB = inB + 1
  }
  compare(a, b, fromA, a1, fromB, b1, report)
}

/** Lines that occur once in both parts, as the longest series that rises in both. */
function uniquePairs(
  a: readonly string[],
  b: readonly string[],
  a0: number,
  a1: number,
  b0: number,
  b1: number,
): [number, number][] {
  const onceInA = once(a, a0, a1)
  const pairs: [number, number][] = []
  for (const [line, inB] of once(b, b0, b1)) {
    const inA = onceInA.get(line)
    if (inA !== undefined) pairs.push([inA, inB])
  }
  return longestRise(pairs)
}

function once(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (let at = from; at < to; at++) {
    const line = lines[at]!
    if (places.has(line)) repeated.add(line)
    else places.set(line, at)
  }
  for (const line of repeated) places.delete(line)
  return places
}

/** Pairs come sorted by their second number; the longest selection whose first numbers rise too. */
function longestRise(pairs: [number, number][]): [number, number][] {
  const tails: number[] = []
  const before: number[] = []
  for (const [index, [inA]] of pairs.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tails[middle]!]![0] < inA) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? tails[low - 1]! : -1
    tails[low] = index
  }
  const rise: [number, number][] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(pairs[at]!)
  return rise.reverse()
}

/** Beyond this a table would cost more than an exact answer is worth. */
const MOST_CELLS = 1_000_000

/** The longest common series by the textbook table; everything is new where that would be too large. */
function smallest(
  a: readonly string[],
  b: readonly string[],
  a0: number,
  a1: number,
  b0: number,
  b1: number,
  report: Report,
): void {
  const [rows, columns] = [a1 - a0, b1 - b0]
  if (rows * columns > MOST_CELLS) {
    report(b0, b1)
    return
  }
  const width = columns + 1
  const table = new Uint16Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      table[i * width + j] =
        a[a0 + i] === b[b0 + j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!)
    }
  }
  let [i, j] = [0, 0]
  while (j < columns) {
    if (i < rows && a[a0 + i] === b[b0 + j]) {
      i++
      j++
    } else if (i < rows && table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++
    else {
      report(b0 + j, b0 + j + 1)
      j++
    }
  }
}

/**
 * A line as a number that does not change with its place or its indentation. Thirty-two bits do: lines are compared in
 * runs, never alone across a repository.
 */
export function lineHash(line: string): number {
  const text = line.trim().replace(/\s+/g, ' ')
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Hashes as text, six letters per line. */
export function packHashes(hashes: readonly number[]): string {
  let bytes = ''
  for (const hash of hashes) {
    bytes += String.fromCharCode(hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255, hash >>> 24)
  }
  return btoa(bytes)
}

/** The hashes of a packed text; none when it is damaged. */
export function unpackHashes(packed: string): number[] {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return []
  const bytes = atob(packed)
  return Array.from({ length: bytes.length >> 2 }, (_, i) => {
    const byte = (n: number) => bytes.charCodeAt(4 * i + n)
    return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0
  })
}

/** Says something by itself: `}` and `else {` do not. */
export function isTelling(line: string): boolean {
  return line.replace(/[^\p{L}\p{N}]/gu, '').length >= 5
}

/** How much of two texts is the same, from 0 to 1: lines that say something and stand in both. */
export function likeness(one: string, other: string): number {
  const telling = (text: string) =>
    linesOf(text)
      .map((line) => line.trim())
      .filter(isTelling)
  const [a, b] = [telling(one), telling(other)]
  if (a.length === 0 || b.length === 0) return 0
  const left = new Map<string, number>()
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of b) {
    const count = left.get(line) ?? 0
    if (count > 0) shared++
    left.set(line, count - 1)
  }
  return (2 * shared) / (a.length + b.length)
}

/** So many lines in a row, one of them telling, are no accident. */
const MOVED_RUN = 3

/** What is left of a range when runs of lines are taken out that came from elsewhere, indented in another way maybe. */
export function withoutMoved(
  { start, end }: LineRange,
  lines: readonly string[],
  blocks: readonly (readonly string[])[],
): LineRange[] {
  if (blocks.length === 0 || end - start + 1 < MOVED_RUN) return [{ start, end }]
  const runs = new Set(blocks.flatMap((block) => runsIn(block)))
  const isMoved = new Set<number>()
  for (let at = start; at + MOVED_RUN - 1 <= end; at++) {
    const run = lines.slice(at - 1, at - 1 + MOVED_RUN)
    if (run.some(isTelling) && runs.has(runText(run))) for (let n = 0; n < MOVED_RUN; n++) isMoved.add(at + n)
  }
  const left: LineRange[] = []
  for (let line = start; line <= end; line++) {
    if (isMoved.has(line)) continue
    const last = left.at(-1)
    if (last && last.end === line - 1) last.end = line
    else left.push({ start: line, end: line })
  }
  return left
}

function runsIn(block: readonly string[]): string[] {
  return block
    .slice(0, Math.max(0, block.length - MOVED_RUN + 1))
    .map((_, at) => runText(block.slice(at, at + MOVED_RUN)))
}

function runText(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n')
}
