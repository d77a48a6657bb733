import type { Clock, Log } from '#core/ports/runtime.ts'
import type { Embedder } from '#core/search/embeddings.ts'

export interface EmbeddingsOptions {
  /** Where the API begins, such as `http://127.0.0.1:11434/v1`; `/embeddings` is added. */
  url: string
  model: string
  apiKey?: string
  clock: Clock
  log: Log
}

const MAX_CHARS = 6_000
/** How long no call is made after a failure. */
const REST_MS = 60_000

/** Any OpenAI-compatible embeddings endpoint. A failure is logged and answered with none. */
export function openAiEmbeddings({ url, model, apiKey, clock, log }: EmbeddingsOptions): Embedder {
  const endpoint = `${url.replace(/(?<!\/)\/+$/, '')}/embeddings`
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
  let restUntil = 0

  return {
    model,
    async embed(texts, withinMs) {
      if (texts.length === 0) return []
      if (clock.now() < restUntil) return undefined
      try {
        const input = texts.map((text) => text.slice(0, MAX_CHARS) || ' ')
        const body = JSON.stringify({ model, input, encoding_format: 'float' })
        // A redirect would take the key along.
        const request = {
          method: 'POST',
          headers,
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(withinMs),
        } as const
        const answer = await fetch(endpoint, request)
        if (!answer.ok) throw new Error(`it answered ${answer.status}`)
        return vectorsIn(await answer.json(), texts.length)
      } catch (error) {
        restUntil = clock.now() + REST_MS
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ reason, model }, 'no embeddings for a while; memory is searched without them')
        return undefined
      }
    },
  }
}

interface Answer {
  data?: { index?: number; embedding?: unknown }[]
}

function vectorsIn(answer: unknown, count: number): Float32Array[] {
  const { data } = (answer ?? {}) as Answer
  if (!Array.isArray(data) || data.length !== count) throw new Error(`it did not answer with ${count} embeddings`)
  const vectors: Float32Array[] = []
  data.forEach(({ index, embedding }, at) => {
    if (!isVector(embedding)) throw new Error('an embedding is not a list of numbers')
    vectors[index ?? at] = Float32Array.from(embedding)
  })
  const [first] = vectors
  const alike = Array.from({ length: count }, (_, at) => vectors[at]?.length === first?.length)
  if (!alike.every(Boolean)) throw new Error('its embeddings differ in length or are not in order')
  return vectors
}

function isVector(embedding: unknown): embedding is number[] {
  return Array.isArray(embedding) && embedding.length > 0 && embedding.every((value) => Number.isFinite(value))
}
