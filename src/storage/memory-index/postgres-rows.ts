import type { Candidate, Touch } from '#core/memory/index-port.ts'
import { fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/memory/index-terms.ts'

/** Rows of the memory index in PostgreSQL, to and fro. */

export interface EntryRow {
  id: string
  at: number
  grp: string | null
  files: string
  title: string
  body: string
}

export interface FileRow {
  row: number
  path: string
  tail: string
  touches: number
  first_at: number
  last_at: number
}

export function newRow(scope: number, { id, at, group, files, ...text }: IndexEntry): EntryRow & { terms: string[] } {
  const fields = fieldTerms(text)
  return {
    id,
    at,
    grp: group ?? null,
    files: files.join('\n'),
    title: fields.title.join(' '),
    body: fields.body.join(' '),
    terms: tokens(scope, indexTerms(fields, files)),
  }
}

export function candidate({ id, at, grp, files, title, body }: EntryRow): Candidate {
  return {
    id,
    at,
    files: cut(files, '\n'),
    title: cut(title, ' '),
    body: cut(body, ' '),
    ...(grp !== null && { group: grp }),
  }
}

/** What these entries add to the files, and each touch by itself. */
export function fileRows(scope: number, entries: Pick<EntryRow, 'id' | 'at' | 'files'>[]) {
  const touches: (Touch & { path: string })[] = []
  const times = new Map<string, number[]>()
  for (const { id, at, files } of entries) {
    for (const path of new Set(cut(files, '\n'))) {
      touches.push({ path, at, id })
      times.set(path, [...(times.get(path) ?? []), at])
    }
  }
  const files = [...times].map(([path, all]) => ({
    path,
    tail: tail(path),
    touches: all.length,
    first_at: Math.min(...all),
    last_at: Math.max(...all),
    terms: tokens(scope, pathTerms(path)),
  }))
  return { files, touches }
}

function tokens(scope: number, terms: Iterable<string>): string[] {
  return [...new Set(terms)].map((term) => `${scope}~${term}`)
}

function cut(text: string, joint: string): string[] {
  return text === '' ? [] : text.split(joint)
}
