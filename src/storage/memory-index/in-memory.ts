/** The memory index in plain maps: for tests and benches, and the yardstick the SQL stores are held to. */
import type { Candidate, FileHistory, MemoryIndex, Touch, WeightedTerm } from '#core/memory/index-port.ts'
import { baseName, fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/memory/index-terms.ts'

interface FileRecord {
  path: string
  touches: Touch[]
}

export class InMemoryIndex implements MemoryIndex {
  private readonly entries = new Map<string, Candidate>()
  private readonly postings = new Map<string, Set<string>>()
  private readonly files = new Map<string, FileRecord>()
  private readonly filePostings = new Map<string, Set<string>>()
  private readonly tails = new Map<string, string[]>()
  private readonly order: Touch[] = []

  add(entries: IndexEntry[]): void {
    for (const entry of entries) this.addOne(entry)
  }

  private addOne({ id, at, group, files, ...text }: IndexEntry): void {
    if (this.entries.has(id)) return
    const fields = fieldTerms(text)
    this.entries.set(id, { id, at, files, ...fields, ...(group !== undefined && { group }) })
    for (const term of indexTerms(fields, files)) post(this.postings, term, id)
    insert(this.order, { id, at })
    for (const path of new Set(files)) insert(this.file(path).touches, { id, at })
  }

  remove(ids: string[]): void {
    for (const id of ids) this.removeOne(id)
  }

  private removeOne(id: string): void {
    const entry = this.entries.get(id)
    if (!entry) return
    this.entries.delete(id)
    for (const term of indexTerms(entry, entry.files)) unpost(this.postings, term, id)
    drop(this.order, id)
    for (const path of new Set(entry.files)) {
      const { touches } = this.files.get(path)!
      drop(touches, id)
      if (touches.length === 0) this.forget(path)
    }
  }

  private forget(path: string): void {
    this.files.delete(path)
    for (const term of [...pathTerms(path), baseName(path).toLowerCase()]) unpost(this.filePostings, term, path)
    this.tails.set(tail(path), this.tails.get(tail(path))!.filter((other) => other !== path))
  }

  private file(path: string): FileRecord {
    const known = this.files.get(path)
    if (known) return known
    const record: FileRecord = { path, touches: [] }
    this.files.set(path, record)
    for (const term of [...pathTerms(path), baseName(path).toLowerCase()]) post(this.filePostings, term, path)
    this.tails.set(tail(path), [...(this.tails.get(tail(path)) ?? []), path])
    return record
  }

  async size() {
    return this.entries.size
  }

  async frequencies(terms: string[]) {
    const known = terms.flatMap((term) => {
      const holders = this.postings.get(term)
      return holders ? [[term, holders.size] as const] : []
    })
    return new Map(known)
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    const scored = [...sums(this.postings, terms)].map(([id, score]) => ({ score, entry: this.entries.get(id)! }))
    scored.sort((a, b) => b.score - a.score || newestFirst(a.entry, b.entry))
    return scored.slice(0, limit).map(({ entry }) => entry)
  }

  async byIds(ids: string[]) {
    return ids.flatMap((id) => this.entries.get(id) ?? [])
  }

  async recent(limit: number) {
    return this.byIds(this.order.slice(0, limit).map(({ id }) => id))
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    const scored = [...sums(this.filePostings, terms)].map(([path, score]) => ({ path, score }))
    const lastAt = (path: string) => this.files.get(path)!.touches[0]!.at
    scored.sort((a, b) => b.score - a.score || lastAt(b.path) - lastAt(a.path) || (a.path < b.path ? -1 : 1))
    return scored.slice(0, limit).map(({ path }) => path)
  }

  async fileStats(paths: string[]) {
    return paths.flatMap((path) => {
      const touches = this.files.get(path)?.touches
      return touches ? [{ path, touches: touches.length, lastAt: touches[0]!.at }] : []
    })
  }

  async histories(paths: string[], perFile: number) {
    return paths.flatMap((path) => this.history(path, perFile) ?? [])
  }

  private history(path: string, perFile: number): FileHistory | undefined {
    const own = this.files.get(path)?.touches
    if (!own) return undefined
    const earlier = (this.tails.get(tail(path)) ?? [])
      .filter((other) => other !== path && this.files.get(other)!.touches[0]!.at <= own.at(-1)!.at)
      .flatMap((other) => this.files.get(other)!.touches)
    const touches = earlier.length ? [...own, ...earlier.sort(newestFirst)] : own
    return { path, touches: touches.length, recent: touches.slice(0, perFile), first: touches.at(-1)! }
  }
}

function post(postings: Map<string, Set<string>>, term: string, key: string): void {
  const holders = postings.get(term)
  if (holders) holders.add(key)
  else postings.set(term, new Set([key]))
}

function unpost(postings: Map<string, Set<string>>, term: string, key: string): void {
  const holders = postings.get(term)
  holders?.delete(key)
  if (holders?.size === 0) postings.delete(term)
}

function drop(list: Touch[], id: string): void {
  const at = list.findIndex((touch) => touch.id === id)
  if (at >= 0) list.splice(at, 1)
}

function sums(postings: Map<string, Set<string>>, terms: WeightedTerm[]): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { term, weight } of terms)
    for (const key of postings.get(term) ?? []) totals.set(key, (totals.get(key) ?? 0) + weight)
  return totals
}

/** Keeps the list newest first; entries mostly arrive in order, so the place is near the front. */
function insert(list: Touch[], touch: Touch): void {
  let at = 0
  while (at < list.length && newestFirst(list[at]!, touch) < 0) at++
  list.splice(at, 0, touch)
}

export function newestFirst(a: Touch, b: Touch): number {
  return b.at - a.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
