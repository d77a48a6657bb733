import type { Candidate, Touch } from '#core/ports/search-index.ts'
import { fieldText, type IndexEntry } from '#core/search/terms.ts'

/** Rows of the memory index in SQLite, to and fro. */

export interface EntryRow {
  row: number
  id: string
  at: number
  grp: string | null
  files: string
  title: string
  body: string
}

/** The order of rows: the reverse of "the newest first, then by id". */
export function oldestFirst(a: Touch, b: Touch): number {
  return a.at - b.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}

/** An entry as it is written: title and body are terms with a space before each. */
export interface Stored extends Touch {
  group: string | null
  files: string[]
  title: string
  body: string
}

export function storedEntry({ id, at, group, files, ...text }: IndexEntry): Stored {
  const { title, body } = fieldText(text)
  return { id, at, group: group ?? null, files, title, body }
}

export function storedRow({ id, at, grp, files, title, body }: EntryRow): Stored {
  return { id, at, group: grp, files: files === '' ? [] : files.split('\n'), title, body }
}

/** In the order of `insert`. */
export function columns({ id, at, group, files, title, body }: Stored): unknown[] {
  return [id, at, group, files.join('\n'), title, body]
}

export function candidate(row: EntryRow): Candidate {
  const { id, at, group, files, title, body } = storedRow(row)
  return { id, at, files, title: unspaced(title), body: unspaced(body), ...(group !== null && { group }) }
}

export const spaced = (terms: string[]) => (terms.length > 0 ? ` ${terms.join(' ')}` : '')
const unspaced = (text: string) => (text === '' ? [] : text.slice(1).split(' '))

/** What was found, in the order it was asked for. */
export function ordered<K, T>(keys: K[], found: T[], keyOf: (item: T) => K): T[] {
  const byKey = new Map(found.map((item) => [keyOf(item), item]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

/** "12,7,30" → 12, 7, 30, without ten thousand little strings in between. */
export function numbers(list: string): number[] {
  const all: number[] = []
  let number = 0
  for (let i = 0; i <= list.length; i++) {
    const digit = list.charCodeAt(i) - 48
    if (digit >= 0 && digit <= 9) number = number * 10 + digit
    else if (list !== '') {
      all.push(number)
      number = 0
    }
  }
  return all
}
