import { mayBeLost } from '#core/lost-locks.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { Slot } from '#core/ports/state.ts'
import type { Store } from '#core/ports/store.ts'
import type { Batching } from './cached-reads.ts'
import { StorageError } from './storage-error.ts'

/** Methods that only write, and whose callers do not use the outcome. */
const WRITES: { [Name in keyof Store]?: readonly string[] } = {
  projects: ['put'],
  sessions: ['see', 'end', 'eraseWork'],
  tasks: ['create', 'change', 'remove'],
  steps: ['append', 'removeOfTask'],
  driftEvents: ['append', 'markRecovered'],
  turns: ['append'],
  injections: ['append'],
  memories: ['put'],
  memoryUses: ['shown', 'used', 'settled'],
  states: ['put', 'remove'],
}

interface Needs {
  /** Begins a job when no answer is waited for. */
  later: (job: () => void) => void
  log: Log
}

type Call = (...given: unknown[]) => Promise<unknown>

interface Write {
  /** What this write is about: a read of the same waits until it is written. */
  about: string
  table: keyof Store
  method: string
  given: unknown[]
}

/** While agents are busy, writes are gathered this long; a transaction for each would cost more than they do. */
const GATHER_MS = 1000
const MOST_WAITING = 5000
/** Another process that wants to write waits for the whole batch. */
const MOST_TOGETHER = 500
/** A full disk is asked again this much later. */
const RETRY_MS = 5000

/**
 * A store that writes when the answer has left, many writes in one transaction. Writes keep their order, and a read of
 * what waits to be written gets it written first; so within this process nothing looks different. A write that fails is
 * logged: its caller has been answered already. While the disk takes nothing, writes wait until it does, the newest of them;
 * reads go on without them. Closing writes what is left.
 */
export function writeBehind(store: Batching, { later, log }: Needs): Store {
  const waiting: Write[] = []
  /** Waiting writes that a later one of the same key takes the place of. */
  const replaceable = new Map<string, Write>()
  const waitingAbout = new Map<string, number>()
  let writing: Promise<void> | undefined
  let writtenAt = Number.NEGATIVE_INFINITY
  /** Set while the disk takes nothing: how many waiting writes had to go. */
  let blocked: { dropped: number } | undefined

  /** Writes what waits now; what comes meanwhile is gathered for the next time. */
  const work = async () => {
    for (let left = waiting.length; left > 0; ) {
      const batch = waiting.slice(0, Math.min(left, batchLength(waiting)))
      replaceable.clear()
      const trouble = await writeTogether(store, batch, log)
      if (trouble) {
        block(trouble)
        break
      }
      // Only now, so that a read in between still waits for it.
      waiting.splice(0, batch.length)
      for (const { about } of batch) count(about, -1)
      left -= batch.length
      if (blocked) unblock()
    }
    writtenAt = performance.now()
    writing = undefined
    if (waiting.length > 0 && !blocked) later(settleSoon)
  }
  const block = (trouble: StorageError) => {
    if (!blocked) log.warn({ err: trouble }, 'the store cannot be written; what is noted waits until it can')
    blocked ??= { dropped: 0 }
    setTimeout(() => void write(), RETRY_MS).unref()
  }
  const unblock = () => {
    log.warn({ lost: blocked?.dropped }, 'the store can be written again')
    blocked = undefined
  }
  const write = async () => {
    await writing
    if (waiting.length > 0) writing ??= work()
    await writing
  }
  const settle = async () => {
    if (!blocked) await write()
  }
  const settleSoon = () => {
    const wait = writtenAt + GATHER_MS - performance.now()
    if (wait <= 0) void settle()
    else setTimeout(() => void settle(), wait)
  }
  const count = (about: string, by: number) => {
    const now = (waitingAbout.get(about) ?? 0) + by
    if (now > 0) waitingAbout.set(about, now)
    else waitingAbout.delete(about)
  }
  const enqueue = (write: Write) => {
    const key = replaces(write)
    const before = key === undefined ? undefined : replaceable.get(key)
    if (before) {
      before.given = merged(before, write)
      return
    }
    // What was put earlier must not take the place of what is put after a removal.
    replaceable.delete(write.about)
    if (key !== undefined) replaceable.set(key, write)
    waiting.push(write)
    count(write.about, 1)
    if (blocked) dropOldest(blocked)
    else if (waiting.length === 1) later(settleSoon)
    else if (waiting.length === MOST_WAITING) void settle()
  }
  const dropOldest = (since: { dropped: number }) => {
    // What is being written stays where it is.
    if (waiting.length <= MOST_WAITING || writing) return
    const [oldest] = waiting.splice(0, 1)
    replaceable.clear()
    count(oldest!.about, -1)
    since.dropped++
  }
  const forget = mayBeLost(() => {
    const was = writing
    return () => {
      if (was === undefined || writing !== was) return
      writing = undefined
      settleSoon()
    }
  })
  const isWaiting = (about: string) =>
    waitingAbout.has(about) || (about === 'states' && [...waitingAbout.keys()].some((one) => one.startsWith('states ')))

  const behind = (table: keyof Store) => {
    const methods = Object.entries(store[table]) as [string, Call][]
    const wrapped = methods.map(([method, call]): [string, Call] => [
      method,
      WRITES[table]?.includes(method)
        ? async (...given) => enqueue({ about: aboutOf(table, given), table, method, given })
        : async (...given) => {
            if (isWaiting(aboutOf(table, given))) await settle()
            return call(...given)
          },
    ])
    return Object.fromEntries(wrapped)
  }
  const tables = (Object.keys(store) as (keyof Store)[]).filter((name) => typeof store[name] === 'object')
  return {
    ...store,
    ...Object.fromEntries(tables.map((name) => [name, behind(name)])),
    async checkpointLog() {
      await settle()
      await store.checkpointLog()
    },
    async close() {
      while (waiting.length > 0) {
        await write()
        if (!blocked) continue
        log.error({ waiting: waiting.length }, 'some of what was noted could not be written')
        break
      }
      forget()
      await store.close()
    },
  }
}

