/** recall@5 (over the most that fit), nDCG@10 and MRR, and their macro average over tracks. */
import type { Relevance } from './data.ts'

export interface Scores {
  recall5: number
  ndcg10: number
  mrr: number
}

const gain = (grade: number) => 2 ** grade - 1
const discount = (rank: number) => 1 / Math.log2(rank + 2)

export function idealGain(relevant: Relevance): number {
  const grades = Object.values(relevant).sort((a, b) => b - a)
  return grades.slice(0, 10).reduce((sum, grade, rank) => sum + gain(grade) * discount(rank), 0)
}

export function scoreRanking(ids: string[], relevant: Relevance): Scores {
  const grades = ids.map((id) => relevant[id] ?? 0)
  const hits = grades.slice(0, 5).filter((grade) => grade > 0).length
  const first = grades.findIndex((grade) => grade > 0)
  const found = grades.slice(0, 10).reduce((sum, grade, rank) => sum + gain(grade) * discount(rank), 0)
  return {
    recall5: hits / Math.min(5, Object.keys(relevant).length),
    ndcg10: found / idealGain(relevant),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

export function meanScores(all: Scores[]): Scores {
  const mean = (key: keyof Scores) => all.reduce((sum, scores) => sum + scores[key], 0) / Math.max(1, all.length)
  return { recall5: mean('recall5'), ndcg10: mean('ndcg10'), mrr: mean('mrr') }
}

/** Conversations that are not about code are told apart, and left out of the mean. */
const APART = 'locomo'

/** Scores by track, and MACRO: the plain mean of the tracks about code. */
export function byTrack(all: { track: string; scores: Scores }[]): Record<string, Scores> {
  const tracks = [...new Set(all.map(({ track }) => track))].sort()
  const rows = tracks.map(
    (name) => [name, meanScores(all.filter(({ track }) => track === name).map(({ scores }) => scores))] as const,
  )
  const code = rows.filter(([name]) => name !== APART)
  return { ...Object.fromEntries(rows), MACRO: meanScores(code.map(([, scores]) => scores)) }
}
