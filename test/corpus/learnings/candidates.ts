import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Criterion } from '../../../src/core/learning/learning.ts'
import { judge } from '../../../src/core/learning/write-gate.ts'

/** A candidate with what a person thinks of it: whether the next session should know it. */
export interface Labelled {
  /** The rules were first made with `dev` in view. `fresh` and `later` were each written after them; at first
   *  sight 84 % and 100 % of the good were kept, and 34 % and 23 % of the worthless. */
  set: 'dev' | 'fresh' | 'later'
  lang: string
  good: boolean
  criterion: Criterion
  summary: string
  detail: string
}

export function readCandidates(folder: string): Labelled[] {
  const lines = readFileSync(join(folder, 'candidates.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Labelled)
}

export function isKept({ summary, detail, criterion }: Labelled): boolean {
  const candidate = { ...BLANK, summary, detail, criteriaMet: [criterion] }
  return 'criteria' in judge(candidate, { userAskedToRemember: false })
}

const BLANK = {
  ...({ category: 'pitfall', scope: 'project', confidence: 'high' } as const),
  tags: ['x'],
  contextFiles: [],
}
