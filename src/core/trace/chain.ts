import type { Digest, TraceRecord } from './record.ts'
import { readLine } from './view.ts'

/**
 * Each record of the ledger names the one that stood before it when it was written, by its hash. Two branches may go on
 * from the same record and be merged by lines; so what is checked is that the named record is there, earlier.
 */
export interface ChainLink {
  /** Null for the first one. */
  prev: string | null
  /** Of the record without this hash. */
  hash: string
}

/** The record with its place in the chain; `before` is the line that it will follow. */
export function chained(record: TraceRecord, before: string | undefined, digest: Digest): TraceRecord {
  const ours = record.metadata?.['dev.grove']
  if (!ours) return record
  const withPrev = (hash: string): TraceRecord => ({
    ...record,
    metadata: { ...record.metadata, 'dev.grove': { ...ours, chain: { prev: nameOf(before, digest), hash } } },
  })
  return withPrev(hashOf(withPrev(''), digest))
}

/** What the next record calls a line; one without a hash of its own, of another tool or an older Grove, by what it says. */
function nameOf(line: string | undefined, digest: Digest): string | null {
  if (line === undefined) return null
  return linkIn(readLine(line).record)?.hash ?? short(digest(line))
}

function linkIn(record: TraceRecord | undefined): ChainLink | undefined {
  return record?.metadata?.['dev.grove']?.chain
}

function hashOf(record: TraceRecord, digest: Digest): string {
  const ours = record.metadata?.['dev.grove']
  const chain = ours?.chain && { ...ours.chain, hash: '' }
  return short(digest(JSON.stringify({ ...record, metadata: { ...record.metadata, 'dev.grove': { ...ours, chain } } })))
}

const SHORT = 32

function short(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, SHORT)
}

/** Where the chain does not hold. */
export interface ChainBreak {
  line: number
  id: string
  /** `changed`: it does not say any more what was written. `missing`: what it followed is gone. `moved`: that comes later now. */
  problem: 'changed' | 'missing' | 'moved'
}

/** Checks a ledger line by line, in order. */
export class ChainCheck {
  readonly #digest: Digest
  readonly #places = new Map<string, number>()
  readonly #links: { line: number; id: string; prev: string }[] = []
  readonly #changed: ChainBreak[] = []
  #lines = 0

  constructor(digest: Digest) {
    this.#digest = digest
  }

  add(text: string): void {
    const line = ++this.#lines
    const { record } = readLine(text)
    const link = linkIn(record)
    this.#places.set(link?.hash ?? short(this.#digest(text)), line)
    if (!record || !link) return
    if (hashOf(record, this.#digest) !== link.hash) this.#changed.push({ line, id: record.id, problem: 'changed' })
    if (link.prev !== null) this.#links.push({ line, id: record.id, prev: link.prev })
  }

  /** Whether a record with this hash was among them. */
  has(hash: string): boolean {
    return this.#places.has(hash)
  }

  breaks(): ChainBreak[] {
    const found = [...this.#changed]
    for (const { line, id, prev } of this.#links) {
      const place = this.#places.get(prev)
      if (place === undefined) found.push({ line, id, problem: 'missing' })
      else if (place > line) found.push({ line, id, problem: 'moved' })
    }
    return found.sort((a, b) => a.line - b.line)
  }
}
