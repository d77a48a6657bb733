/** Training rows: what the ranker saw for each query, with what turned out to be relevant. */
import { FEATURES, features, regimes } from '#core/memory/rank-features.ts'
import { fileFeatures, kindOf } from '#core/memory/rank-files.ts'
import type { Model } from '#core/memory/rank-model.ts'
import { gather } from '#core/memory/retrieve.ts'
import { type Entry, memoryQuery, type Query, type RetrievalSet, replay } from './data.ts'
import type { Rows } from './learn.ts'
import { idealGain } from './metrics.ts'

export interface Asked {
  corpus: string
  track: string
}

export interface EntryRows extends Rows {
  asked: (Asked & { query: Query; ids: string[]; unknown: number })[]
}

class Builder {
  private readonly x: number[][] = []
  private readonly grades: number[] = []
  readonly start = [0]
  readonly ideal: number[] = []
  readonly regimes: number[][] = []

  add(rows: number[][], grades: number[], ideal: number, regimes: number[]): void {
    for (const row of rows) this.x.push(row)
    this.grades.push(...grades)
    this.start.push(this.grades.length)
    this.ideal.push(ideal)
    this.regimes.push(regimes)
  }

  build(width: number): Rows {
    const x = new Float32Array(this.x.length * width)
    this.x.forEach((row, i) => {
      x.set(row, i * width)
    })
    return { width, x, grade: Uint8Array.from(this.grades), start: this.start, ideal: this.ideal, regimes: this.regimes }
  }
}

export async function entryRows(set: RetrievalSet, fileModel: Model, withFiles: boolean): Promise<EntryRows> {
  const builder = new Builder()
  const asked: EntryRows['asked'] = []
  await replay(set.entries, set.queries, async (index, query) => {
    const evidence = await gather(index, memoryQuery(query, withFiles), fileModel)
    const rel = set.relevant.get(query.id) ?? {}
    const ids = evidence.pool.map(({ entry }) => entry.id)
    builder.add(features(evidence), ids.map((id) => rel[id] ?? 0), idealGain(rel), regimes(evidence))
    asked.push({ corpus: query.corpus, track: query.track, query, ids, unknown: evidence.query.unknown })
  })
  return { ...builder.build(FEATURES.length), asked }
}

const PER_CORPUS = 450

/**
 * Which files belong to a piece of work is written on every entry, so the file model learns from the entries themselves:
 * the title asks, the entry's own source files are the answer. The queries' known files join in with more weight.
 */
export async function fileRows(set: RetrievalSet, fileModel: Model): Promise<Rows & { asked: (Asked & { weight: number })[] }> {
  const builder = new Builder()
  const asked: (Asked & { weight: number })[] = []
  const questions = [
    ...selfQuestions(set.entries),
    ...set.queries.filter(({ hint_files }) => hint_files.length > 0).map((query) => ({ ...query, gold: query.hint_files, weight: 1 })),
  ]
  let width = 0
  await replay(set.entries, questions, async (index, question) => {
    const { clues, guesses } = await gather(index, memoryQuery(question as unknown as Query, false), fileModel)
    const stats = await index.fileStats(guesses.map(({ path }) => path))
    const rows = fileFeatures(clues, stats)
    const grades = stats.map(({ path }) => (question.gold.includes(path) ? 1 : 0))
    width = rows[0]?.length ?? width
    const ideal = idealGain(Object.fromEntries(question.gold.map((path) => [path, 1])))
    builder.add(rows, grades, ideal, [1])
    asked.push({ corpus: question.corpus, track: question.track, weight: question.weight })
  })
  return { ...builder.build(width), asked }
}

function selfQuestions(entries: Entry[]) {
  return [...new Set(entries.map(({ corpus }) => corpus))].flatMap((corpus) => {
    const own = entries.filter((entry) => entry.corpus === corpus)
    const usable = own
      .slice(Math.floor(own.length / 4))
      .map((entry) => ({ entry, gold: entry.files.filter((path) => kindOf(path) === 'source') }))
      .filter(({ entry, gold }) => gold.length > 0 && entry.files.length <= 12)
    const step = Math.max(1, usable.length / PER_CORPUS)
    return usable
      .filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
      .map(({ entry, gold }) => ({ ...entry, text: questionOf(entry), track: 'self', hint_files: [], gold, weight: 0.5 }))
  })
}

/** An entry's title and first paragraph, put as the query it could have been. */
function questionOf({ title, body }: Entry): string {
  if (body.startsWith(title)) return title
  return `${title.replace(/^\w+(\(.*?\))?!?:\s/, '')}. ${body.split('\n\n')[0]}`.slice(0, 400)
}
