import type { Answered, FoldAnswers } from './cross-validate.ts'
import type { RetrievalSet } from './data.ts'
import { byTrack, type Scores, scoreRanking } from './metrics.ts'

export function tracksOf(set: RetrievalSet, answered: Answered[]): Record<string, Scores> {
  return byTrack(
    answered.map(({ query, hits }) => ({
      track: query.track,
      scores: scoreRanking(
        hits.map(({ id }) => id),
        set.relevant.get(query.id) ?? {},
      ),
    })),
  )
}

const digits = (value: number) => value.toFixed(3).replace(/^0/, '')

/** recall@5 / nDCG@10 / MRR, the macro average first. */
export function printTable(rows: [string, Record<string, Scores>][]): void {
  const tracks = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))].sort(
    (a, b) => Number(b === 'MACRO') - Number(a === 'MACRO'),
  )
  console.log(`${'recall@5 / nDCG@10 / MRR'.padEnd(38)}${tracks.map((track) => track.padEnd(20)).join('')}`)
  for (const [name, row] of rows) {
    const cells = tracks.map((track) => {
      const scores = row[track]
      return (scores ? `${digits(scores.recall5)} / ${digits(scores.ndcg10)} / ${digits(scores.mrr)}` : '').padEnd(20)
    })
    console.log(`${name.padEnd(38)}${cells.join('')}`)
  }
}

export function printFolds(set: RetrievalSet, folds: FoldAnswers[]): void {
  printTable([
    [
      'cross-validated, text',
      tracksOf(
        set,
        folds.flatMap(({ text }) => text),
      ),
    ],
    [
      'cross-validated, one file known',
      tracksOf(
        set,
        folds.flatMap(({ open }) => open),
      ),
    ],
  ])
}

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)
