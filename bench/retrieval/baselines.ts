/** What the ranking is measured against. Each answers from the entries before the query, like the ranking itself. */
import { DatabaseSync } from '@photostructure/sqlite'
import type { Entry, Query, RetrievalSet } from './data.ts'
import { randomFrom } from './random.ts'

export type Rankings = Map<string, string[]>

interface Baseline {
  add(entry: Entry): void
  ask(query: Query): string[]
}

const LIMIT = 100

export function baselineRankings(set: RetrievalSet, open: () => Baseline): Rankings {
  const rankings: Rankings = new Map()
  for (const corpus of new Set(set.queries.map((query) => query.corpus))) {
    const baseline = open()
    const groups = new Map<string, string | undefined>()
    const own = set.entries.filter((entry) => entry.corpus === corpus)
    let next = 0
    for (const query of set.queries.filter((one) => one.corpus === corpus)) {
      for (; next < own.length && own[next]!.ts < query.ts; next++) {
        groups.set(own[next]!.id, own[next]!.group)
        baseline.add(own[next]!)
      }
      const allowed = baseline.ask(query).filter((id) => query.group === undefined || groups.get(id) !== query.group)
      rankings.set(query.id, allowed.slice(0, LIMIT))
    }
  }
  return rankings
}

export function randomOrder(): Baseline {
  const ids: string[] = []
  const random = randomFrom(7)
  return {
    add: ({ id }) => ids.push(id),
    ask: () =>
      Array.from({ length: Math.min(2 * LIMIT, ids.length) }, () => ids[Math.floor(random() * ids.length)]!).filter(
        isFirst,
      ),
  }
}

const isFirst = (id: string, i: number, all: string[]) => all.indexOf(id) === i

export function newestFirst(): Baseline {
  const ids: string[] = []
  return { add: ({ id }) => ids.unshift(id), ask: () => ids.slice(0, 4 * LIMIT) }
}

export const FTS5_TABLE = 'CREATE VIRTUAL TABLE plain USING fts5(id UNINDEXED, title, body, files)'
export const FTS5_INSERT = 'INSERT INTO plain (id, title, body, files) VALUES (?, ?, ?, ?)'
export const FTS5_QUERY = 'SELECT id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?'

/** What one writes first: every word of the query, OR between them, SQLite's own BM25. */
export function plainFts5(): Baseline {
  const db = new DatabaseSync(':memory:')
  db.exec(FTS5_TABLE)
  const insert = db.prepare(FTS5_INSERT)
  const search = db.prepare(FTS5_QUERY)
  return {
    add: ({ id, title, body, files }) => insert.run(id, title, body, files.join(' ')),
    ask: ({ text }) => {
      const expression = orExpression(text)
      return expression ? (search.all(expression, 3 * LIMIT) as { id: string }[]).map(({ id }) => id) : []
    },
  }
}

export function orExpression(text: string): string {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  return [...words].map((word) => `"${word}"`).join(' OR ')
}

const STOP = new Set(
  'the and for with that this from are was not but you can has have will should when then what there into your'.split(
    ' ',
  ),
)

/** The specification's scorer: entries that touched a file the prompt names first, then by how many of its keywords they hold. */
export function keywordMatches(): Baseline {
  const entries: { id: string; text: string; files: string[] }[] = []
  return {
    add: ({ id, title, body, files }) =>
      entries.unshift({ id, text: `${title} ${body} ${files.join(' ')}`.toLowerCase(), files }),
    ask: ({ text }) => {
      const lower = text.toLowerCase()
      const keywords = [...new Set(lower.match(/[a-z0-9_]{3,}/g))].filter((word) => !STOP.has(word))
      const paths = lower.match(/[\w./-]+\.\w{1,5}\b/g) ?? []
      const scored = entries.map((entry) => {
        const named = entry.files.some((file) => paths.some((path) => file.toLowerCase().endsWith(path)))
        return { id: entry.id, score: keywords.filter((word) => entry.text.includes(word)).length + (named ? 5 : 0) }
      })
      return scored
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, 3 * LIMIT)
        .map(({ id }) => id)
    },
  }
}
