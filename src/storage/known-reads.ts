import type { Store } from '#core/ports/store.ts'
import { KnownRedactions } from './known-redactions.ts'
import type { StateRows } from './sqlite/state-rows.ts'
import type { LocalStore } from './sqlite/store.ts'
import { stateStore } from './states.ts'

/** A number that changes when another connection has written; undefined when that cannot be told. */
export type WrittenElsewhere = () => number | undefined

/** A store that can do several writes in one transaction. */
export interface Batching extends Store {
  together(work: (store: Store) => Promise<void>): Promise<void>
}

interface Known {
  store: Batching
  /** Stays the same for as long as no memory is written, here or elsewhere; undefined when that cannot be told. */
  memoriesAsOf(): string | undefined
}

/**
 * A store that answers from memory what hooks ask again and again: small values, memories, and which of them sessions
 * were shown. It is asked anew when that was written here, or anything at all by another connection or process.
 */
export function knownReads(opened: LocalStore, ask: WrittenElsewhere): Known {
  const writtenElsewhere = onceInOneGo(ask)
  const shelf = new Shelf(writtenElsewhere)
  const redactions = new KnownRedactions()
  let written = 0
  const memoriesChange = async <T>(work: () => Promise<T>) => {
    written++
    try {
      return await shelf.change((key) => key.startsWith(USES) || key.startsWith(MEMORY), work)
    } finally {
      written++
    }
  }
  const outcomesChange = <T>(sessionId: string, work: () => Promise<T>) =>
    shelf.change((key) => key.startsWith(USES_OF_PROJECT) || key === USES_OF_SESSION + sessionId, work)

  const known = ({ stateRows, memoryUses, memories, sharing, together, ...rest }: LocalStore): Batching => ({
    ...rest,
    together: (work) => together((inOne) => work(known(inOne))),
    states: stateStore(knownRows(stateRows, shelf), redactions),
    memoryUses: {
      ...memoryUses,
      ofSession: (sessionId) => shelf.read(USES_OF_SESSION + sessionId, () => memoryUses.ofSession(sessionId)),
      ofProject: (projectId) => shelf.read(USES_OF_PROJECT + projectId, () => memoryUses.ofProject(projectId)),
      // To be shown is no outcome yet, so what is known of the project still holds.
      shown: (sessionId, ...given) =>
        shelf.change(USES_OF_SESSION + sessionId, () => memoryUses.shown(sessionId, ...given)),
      used: (sessionId, ...given) => outcomesChange(sessionId, () => memoryUses.used(sessionId, ...given)),
      settled: (sessionId, ...given) => outcomesChange(sessionId, () => memoryUses.settled(sessionId, ...given)),
    },
    memories: {
      ...memories,
      byIds: (ids) => shelf.readAll(MEMORY, ids, (missing) => memories.byIds(missing)),
      put: (...given) => memoriesChange(() => memories.put(...given)),
      remove: (...given) => memoriesChange(() => memories.remove(...given)),
    },
    sharing: { ...sharing, take: (...given) => memoriesChange(() => sharing.take(...given)) },
  })
  return {
    store: known(opened),
    memoriesAsOf() {
      const elsewhere = writtenElsewhere()
      return elsewhere === undefined ? undefined : `${elsewhere} ${written}`
    },
  }
}

/** Kept as text, because the caller that gets a value may change it. */
function knownRows(rows: StateRows, shelf: Shelf): StateRows {
  return {
    ...rows,
    get: (kind, key) => shelf.read(stateOf(kind, key), () => rows.get(kind, key)),
    put: (kind, key, text, at) =>
      shelf.change(
        stateOf(kind, key),
        () => rows.put(kind, key, text, at),
        () => [stateOf(kind, key), text],
      ),
    update: (kind, key, at, change) =>
      shelf.change(
        stateOf(kind, key),
        () => rows.update(kind, key, at, change),
        (text) => [stateOf(kind, key), text],
      ),
    remove: (kind, key) => shelf.change(stateOf(kind, key), () => rows.remove(kind, key)),
    expire: (kind, ...given) =>
      shelf.change(
        (known) => known.startsWith(stateOf(kind, '')),
        () => rows.expire(kind, ...given),
      ),
  }
}

/**
 * Asks once for all that is done before the process looks at anything new: no process that waits for an answer can have written
 * in between and have told us so. A hook reads half a dozen things in one go, and asking costs two locks on a file.
 */
function onceInOneGo(ask: WrittenElsewhere): WrittenElsewhere {
  let asked: { answer: number | undefined } | undefined
  return () => {
    if (!asked) {
      asked = { answer: ask() }
      process.nextTick(() => {
        asked = undefined
      })
    }
    return asked.answer
  }
}

const MEMORY = 'memory '
const USES = 'uses '
const USES_OF_SESSION = `${USES}session `
const USES_OF_PROJECT = `${USES}project `

function stateOf(kind: string, key: string): string {
  return `state ${kind} ${key}`
}

/** Little is kept, so a full shelf is simply emptied. */
const MOST_KEPT = 1000

/** One key, or those that it says yes to. */
type Touched = string | ((key: string) => boolean)

class Shelf {
  readonly #writtenElsewhere: WrittenElsewhere
  readonly #kept = new Map<string, { value: unknown }>()
  #asOf: number | undefined
  /** Counts beginnings and ends, so that what was read during a change is not cached. */
  #changes = 0
  #changing = 0

  constructor(writtenElsewhere: WrittenElsewhere) {
    this.#writtenElsewhere = writtenElsewhere
  }

  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const stillHolds = this.#look()
    const kept = this.#kept.get(key)
    if (kept) return kept.value as T
    const value = await load()
    if (stillHolds()) this.#keep(key, value)
    return value
  }

  /** The same for several things that have ids, in the order asked for; only those that are not kept are loaded. */
  async readAll<T extends { id: string }>(
    kind: string,
    ids: readonly string[],
    load: (missing: string[]) => Promise<T[]>,
  ): Promise<T[]> {
    const stillHolds = this.#look()
    const found = new Map(ids.map((id) => [id, this.#kept.get(kind + id)?.value as T | undefined]))
    const missing = [...found].flatMap(([id, value]) => (value === undefined ? [id] : []))
    const loaded = missing.length > 0 ? await load(missing) : []
    for (const one of loaded) found.set(one.id, one)
    if (stillHolds()) for (const one of loaded) this.#keep(kind + one.id, one)
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /** Drops what may be out of date; answers whether what is read from now on may be kept. */
  #look(): () => boolean {
    const asOf = this.#writtenElsewhere()
    if (asOf === undefined || asOf !== this.#asOf) this.#kept.clear()
    this.#asOf = asOf
    const changes = this.#changes
    return () => asOf !== undefined && asOf === this.#asOf && changes === this.#changes
  }

  /** Does what changes some of what is kept; `known` names what is known then. */
  async change<T>(
    touched: Touched,
    work: () => Promise<T>,
    known?: (done: T) => [key: string, value: unknown],
  ): Promise<T> {
    this.#forget(touched)
    this.#changing++
    try {
      const done = await work()
      // While something else changes, the order of the two is unknown.
      if (known && this.#changing === 1) this.#keep(...known(done))
      return done
    } finally {
      this.#changes++
      this.#changing--
    }
  }

  #forget(touched: Touched) {
    this.#changes++
    if (typeof touched === 'string') this.#kept.delete(touched)
    else for (const key of this.#kept.keys()) if (touched(key)) this.#kept.delete(key)
  }

  #keep(key: string, value: unknown) {
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(key, { value })
  }
}
