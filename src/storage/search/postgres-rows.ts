import type { Candidate, Touch } from '#core/ports/search-index.ts'
import { fieldText, type IndexEntry, pathTerms } from '#core/search/terms.ts'

/** Rows of the memory index in PostgreSQL, to and fro. */

export interface EntryRow {
  id: string
  at: number
  grp: string | null
  files: string
  /** Terms with a space before each, as are the body and the words of the paths. */
  title: string
  body: string
  words: string
}

export interface FileRow {
  row: number
  path: string
  tail: string
  touches: number
  first_at: number
  last_at: number
}

/** What some entries add to a file. */
export interface FileSums {
  path: string
  place: number
  touches: number
  first_at: number
  last_at: number
}

export interface FileTouch extends Touch {
  /** The place of its file in the list of files. */
  place: number
}

/** An id that comes twice counts once. */
export function newRows(entries: IndexEntry[]): EntryRow[] {
  return [...new Map([...entries].reverse().map((entry) => [entry.id, entry])).values()].map(newRow)
}

function newRow({ id, at, group, files, ...text }: IndexEntry): EntryRow {
  const { title, body } = fieldText(text)
  let words = ''
  for (const path of files) words += ` ${pathTerms(path).join(' ')}`
  return { id, at, grp: group ?? null, files: files.join('\n'), title, body, words }
}

export function candidate({ id, at, grp, files, title, body }: EntryRow): Candidate {
  return {
    id,
    at,
    files: cut(files, '\n'),
    title: cut(title.slice(1), ' '),
    body: cut(body.slice(1), ' '),
    ...(grp !== null && { group: grp }),
  }
}

/** In how many of these entries each term stands. */
export function wordCounts(rows: EntryRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { title, body, words } of rows)
    for (const term of new Set(cut((title + body + words).slice(1), ' '))) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** What these entries add to the files, and each touch by itself. */
export function fileRows(entries: EntryRow[]): { files: FileSums[]; touches: FileTouch[] } {
  const files = new Map<string, FileSums>()
  const touches: FileTouch[] = []
  for (const { id, at, files: paths } of entries)
    for (const path of new Set(cut(paths, '\n'))) {
      const file = files.get(path) ?? { path, place: files.size, touches: 0, first_at: at, last_at: at }
      files.set(path, file)
      file.touches++
      file.first_at = Math.min(file.first_at, at)
      file.last_at = Math.max(file.last_at, at)
      touches.push({ place: file.place, at, id })
    }
  return { files: [...files.values()], touches }
}

function cut(text: string, joint: string): string[] {
  return text === '' ? [] : text.split(joint)
}
