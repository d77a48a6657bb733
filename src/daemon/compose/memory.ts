import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { FindMemories } from '#core/ports/memory.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { MemoryIndexes } from '#core/ports/search-index.ts'
import type { Store } from '#core/ports/store.ts'
import { type Embedder, similarityBy } from '#core/search/embeddings.ts'
import { mergedAmong } from '#exec/git/branches.ts'
import type { GitCache } from '#exec/git/cache.ts'
import { headBranch } from '#exec/git/head.ts'
import { sqliteIndexes } from '#storage/search/indexes.ts'
import { residentIndexes } from '#storage/search/resident.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import type { SettingsAt } from './project-settings.ts'

interface Needs {
  config: Config
  settingsAt: SettingsAt
  store: Store
  git: GitCache
  clock: Clock
  log: Log
  /** A version that changes with every written memory: until then reads may be cached. Only a daemon has it. */
  memoriesAsOf?: () => string | undefined
}

const MOST_FOLDERS = 100

/** How likely a memory must be to help before an agent is shown it. */
const CONFIDENCE = { conservative: 0.25, moderate: 0.12, aggressive: 0.05 }

export interface OpenMemory extends MemoryWorld {
  indexes: MemoryIndexes
  /**
   * The configured embeddings, if any: a new client for each use, so that one that pauses after a failure stops no
   * other.
   */
  embedder(): Promise<Embedder | undefined>
}

/** Everything that finds and keeps memories, on one store. */
export function memoryWorld({ config, settingsAt, store, git, clock, log, memoriesAsOf }: Needs): OpenMemory {
  const stored = sqliteIndexes(pathsOf(config).database, { log, now: clock.now })
  const resident = memoriesAsOf && residentIndexes(stored, memoriesAsOf)
  const indexes = resident ?? stored
  const { user } = config.memory
  const defaultBranches = new Map<string, string | undefined>()
  return {
    store,
    clock,
    log,
    indexes,
    embedder: () => embedderOf(config, clock, log),
    find: lazily(async () => {
      const { findIn } = await import('#supervisor/search/find.ts')
      const embedder = await embedderOf(config, clock, log)
      const similar = embedder && similarityBy(embedder, indexes.vectors, config.embeddings.timeoutMs)
      return findIn({ indexes, store, clock, ...(similar && { similar }) })
    }),
    ...(resident && { readAhead: resident.readAhead }),
    async workPlace(cwd) {
      const place = await git.workPlaceAt(cwd)
      if (defaultBranches.size >= MOST_FOLDERS) defaultBranches.clear()
      defaultBranches.set(cwd, place.defaultBranch)
      return place
    },
    ...(resident && {
      isOnDefaultBranch: (cwd) => {
        const branch = defaultBranches.get(cwd)
        return branch !== undefined && headBranch(cwd) === branch
      },
    }),
    mergedAmong,
    ...(user !== undefined && { user }),
    settingsAt(cwd) {
      const { memory, retrieval } = settingsAt(cwd)
      const { remember, inject } = memory
      const perSession = inject ? retrieval.maxInjections : 0
      return { remember, perSession, confidence: CONFIDENCE[retrieval.strategy] }
    },
  }
}

/** Loads the ranking with its weights on first use: most hook processes never need it. */
function lazily(load: () => Promise<FindMemories>): FindMemories {
  let loaded: Promise<FindMemories> | undefined
  return async (projectId, question) => {
    loaded ??= load()
    return (await loaded)(projectId, question)
  }
}

async function embedderOf(config: Config, clock: Clock, log: Log): Promise<Embedder | undefined> {
  const { url, model, apiKey } = config.embeddings
  if (url === undefined) return undefined
  const { openAiEmbeddings } = await import('#llm/embeddings.ts')
  return openAiEmbeddings({ url, model, clock, log, ...(apiKey !== undefined && { apiKey }) })
}
