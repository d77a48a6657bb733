/** The retrieval set: entries, queries, labels; and the replay that shows a query only what was there before it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryQuery } from '#core/search/retrieve.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { InMemoryIndex } from '#storage/search/in-memory.ts'
import { readJsonLines } from '../support/json-lines.ts'

export interface Entry {
  id: string
  corpus: string
  ts: number
  title: string
  body: string
  files: string[]
  group?: string
}

export interface Query {
  id: string
  corpus: string
  track: string
  ts: number
  text: string
  hint_files: string[]
  group?: string
}

/** Grade 2 or 1 by entry id. */
export type Relevance = Record<string, number>

export interface RetrievalSet {
  /** Sorted by time. */
  entries: Entry[]
  queries: Query[]
  relevant: Map<string, Relevance>
}

const LAYOUT = 'A set is a folder with corpus.jsonl, queries.jsonl and, to be scored, qrels.jsonl.'
const EMPTY = { title: '', body: '', files: [] }

/** The set in a folder; what is missing or broken there is said in words, and ends the run. */
export function loadSet(folder: string): RetrievalSet {
  const read = <T>(name: string) => readJsonLines<T>(folder, name, LAYOUT)
  const [entries, queries] = [read<Entry>('corpus.jsonl'), read<Query>('queries.jsonl')]
  // Without labels there is still a ranking to write.
  const labels = existsSync(join(folder, 'qrels.jsonl'))
    ? read<{ query_id: string; rel: Relevance }>('qrels.jsonl')
    : []
  return {
    // Conversations have no files, and what has no title has only a body.
    entries: entries.map((entry) => grouped({ ...EMPTY, ...entry })).sort((a, b) => a.ts - b.ts),
    queries: queries
      .map((query) => grouped({ ...query, hint_files: query.hint_files ?? [] }))
      .sort((a, b) => a.ts - b.ts),
    relevant: new Map(labels.flatMap(({ query_id, rel }) => (Object.keys(rel).length > 0 ? [[query_id, rel]] : []))),
  }
}

/** A group that is not set may be missing or empty. */
function grouped<T extends { group?: string }>({ group, ...rest }: T): Omit<T, 'group'> & { group?: string } {
  return group ? { ...rest, group } : rest
}

export function corporaOf(set: RetrievalSet): string[] {
  return [...new Set(set.entries.map(({ corpus }) => corpus))].sort()
}

export function indexEntry({ id, ts, title, body, files, group }: Entry): IndexEntry {
  return { id, at: ts * 1000, title, body, files, ...(group && { group }) }
}

export function memoryQuery(query: Query, withFiles: boolean): MemoryQuery {
  return {
    text: query.text,
    now: query.ts * 1000,
    ...(withFiles && { files: query.hint_files }),
    ...(query.group && { excludeGroup: query.group }),
  }
}

/** Asks the questions in their order, each against an index that holds exactly the earlier entries of its corpus. */
export async function replay<Q extends { corpus: string; ts: number }>(
  entries: Entry[],
  questions: Q[],
  ask: (index: InMemoryIndex, question: Q) => Promise<void>,
): Promise<void> {
  for (const corpus of new Set(questions.map((question) => question.corpus))) {
    const index = new InMemoryIndex()
    const own = entries.filter((entry) => entry.corpus === corpus)
    const asked = questions.filter((question) => question.corpus === corpus).sort((a, b) => a.ts - b.ts)
    let next = 0
    for (const question of asked) {
      const from = next
      while (next < own.length && own[next]!.ts < question.ts) next++
      index.add(own.slice(from, next).map(indexEntry))
      await ask(index, question)
    }
  }
}
