import type { OutputLine } from './output.ts'

/** A line as it is read, searched and copied: with the tool that it tells of. */
export function plainLine({ kind, tool, text }: Pick<OutputLine, 'kind' | 'tool' | 'text'>): string {
  return kind === 'tool' && tool ? `${tool}: ${text}` : text
}

/** The numbers of the lines that hold the words, whatever their case. */
export function linesWith(lines: OutputLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  return lines.filter((line) => plainLine(line).toLowerCase().includes(wanted)).map(({ number }) => number)
}
