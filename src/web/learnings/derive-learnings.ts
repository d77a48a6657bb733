import { rejectionWords } from '#protocol/rejection-words.ts'
import type { Answer } from '../api/client.ts'
import { times } from '../ui/format.ts'
import { groupBy } from '../ui/group.ts'

export type Learning = Answer<'learnings', 'list'>['learnings'][number]
export type Rejected = Answer<'rejectedLearnings', 'list'>['candidates'][number]

/** How often a learning was shown, used and rejected, in a sentence. */
export function usageOf({ usage, hitRate }: Pick<Learning, 'usage' | 'hitRate'>): string {
  if (!usage || usage.surfaced === 0) return 'Not shown to an agent yet.'
  const used = hitRate === undefined ? '' : `, used ${Math.round(hitRate * 100)} % of the time`
  const wrong = usage.dismissed + usage.corrected
  return `Shown ${times(usage.surfaced)}${used}${wrong > 0 ? `, rejected ${times(wrong)}` : ''}.`
}

/** Learnings by category, the largest group first. */
export function byCategory(learnings: Learning[]): [category: string, learnings: Learning[]][] {
  return [...groupBy(learnings, ({ category }) => category)].sort((a, b) => b[1].length - a[1].length)
}

const STAGES = {
  schema: 'Incomplete',
  'write-gate': 'Not worth keeping',
  duplicate: 'Known already',
  contradiction: 'Says the opposite of another one',
}

/** Those that have all the words of a search. */
export function rejectedWith(rejected: Rejected[], words: string[]): Rejected[] {
  const textOf = ({ summary, detail = '', contradicts }: Rejected) =>
    [summary, detail, contradicts?.summary].join(' ').toLowerCase()
  return rejected.filter((one) => words.every((word) => textOf(one).includes(word)))
}

export function rejectedBecause({ stage, reasons, contradicts }: Rejected): string {
  // The reason as the agent was told it says how to hand it in again; a person has buttons for that.
  if (contradicts) return `Says the opposite of “${contradicts.summary}”`
  return [STAGES[stage], reasons.map(rejectionWords).join('; ')].filter(Boolean).join(': ')
}
