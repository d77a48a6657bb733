import type { Memory } from '#core/memory/memory.ts'

type Parts = Pick<Memory, 'decisions' | 'constraints' | 'reasoningTrace' | 'files'>

/** The parts of a memory under the headings by which people and agents read it; empty ones are left out. */
export function sectionsOf({ decisions, constraints, reasoningTrace, files }: Parts): [string, string[]][] {
  const sections: [string, string[]][] = [
    ['Decided', decisions.map(({ choice, reason }) => `${choice}, because ${reason}`)],
    ['Limits', constraints],
    ['Found out and done', reasoningTrace],
    ['Files', files],
  ]
  return sections.filter(([, lines]) => lines.length > 0)
}
