/** Confidence from answers of weights that had not seen the questions: when to keep quiet, and how sure each hit is. */
import { type ConfidenceWeights, hitFeatures, probability } from '#core/search/rank-confidence.ts'
import type { Answered, FoldAnswers } from './cross-validate.ts'
import type { RetrievalSet } from './data.ts'
import { type Example, fitLogistic } from './logistic.ts'
import { scoreRanking } from './metrics.ts'

/** How much of recall@5 the threshold keeps: a little over what is asked, for repositories unlike these. */
const KEPT = 0.91

export function calibrate(set: RetrievalSet, folds: FoldAnswers[]): ConfidenceWeights {
  const answer = fitLogistic([
    ...folds
      .flatMap(({ text, open }) => [...text, ...open])
      .map((answered) => ({ ...example(answered), label: recall(set, answered) > 0 })),
    ...folds.flatMap(({ foreign }) => foreign).map((answered) => ({ ...example(answered), label: false })),
  ])
  const asked = folds.flatMap(({ text }) => text)
  const byAnswer = asked
    .map((answered) => ({ p: probability(answer, answered.facts), recall: recall(set, answered) }))
    .sort((a, b) => b.p - a.p)
  const total = byAnswer.reduce((sum, one) => sum + one.recall, 0)
  let kept = 0
  const threshold =
    byAnswer.find((one) => {
      kept += one.recall
      return kept >= KEPT * total
    })?.p ?? 0
  const hit = fitLogistic(
    asked.flatMap(({ query, hits, facts }) =>
      hits.slice(0, 10).map(({ id, share }) => ({
        features: hitFeatures(share, probability(answer, facts)),
        label: (set.relevant.get(query.id)?.[id] ?? 0) > 0,
        weight: 1,
      })),
    ),
  )
  return { answer, threshold, hit }
}

function example({ facts }: Answered): Omit<Example, 'label'> {
  return { features: facts, weight: 1 }
}

export function recall(set: RetrievalSet, { query, hits }: Answered): number {
  return scoreRanking(
    hits.map(({ id }) => id),
    set.relevant.get(query.id) ?? {},
  ).recall5
}

export interface Abstention {
  /** Share of recall@5 that is still shown. */
  recallKept: number
  /** Share of questions from elsewhere that rightly get no answer. */
  foreignRefused: number
  /** Share of queries the ranking itself fails on (nothing relevant in the first five) that get no answer. */
  missesRefused: number
}

/** Each fold judged by a calibration that did not see it. */
export function abstention(set: RetrievalSet, folds: FoldAnswers[]): Abstention {
  const shown = folds.flatMap((fold) => {
    const { answer, threshold } = calibrate(
      set,
      folds.filter((other) => other !== fold),
    )
    const judge = (kind: 'own' | 'foreign') => (answered: Answered) => ({
      kind,
      shown: probability(answer, answered.facts) >= threshold,
      recall: kind === 'own' ? recall(set, answered) : 0,
    })
    return [...fold.text.map(judge('own')), ...fold.foreign.map(judge('foreign'))]
  })
  const own = shown.filter(({ kind }) => kind === 'own')
  const sum = (list: typeof own) => list.reduce((total, one) => total + one.recall, 0)
  const refused = (list: typeof own) => list.filter((one) => !one.shown).length / Math.max(1, list.length)
  return {
    recallKept: sum(own.filter((one) => one.shown)) / sum(own),
    foreignRefused: refused(shown.filter(({ kind }) => kind === 'foreign')),
    missesRefused: refused(own.filter((one) => one.recall === 0)),
  }
}
