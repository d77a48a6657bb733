import type { Store } from '#core/ports/store.ts'
import { CachedRedactions } from './cached-redactions.ts'
import type { StateRows } from './sqlite/state-rows.ts'
import type { LocalStore } from './sqlite/store.ts'
import { stateStore } from './states.ts'

/** A number that changes when another connection has written; undefined when that cannot be told. */
export type WrittenElsewhere = () => number | undefined

/** A store that can do several writes in one transaction. */
export interface Batching extends Store {
  together(work: (store: Store) => Promise<void>): Promise<void>
}

interface Cached {
  store: Batching
  /** Stays the same for as long as no memory is written, here or elsewhere; undefined when that cannot be told. */
  memoriesAsOf(): string | undefined
}

/**
 * A store that answers from memory what hooks ask again and again: small values, memories, and which of them sessions
 * were shown. It is asked anew when that was written here, or anything at all by another connection or process.
 */
export function cachedReads(opened: LocalStore, ask: WrittenElsewhere): Cached {
  const writtenElsewhere = oncePerTick(ask)
  const cache = new ReadCache(writtenElsewhere)
  const redactions = new CachedRedactions()
  const lists: AskedLists = new Map()
  let written = 0
  const memoriesChange = async <T>(work: () => Promise<T>) => {
    written++
    try {
      return await cache.change((key) => key.startsWith(USES) || key.startsWith(MEMORY), work)
    } finally {
      written++
    }
  }
  const outcomesChange = <T>(sessionId: string, work: () => Promise<T>) =>
    cache.change((key) => key.startsWith(USES_OF_PROJECT) || key === USES_OF_SESSION + sessionId, work)

  const known = ({ stateRows, memoryUses, memories, sharing, together, ...rest }: LocalStore): Batching => ({
    ...rest,
    together: (work) => together((inOne) => work(known(inOne))),
    states: stateStore(cachedRows(stateRows, cache, lists), redactions),
    memoryUses: {
      ...memoryUses,
      ofSession: (sessionId) => cache.read(USES_OF_SESSION + sessionId, () => memoryUses.ofSession(sessionId)),
      ofProject: (projectId) => cache.read(USES_OF_PROJECT + projectId, () => memoryUses.ofProject(projectId)),
      // Showing a memory is no outcome yet, so the totals of the project stay cached.
      shown: (sessionId, ...given) =>
        cache.change([USES_OF_SESSION + sessionId], () => memoryUses.shown(sessionId, ...given)),
      used: (sessionId, ...given) => outcomesChange(sessionId, () => memoryUses.used(sessionId, ...given)),
      settled: (sessionId, ...given) => outcomesChange(sessionId, () => memoryUses.settled(sessionId, ...given)),
    },
    memories: {
      ...memories,
      byIds: (ids) => cache.readAll(MEMORY, ids, (missing) => memories.byIds(missing)),
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

/** The lists of states that were asked for, by kind: any change to one of their values changes them. */
type AskedLists = Map<string, Set<string>>

/** Kept as text, because the caller that gets a value may change it. */
function cachedRows(rows: StateRows, cache: ReadCache, lists: AskedLists): StateRows {
  const touched = (kind: string, key: string) => [stateOf(kind, key), ...(lists.get(kind) ?? [])]
  return {
    ...rows,
    get: (kind, key) => cache.read(stateOf(kind, key), () => rows.get(kind, key)),
    list(kind, limit) {
      const list = `states ${kind} ${limit}`
      lists.set(kind, (lists.get(kind) ?? new Set()).add(list))
      return cache.read(list, () => rows.list(kind, limit))
    },
    put: (kind, key, text, at) =>
      cache.change(
        touched(kind, key),
        () => rows.put(kind, key, text, at),
        () => [stateOf(kind, key), text],
      ),
    update: (kind, key, at, change) =>
      cache.change(
        touched(kind, key),
        () => rows.update(kind, key, at, change),
        (text) => [stateOf(kind, key), text],
      ),
    remove: (kind, key) => cache.change(touched(kind, key), () => rows.remove(kind, key)),
    expire: (kind, ...given) =>
      cache.change(
        (known) => known.startsWith(stateOf(kind, '')) || lists.get(kind)?.has(known) === true,
        () => rows.expire(kind, ...given),
      ),
  }
}

/**
 * Asks once per tick of the event loop: a hook reads half a dozen values in one tick, and asking costs two locks on a file. A
 * process that has written in between cannot have told us so before the next tick.
 */
function oncePerTick(ask: WrittenElsewhere): WrittenElsewhere {
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

/** Entries are few as a rule, so a full cache is simply emptied. */
const MOST_KEPT = 1000
/**
 * A longer text is read again rather than kept: it is the state of a session, which the engine has in its own cache and
 * writes every second, and each text that was kept would stay until all of the heap is collected.
 */
const LONGEST_KEPT = 3000

/** Some keys, or a test for keys. */
type Touched = readonly string[] | ((key: string) => boolean)

class ReadCache {
  readonly #writtenElsewhere: WrittenElsewhere
  readonly #kept = new Map<string, { value: unknown }>()
  #asOf: number | undefined
  /** Counts the beginning and the end of each change, so that what was read during one is not cached. */
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

  /** The same for several ids, in the order asked for; only those that are not cached are loaded. */
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

  /** Drops what may be out of date; the result tells whether what was read since may be cached. */
  #look(): () => boolean {
    const asOf = this.#writtenElsewhere()
    if (asOf === undefined || asOf !== this.#asOf) this.#kept.clear()
    this.#asOf = asOf
    const changes = this.#changes
    return () => asOf !== undefined && asOf === this.#asOf && changes === this.#changes
  }

  /** Runs a change and drops the entries that it touches; `known` gives the entry that the result makes known. */
  async change<T>(
    touched: Touched,
    work: () => Promise<T>,
    known?: (done: T) => [key: string, value: unknown],
  ): Promise<T> {
    this.#forget(touched)
    this.#changing++
    try {
      const done = await work()
      // With another change under way the order of the two is unknown, so neither result is cached.
      if (known && this.#changing === 1) this.#keep(...known(done))
      return done
    } finally {
      this.#changes++
      this.#changing--
    }
  }

  #forget(touched: Touched) {
    this.#changes++
    if (typeof touched !== 'function') for (const key of touched) this.#kept.delete(key)
    else for (const key of this.#kept.keys()) if (touched(key)) this.#kept.delete(key)
  }

  #keep(key: string, value: unknown) {
    if (typeof value === 'string' && value.length > LONGEST_KEPT) return
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(key, { value })
  }
}
