import type { Log } from '#core/ports/runtime.ts'
import type { MemoryIndexes } from '#core/ports/search-index.ts'
import { type Embedder, embedMissing } from '#core/search/embeddings.ts'

const LOOK_EVERY_MS = 5_000

/** Works off what waits to become searchable, now and whenever something came: teammates send, and other processes write. */
export function keepIndexed(
  indexes: MemoryIndexes,
  log: Log,
  embedder: Promise<Embedder | undefined> = Promise.resolve(undefined),
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve()
  // Beside the rounds: a model may take its time, and closing does not wait for it.
  let isEmbedding = false
  const embed = async (given: Embedder) => {
    if (isEmbedding) return
    isEmbedding = true
    try {
      await embedMissing(given, indexes.vectors, () => stopped)
    } catch (error) {
      log.warn({ err: error }, 'memories got no vectors; the next look tries again')
    }
    isEmbedding = false
  }
  const look = async () => {
    try {
      await indexes.catchUp(() => stopped)
      const given = await embedder
      if (given) void embed(given)
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
