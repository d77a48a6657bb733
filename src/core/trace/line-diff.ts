import { changedRanges, linesOf } from './lines.ts'

const AROUND = 2

/** The changed lines of a text with a few around them, as people know it from a unified diff. */
export function lineDiff(before: string, after: string): string {
  const was = linesOf(before)
  const is = linesOf(after)
  const added = isChanged(changedRanges(was, is))
  const removed = isChanged(changedRanges(is, was))
  const lines: { mark: ' ' | '-' | '+'; text: string }[] = []
  let [at, to] = [0, 0]
  while (at < was.length || to < is.length) {
    if (at < was.length && removed(at + 1)) lines.push({ mark: '-', text: was[at++]! })
    else if (to < is.length && (added(to + 1) || at >= was.length)) lines.push({ mark: '+', text: is[to++]! })
    else {
      lines.push({ mark: ' ', text: was[at++]! })
      to++
    }
  }
  const isNear = lines.map((_, here) =>
    lines.slice(Math.max(0, here - AROUND), here + AROUND + 1).some(({ mark }) => mark !== ' '),
  )
  return lines
    .map(({ mark, text }, here) => (isNear[here] ? `${mark}${text}` : isNear[here - 1] ? '…' : undefined))
    .filter((line) => line !== undefined)
    .join('\n')
}

function isChanged(ranges: readonly { start: number; end: number }[]): (line: number) => boolean {
  return (line) => ranges.some(({ start, end }) => line >= start && line <= end)
}
