import { setImmediate as breathe } from 'node:timers/promises'
import type { Log } from '#core/ports/runtime.ts'
import { identityOf } from '../files/stamp.ts'
import { explainSqlite, isDamage } from '../sqlite/errors.ts'
import { sqliteFile } from '../sqlite/file.ts'
import { setAsideIfDamaged } from '../sqlite/set-aside.ts'
import { StorageError } from '../storage-error.ts'
import { AT_ONCE, type IndexUpdater, openIndexUpdater } from './index-updater.ts'
import type { StoredIndex, StoredIndexes } from './resident.ts'
import { sqliteVectors } from './vectors.ts'

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Its own connection to the file of the store: readers and writers of SQLite do not wait for each other. Where it meets
 * damage it is built anew from the memories; where the file itself is damaged, that is set aside.
 */
export function sqliteIndexes(file: string, { log = SILENT, now = Date.now } = {}): StoredIndexes {
  let opened: IndexUpdater | undefined
  let repairing: Promise<void> | undefined
  const answering = new WeakMap<StoredIndex, StoredIndex>()

  async function current(): Promise<IndexUpdater> {
    const identity = identityOf(file)
    // Another process may have set a damaged file aside, or deleted it, and the store may have begun a new one.
    if (opened && opened.identity !== identity) close()
    if (identity === undefined) (await sqliteFile({ file, log, now }).open()).close()
    opened ??= await openIndexUpdater(file)
    return opened
  }

  function close() {
    opened?.close()
    opened = undefined
  }

  async function repair() {
    log.warn({ file }, 'The search index was damaged; it is built anew from the memories.')
    try {
      await (await current()).buildAnew()
    } catch (error) {
      if (!isDamage(error)) throw error
      // Not even to be thrown away: pages of the file are damaged, and only what can be read of it is of use.
      close()
      await setAsideIfDamaged({ file, log, now })
    }
  }

  /** Damage is repaired at once, by one call for all that meet it. What failed is then tried again, or reported to the caller. */
  async function mendingDamage<T>(work: () => Promise<T>, again?: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isDamage(error)) throw explainSqlite(error, file)
      repairing ??= repair().finally(() => {
        repairing = undefined
      })
      await repairing
      if (again) return await again()
      throw new StorageError('damaged', 'The search index was damaged.', 'It is being built anew; ask again.', {
        cause: error,
      })
    }
  }

  const retried = <T>(work: () => Promise<T>) => mendingDamage(work, work)

  async function indexOf(projectId: string) {
    const updater = await current()
    if (!updater.isLong(projectId) && !(await updater.wouldMoveMany(projectId)))
      await updater.workOff(updater.waiting(AT_ONCE, projectId))
    return updater.index(projectId)
  }

  async function catchUp(enough: (done: number) => boolean) {
    let done = 0
    while (!enough(done)) {
      const updater = await current()
      if (await updater.makeRoom()) continue
      const before = done
      for (const some of updater.queued()) {
        await updater.workOff(some)
        done += some.length
        if (enough(done)) break
        await breathe()
      }
      if (done === before) break
    }
    return done
  }

  const vectors = sqliteVectors({
    database: async () => (await current()).database,
    transaction: async (work) => {
      const updater = await current()
      await updater.transaction(async () => work(updater.database))
    },
  })

  return {
    async of(projectId) {
      const index = await retried(() => indexOf(projectId))
      const known = answering.get(index) ?? watched(index, mendingDamage)
      answering.set(index, known)
      return known
    },
    catchUp: (enough = () => false) => retried(() => catchUp(enough)),
    vectors: {
      of: (...given) => retried(() => vectors.of(...given)),
      missing: (...given) => retried(() => vectors.missing(...given)),
      put: (...given) => retried(() => vectors.put(...given)),
    },
    close,
  }
}

/** The index, where each question notices damage. It is answered by an index as a whole, so it is not asked again in part. */
function watched(index: StoredIndex, mendingDamage: <T>(work: () => Promise<T>) => Promise<T>): StoredIndex {
  return {
    size: () => mendingDamage(() => index.size()),
    extent: () => mendingDamage(() => index.extent()),
    frequencies: (...given) => mendingDamage(() => index.frequencies(...given)),
    byTerms: (...given) => mendingDamage(() => index.byTerms(...given)),
    byIds: (...given) => mendingDamage(() => index.byIds(...given)),
    recent: (...given) => mendingDamage(() => index.recent(...given)),
    filesByTerms: (...given) => mendingDamage(() => index.filesByTerms(...given)),
    fileStats: (...given) => mendingDamage(() => index.fileStats(...given)),
    histories: (...given) => mendingDamage(() => index.histories(...given)),
  }
}
