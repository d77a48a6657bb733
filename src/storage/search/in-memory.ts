/** The memory index in plain maps: for small stores, tests and benches, and the reference that the SQLite index is tested against. */
import type { Candidate, FileHistory, MemoryIndex, Touch, WeightedTerm } from '#core/ports/search-index.ts'
import { fieldTerms, type IndexEntry, indexTerms, pathTerms, tail } from '#core/search/terms.ts'

export class InMemoryIndex implements MemoryIndex {
  readonly isAtHand = true
  private readonly entries = new Map<string, Candidate>()
  private readonly postings = new Map<string, Set<string>>()
  /** All lists of touches are kept newest first. */
  private readonly order: Touch[] = []
  private readonly files = new Map<string, Touch[]>()
  private readonly filePostings = new Map<string, Set<string>>()
  private readonly tails = new Map<string, Set<string>>()

  /** An id already there is left as it is. */
  add(entries: IndexEntry[]): void {
    for (const entry of entries) if (!this.entries.has(entry.id)) this.addOne(entry)
  }

  private addOne({ id, at, group, files, ...text }: IndexEntry): void {
    this.take({ id, at, files, ...fieldTerms(text), ...(group !== undefined && { group }) })
  }

  /** Adds an entry as another index gives it; the oldest first is the quickest. */
  take(entry: Candidate): void {
    const { id, at, files } = entry
    this.entries.set(id, entry)
    for (const term of indexTerms(entry, files)) post(this.postings, term, id)
    insert(this.order, { id, at })
    for (const path of new Set(files)) insert(this.touchesOf(path), { id, at })
  }

  private touchesOf(path: string): Touch[] {
    const known = this.files.get(path)
    if (known) return known
    const touches: Touch[] = []
    this.files.set(path, touches)
    for (const term of pathTerms(path)) post(this.filePostings, term, path)
    post(this.tails, tail(path), path)
    return touches
  }

  remove(ids: string[]): void {
    for (const id of ids) {
      const entry = this.entries.get(id)
      if (entry) this.removeOne(entry)
    }
  }

  private removeOne({ id, files, ...fields }: Candidate): void {
    this.entries.delete(id)
    drop(this.order, id)
    for (const term of indexTerms(fields, files)) this.postings.get(term)?.delete(id)
    for (const path of new Set(files)) {
      drop(this.files.get(path)!, id)
      if (this.files.get(path)!.length === 0) this.forget(path)
    }
  }

  private forget(path: string): void {
    this.files.delete(path)
    for (const term of pathTerms(path)) this.filePostings.get(term)?.delete(path)
    this.tails.get(tail(path))?.delete(path)
  }

  async size() {
    return this.entries.size
  }

  async frequencies(terms: string[]) {
    const known = new Map<string, number>()
    for (const term of terms) {
      const holders = this.postings.get(term)?.size
      if (holders) known.set(term, holders)
    }
    return known
  }

  async byTerms(terms: WeightedTerm[], limit: number) {
    const scored = [...sums(this.postings, terms)].map(([id, sum]) => ({ sum, entry: this.entries.get(id)! }))
    scored.sort((a, b) => b.sum - a.sum || newestFirst(a.entry, b.entry))
    return scored.slice(0, limit).map(({ entry }) => entry)
  }

  async byIds(ids: string[]) {
    return ids.flatMap((id) => this.entries.get(id) ?? [])
  }

  async recent(limit: number) {
    return this.byIds(this.order.slice(0, limit).map(({ id }) => id))
  }

  async filesByTerms(terms: WeightedTerm[], limit: number) {
    const scored = [...sums(this.filePostings, terms)].map(([path, sum]) => ({
      path,
      sum,
      lastAt: this.files.get(path)![0]!.at,
    }))
    scored.sort((a, b) => b.sum - a.sum || b.lastAt - a.lastAt || (a.path < b.path ? -1 : 1))
    return scored.slice(0, limit).map(({ path }) => path)
  }

  async fileStats(paths: string[]) {
    return paths.flatMap((path) => {
      const touches = this.files.get(path)
      return touches ? [{ path, touches: touches.length, lastAt: touches[0]!.at }] : []
    })
  }

  async histories(paths: string[], perFile: number) {
    return paths.flatMap((path) => {
      const own = this.files.get(path)
      return own ? [this.history(path, own, perFile)] : []
    })
  }

  private history(path: string, own: Touch[], perFile: number): FileHistory {
    const before = [...this.tails.get(tail(path))!]
      .filter((other) => other !== path && this.files.get(other)![0]!.at <= own.at(-1)!.at)
      .flatMap((other) => this.files.get(other)!)
    const touches = [...own, ...before.sort(newestFirst)]
    return { path, touches: touches.length, recent: touches.slice(0, perFile), first: touches.at(-1)! }
  }
}

function post(postings: Map<string, Set<string>>, term: string, key: string): void {
  const holders = postings.get(term)
  if (holders) holders.add(key)
  else postings.set(term, new Set([key]))
}

function sums(postings: Map<string, Set<string>>, terms: WeightedTerm[]): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { term, weight } of terms)
    for (const key of postings.get(term) ?? []) totals.set(key, (totals.get(key) ?? 0) + weight)
  return totals
}

/** Entries mostly arrive in order, so the place is near the front. */
function insert(list: Touch[], touch: Touch): void {
  let at = 0
  while (at < list.length && newestFirst(list[at]!, touch) < 0) at++
  list.splice(at, 0, touch)
}

function drop(list: Touch[], id: string): void {
  list.splice(
    list.findIndex((touch) => touch.id === id),
    1,
  )
}

export function newestFirst(a: Touch, b: Touch): number {
  return b.at - a.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
