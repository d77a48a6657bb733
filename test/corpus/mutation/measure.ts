import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutation, MutationClass } from '#core/trace/mutation/mutation.ts'
import { classifyMutation } from '#exec/syntax/parse.ts'

/** Two texts of a file and what kind of change lies between them. */
export interface MutationCase {
  path: string
  note: string
  class: MutationClass
  before: string
  after: string
}

/** How often the class was right, and where not. */
export interface MutationScore {
  pairs: number
  accuracy: number
  byClass: Record<string, number>
  byLanguage: Record<string, { right: number; pairs: number }>
  misses: string[]
}

/** Pairs that are looked at while the rules are written. */
export const DEVELOPMENT = 'pairs.jsonl'
/** Pairs written afterwards, to see how the rules do on changes they were not made for. */
export const HOLDOUT = 'holdout.jsonl'
/** Pairs of a third look, over every language; the rules were mended by the few that were judged wrong. */
export const BREADTH = 'breadth.jsonl'

/** Reads a corpus file of this folder. */
export function mutationCases(folder: string, file: string): MutationCase[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as MutationCase)
}

/** Classifies every pair and counts. */
export async function scoreMutations(cases: MutationCase[]): Promise<MutationScore> {
  const judged: { pair: MutationCase; found: Mutation }[] = []
  for (const pair of cases) judged.push({ pair, found: await classifyMutation(pair.before, pair.after, pair.path) })
  const isRight = ({ pair, found }: (typeof judged)[number]) => found.class === pair.class
  const share = (some: typeof judged) => some.filter(isRight).length / some.length
  const byLanguage: MutationScore['byLanguage'] = {}
  for (const each of judged) {
    const name = each.found.language ?? 'text'
    const tally = byLanguage[name] ?? { right: 0, pairs: 0 }
    byLanguage[name] = { right: tally.right + (isRight(each) ? 1 : 0), pairs: tally.pairs + 1 }
  }
  return {
    pairs: cases.length,
    accuracy: share(judged),
    byClass: Object.fromEntries(
      ['AST_REFACTOR', 'INTENT_EVOLUTION'].map((name) => [
        name,
        share(judged.filter(({ pair }) => pair.class === name)),
      ]),
    ),
    byLanguage,
    misses: judged
      .filter((each) => !isRight(each))
      .map(({ pair, found }) => `${pair.path}: ${pair.note} (${pair.class}) was judged ${found.class}: ${found.why}`),
  }
}
