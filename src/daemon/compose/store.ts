import type { Config } from '#config/config.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import { cachedReads } from '#storage/cached-reads.ts'
import { writeBehind } from '#storage/write-behind.ts'
import { ensureHome } from '../process/home.ts'

/** The store of one home, as the parts of one process share it. */
export interface OpenStore {
  /** Written at once: other processes read what the gate and the guard write. */
  store: Store
  /** The same store; in a daemon sessions, steps and turns are written after the answer has left. */
  writeBehind: Store
  /** A version that changes with every written memory: until then reads may be cached. Only a daemon has it. */
  memoriesAsOf?: () => string | undefined
}

interface Needs {
  config: Config
  clock: Clock
  log: Log
  /** The file, or `:memory:` for a store that ends with the process. */
  database: string
  later?: ((job: () => void) => void) | undefined
}

/** Opens the local store; with a team, too, it is the one that is worked on, and `team.ts` synchronises it. */
export async function openStore({ config, clock, log, database, later }: Needs): Promise<OpenStore> {
  if (database !== ':memory:') ensureHome(config.home)
  const { openSqliteStore } = await import('#storage/sqlite/open.ts')
  const file = await openSqliteStore({ file: database, log, now: clock.now })
  if (!later) return { store: file, writeBehind: file }
  const { store, memoriesAsOf } = cachedReads(file, file.writtenElsewhere)
  return { store, memoriesAsOf, writeBehind: writeBehind(store, { later, log }) }
}
