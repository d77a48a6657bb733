import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { MemoryIndexes } from '#core/memory/indexes.ts'
import type { Clock, Log, Store } from '#core/ports.ts'
import { mergedAmong, workPlace } from '#exec/branches.ts'
import { sqliteIndexes } from '#storage/memory-index/sqlite-indexes.ts'
import type { FindMemories, MemoryWorld } from '#supervisor/memory/world.ts'

interface Needs {
  config: Config
  store: Store
  clock: Clock
  log: Log
}

/** How likely a memory must be to help before an agent is shown it. */
const CONFIDENCE = { conservative: 0.25, moderate: 0.12, aggressive: 0.05 }

export interface OpenMemory extends MemoryWorld {
  indexes: MemoryIndexes
}

/** Everything that finds and keeps memories, on one store. */
export function memoryWorld({ config, store, clock, log }: Needs): OpenMemory {
  const indexes = sqliteIndexes(pathsOf(config).database)
  const { inject, user } = config.memory
  return {
    store,
    clock,
    log,
    indexes,
    find: lazily(async () => {
      const { findIn } = await import('#supervisor/memory/find.ts')
      return findIn({ indexes, store, clock })
    }),
    workPlace,
    mergedAmong,
    ...(user !== undefined && { user }),
    settings: {
      perSession: inject ? config.retrieval.maxInjections : 0,
      confidence: CONFIDENCE[config.retrieval.strategy],
    },
  }
}

/** The ranking brings its weights along; a hook process that asks nothing of it need not read them. */
function lazily(load: () => Promise<FindMemories>): FindMemories {
  let loaded: Promise<FindMemories> | undefined
  return async (projectId, question) => {
    loaded ??= load()
    return (await loaded)(projectId, question)
  }
}

const LOOK_EVERY_MS = 5_000

/** Works off what waits to become searchable, now and whenever something came: teammates send, and other processes write. */
export function keepIndexed(indexes: MemoryIndexes, log: Log): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve()
  const look = async () => {
    try {
      await indexes.catchUp()
    } catch (error) {
      log.warn({ err: error }, 'memories could not be indexed; the next look tries again')
    }
    if (!stopped) later()
  }
  const later = () => {
    timer = setTimeout(() => {
      round = look()
    }, LOOK_EVERY_MS)
    timer.unref()
  }
  round = look()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