/** Small values are told apart one by one; of everything else a whole table. */
function aboutOf(table: keyof Store, [slot, key]: unknown[]): string {
  return table === 'states' && typeof key === 'string' ? `states ${(slot as Slot<unknown>).kind} ${key}` : table
}

/** A session is seen, and what is known about it written, with each of its turns; only the newest of either counts. */
function replaces({ about, table, method, given: [first] }: Write): string | undefined {
  if (table === 'states' && method === 'put') return about
  if (table !== 'sessions' || method !== 'see') return undefined
  const { id, through } = first as { id: string; through: string }
  return `sessions ${through} ${id}`
}

function merged({ table, given: [before] }: Write, { given }: Write): unknown[] {
  return table === 'sessions' ? [{ ...(before as object), ...(given[0] as object) }] : given
}

/** A memory is written in a transaction of its own. */
function batchLength(waiting: readonly Write[]): number {
  const alone = waiting.findIndex(({ table }) => table === 'memories')
  return Math.min(MOST_TOGETHER, alone === -1 ? waiting.length : Math.max(alone, 1))
}

/**
 * One transaction for all; when that fails, each for itself, which they survive: all of them may be written twice. Resolves
 * to the trouble when the disk takes nothing, and then all of them are to be written again.
 */
async function writeTogether(store: Batching, batch: readonly Write[], log: Log): Promise<StorageError | undefined> {
  const each = async (on: Store) => {
    const failed: [Write, unknown][] = []
    for (const write of batch) await perform(on, write).catch((error) => failed.push([write, error]))
    return failed
  }
  let failed: [Write, unknown][] | undefined
  try {
    if (batch.length > 1) {
      await store.together(async (inOne) => {
        failed = await each(inOne)
      })
    }
  } catch (error) {
    if (isFullDisk(error)) return error
    failed = undefined
  }
  failed ??= await each(store)
  const full = failed.find((one): one is [Write, StorageError] => isFullDisk(one[1]))
  if (full) return full[1]
  for (const [{ about }, error] of failed) log.warn({ err: error, about }, 'could not be written to the store')
  return undefined
}

/** Nothing is wrong with what is written, and the same write works when there is room again. */
function isFullDisk(error: unknown): error is StorageError {
  return error instanceof StorageError && ['full', 'not-writable', 'broken-disk'].includes(error.code)
}

function perform(store: Store, { table, method, given }: Write): Promise<unknown> {
  return (store[table] as unknown as Record<string, Call>)[method]!(...given)
}
