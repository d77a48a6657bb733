/** Training rows: what the ranker saw for each query, with what turned out to be relevant. */

import { factsOf } from '#core/search/path-facts.ts'
import { features, regimes } from '#core/search/rank-features.ts'
import { fileFeatures } from '#core/search/rank-files.ts'
import type { Model } from '#core/search/rank-model.ts'
import { look } from '#core/search/retrieve.ts'
import { type Case, evidenceOf } from './cases.ts'
import { type Entry, memoryQuery, type RetrievalSet, replay } from './data.ts'
import type { Rows } from './learn.ts'
import { idealGain } from './metrics.ts'

/** Rows, and where each query's came from. */
export interface AskedRows extends Rows {
  asked: { id: string; corpus: string; track: string; weight: number }[]
}

/** One set of rows out of several, in order. */
export function joined(all: AskedRows[]): AskedRows {
  const offsets = all.map((_, i) => all.slice(0, i).reduce((sum, { grade }) => sum + grade.length, 0))
  return {
    width: all[0]!.width,
    x: concat(
      Float32Array,
      all.map(({ x }) => x),
    ),
    grade: concat(
      Uint8Array,
      all.map(({ grade }) => grade),
    ),
    start: [0, ...all.flatMap(({ start }, i) => start.slice(1).map((row) => row + offsets[i]!))],
    ideal: all.flatMap(({ ideal }) => ideal),
    regimes: all.flatMap(({ regimes }) => regimes),
    asked: all.flatMap(({ asked }) => asked),
  }
}

function concat<T extends Float32Array | Uint8Array>(Kind: new (length: number) => T, parts: T[]): T {
  const whole = new Kind(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function queryRows(
  rows: number[][],
  grades: number[],
  ideal: number,
  regimes: number[],
  asked: AskedRows['asked'][number],
): AskedRows {
  const width = rows[0]?.length ?? 0
  return {
    width,
    x: Float32Array.from(rows.flat()),
    grade: Uint8Array.from(grades),
    start: [0, rows.length],
    ideal: [ideal],
    regimes: [regimes],
    asked: [asked],
  }
}

/**
 * The ways a query is seen in training: by its text, with a file known to be open, and against a memory that kept no files
 * (so that the ranking also stands on words and time alone).
 */
export const VIEWS = { text: 1, open: 1, bare: 0.3 }
export type View = keyof typeof VIEWS

export async function entryRows(
  { relevant }: RetrievalSet,
  cases: Case[],
  fileModel: Model,
  view: View,
): Promise<AskedRows> {
  const parts: AskedRows[] = []
  for (const one of cases) {
    const evidence = await evidenceOf(one, fileModel, view === 'open')
    if (evidence.pool.length === 0) continue
    const { id, corpus, track } = one.query
    const rel = relevant.get(id) ?? {}
    const grades = evidence.pool.map(({ entry }) => rel[entry.id] ?? 0)
    const asked = { id, corpus, track, weight: VIEWS[view] }
    parts.push(queryRows(features(evidence), grades, idealGain(rel), regimes(evidence), asked))
  }
  return joined(parts)
}

const PER_CORPUS = 300

/**
 * Which files belong to a piece of work is written on every entry, so the file model learns from the entries themselves:
 * the title asks, the entry's own source files are the answer. The queries' known files join in with more weight.
 */
export async function fileRows(set: RetrievalSet): Promise<AskedRows> {
  const parts: AskedRows[] = []
  const known = set.queries.filter(({ hint_files }) => hint_files.length > 0)
  const questions = [
    ...selfQuestions(set.entries),
    ...known.map((query) => ({ ...query, gold: query.hint_files, weight: 1 })),
  ]
  await replay(set.entries, questions, async (index, question) => {
    const seen = await look(index, memoryQuery(question, false))
    if (seen.stats.length === 0) return
    const grades = seen.stats.map(({ path }) => (question.gold.includes(path) ? 1 : 0))
    const ideal = idealGain(Object.fromEntries(question.gold.map((path) => [path, 1])))
    const { id, corpus, track, weight } = question
    parts.push(queryRows(fileFeatures(seen.clues, seen.stats), grades, ideal, [1], { id, corpus, track, weight }))
  })
  return joined(parts)
}

function selfQuestions(entries: Entry[]) {
  return [...new Set(entries.map(({ corpus }) => corpus))].flatMap((corpus) => {
    const own = entries.filter((entry) => entry.corpus === corpus)
    const usable = own
      .slice(Math.floor(own.length / 4))
      .map((entry) => ({ entry, gold: entry.files.filter((path) => factsOf(path).kind === 'source') }))
      .filter(({ entry, gold }) => gold.length > 0 && entry.files.length <= 12)
    const step = Math.max(1, usable.length / PER_CORPUS)
    return usable
      .filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
      .map(({ entry, gold }) => ({
        ...entry,
        text: questionOf(entry),
        track: 'self',
        hint_files: [],
        gold,
        weight: 0.5,
      }))
  })
}

/** An entry's title and first paragraph, put as the query it could have been. */
function questionOf({ title, body }: Entry): string {
  if (body.startsWith(title)) return title
  return `${title.replace(/^\w+(\(.*?\))?!?:\s/, '')}. ${body.split('\n\n')[0]}`.slice(0, 400)
}
