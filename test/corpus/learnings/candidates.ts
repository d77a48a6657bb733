import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Criterion } from '../../../src/core/learning/learning.ts'
import { judge } from '../../../src/core/learning/write-gate.ts'

/** A candidate with what a person thinks of it: whether the next session should know it. */
export interface Labelled {
  /**
   * Word lists were first made with `dev` in view; each of the others was written before it was seen what becomes of it. At
   * first sight 84, 100, 100, 100, 82, 92, 94 and 94 % of the good were kept, and 34, 23, 50, 0, 50, 32, 16 and 51 % of the
   * worthless; `fifth` is made of platitudes in the form of advice, and of reports full of names. Since then a model is
   * trained on them, and `written` and `written-b` were written to train it; `npm run bench train-worth` says what becomes
   * of a set that was left out (of `stranger-a` 95 % and 9 %, of `stranger-b` 95 and 15, of `stranger-c` 97 and 14, and of
   * `stranger-d`, whose good ones are terse and whose worthless ones are full of names, 81 and 15, of `stranger-e` 89 and 3,
   * and of `stranger-f` 89 and 1, at first sight).
   */
  set:
    | 'dev'
    | 'fresh'
    | 'later'
    | 'third'
    | 'fourth'
    | 'fifth'
    | 'sixth'
    | 'seventh'
    | 'stranger-a'
    | 'stranger-b'
    | 'stranger-c'
    | 'stranger-d'
    | 'stranger-e'
    | 'stranger-f'
    | 'written'
    | 'written-b'
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
