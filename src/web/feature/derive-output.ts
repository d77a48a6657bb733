import type { OutputLine } from '#protocol/workflow/output.ts'

export const PAGE = 500

/** Which pages of output hold these lines; pages are counted from zero. */
export function pagesOf(numbers: number[]): number[] {
  return [...new Set(numbers.map((number) => Math.floor((number - 1) / PAGE)))]
}

/** How a line looks: by its kind, and red where something went wrong. */
export function lineClass({ kind, outcome, text }: Pick<OutputLine, 'kind' | 'outcome' | 'text'>): string {
  if (outcome === 'error' || outcome === 'denied') return 'error'
  if (kind === 'result' && /\b(?:Error:|Exception\b|Fatal:|failed with)/.test(text)) return 'error'
  return kind
}
