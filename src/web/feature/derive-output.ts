import type { OutputLine } from '#protocol/workflow/output.ts'

export const PAGE = 500

/** Which pages of output are wanted for the lines from `first` to `last`; pages are counted from zero. */
export function pagesFor(first: number, last: number): number[] {
  const from = Math.max(0, Math.floor((first - 1) / PAGE))
  const to = Math.max(from, Math.floor((Math.max(1, last) - 1) / PAGE))
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** How a line looks: by its kind, and red where something went wrong. */
export function lineClass({ kind, outcome, text }: Pick<OutputLine, 'kind' | 'outcome' | 'text'>): string {
  if (outcome === 'error' || outcome === 'denied') return 'error'
  if (kind === 'result' && /\b(?:Error:|Exception\b|Fatal:|failed with)/.test(text)) return 'error'
  return kind
}

/** A line as it is copied: with what tool it was. */
export function plainLine({ kind, tool, text }: Pick<OutputLine, 'kind' | 'tool' | 'text'>): string {
  return kind === 'tool' && tool ? `${tool}: ${text}` : text
}

/** The numbers of lines that hold the words. */
export function hitsIn(lines: OutputLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  return lines.filter((line) => plainLine(line).toLowerCase().includes(wanted)).map(({ number }) => number)
}
