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

const STOP = new Set(
  (
    'the and for with that this from are was not but you can has have will should when then what there into your ' +
    'is it in of to a an on be as by or if we i so do at'
  ).split(' '),
)

export const FTS5_TABLE = 'CREATE VIRTUAL TABLE plain USING fts5(id UNINDEXED, title, body, files)'
export const FTS5_INSERT = 'INSERT INTO plain (id, title, body, files) VALUES (?, ?, ?, ?)'
export const FTS5_QUERY = 'SELECT id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?'

/** SQLite at its best without code of one's own: stemmed words, no stop words, OR between them, the title counting double. */
export function stemmedFts5(): Baseline {
  const db = new DatabaseSync(':memory:')
  db.exec(FTS5_TABLE.replace(')', ", tokenize='porter unicode61')"))
  const insert = db.prepare(FTS5_INSERT)
  const search = db.prepare(FTS5_QUERY.replace('bm25(plain)', 'bm25(plain, 0, 2, 1, 1)'))
  return {
    add: ({ id, title, body, files }) => insert.run(id, title, body, files.join(' ')),
    ask: ({ text }) => {
      const expression = orExpression(
        text.replace(/[\p{L}\p{N}]+/gu, (word) => (STOP.has(word.toLowerCase()) ? ' ' : word)),
      )
      return expression ? (search.all(expression, 3 * LIMIT) as { id: string }[]).map(({ id }) => id) : []
    },
  }
}

export function orExpression(text: string): string {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  return [...words].map((word) => `"${word}"`).join(' OR ')
}

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

const FIELDS = ['title', 'body', 'files'] as const
const BM25_PLUS = { k: 1.2, b: 0.7, d: 0.5 }

/** What MiniSearch computes with its defaults, written out: BM25+ in every field, times the number of words matched. */
export function miniSearch(): Baseline {
  const ids: string[] = []
  const fields = FIELDS.map(() => ({
    postings: new Map<string, Map<number, number>>(),
    lengths: [] as number[],
    total: 0,
  }))
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .split(/[\n\r\p{Z}\p{P}]+/u)
      .filter(Boolean)
  return {
    add({ id, title, body, files }) {
      const row = ids.push(id) - 1
      for (const [f, text] of [title, body, files.join(' ')].entries()) {
        const { postings, lengths } = fields[f]!
        const words = wordsOf(text)
        for (const word of words) {
          const holders = postings.get(word) ?? new Map<number, number>()
          postings.set(word, holders.set(row, (holders.get(row) ?? 0) + 1))
        }
        lengths[row] = new Set(words).size
        fields[f]!.total += lengths[row]
      }
    },
    ask({ text }) {
      const scores = new Map<number, { sum: number; words: Set<string> }>()
      for (const word of wordsOf(text))
        for (const { postings, lengths, total } of fields) {
          const holders = postings.get(word)
          if (!holders) continue
          const rarity = Math.log(1 + (ids.length - holders.size + 0.5) / (holders.size + 0.5))
          for (const [row, count] of holders) {
            const { k, b, d } = BM25_PLUS
            const length = (lengths[row]! * ids.length) / total
            const found = scores.get(row) ?? { sum: 0, words: new Set() }
            found.sum += rarity * (d + (count * (k + 1)) / (count + k * (1 - b + b * length)))
            found.words.add(word)
            scores.set(row, found)
          }
        }
      return [...scores]
        .map(([row, { sum, words }]) => ({ id: ids[row]!, score: sum * words.size }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 3 * LIMIT)
        .map(({ id }) => id)
    },
  }
}
