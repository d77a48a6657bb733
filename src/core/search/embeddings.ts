/** Optional vectors: what words of different roots have in common. Nothing here is needed; without it the ranking stands on its own. */
import { redact } from '../redact/redact.ts'

/** Turns texts into vectors. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  model: string
  /** One vector per text, in their order; undefined when there are none to be had in this time. */
  embed(texts: string[], withinMs: number): Promise<Float32Array[] | undefined>
}

export interface Unembedded {
  id: string
  text: string
}

/** Vectors of memories, beside the index. A memory that changes or goes loses its vector. */
export interface MemoryVectors {
  of(model: string, ids: string[]): Promise<Map<string, Float32Array>>
  /** The newest first. */
  missing(model: string, most: number): Promise<Unembedded[]>
  put(model: string, vectors: Map<string, Float32Array>): Promise<void>
}

/** Asks at once for the question's vector, and later for how near each entry lies to it: log-odds for the ranking, by entry id. */
export type Similarity = (text: string) => (ids: string[]) => Promise<Map<string, number>>

/** By an embedder; nothing when the question has no vector in time. */
export function similarityBy(embedder: Embedder, vectors: Pick<MemoryVectors, 'of'>, withinMs: number): Similarity {
  return (text) => {
    const asking = embedder.embed([redact(text)], withinMs)
    return async (ids) => {
      const [asked] = (await asking) ?? []
      return asked ? similarityOdds(asked, await vectors.of(embedder.model, ids)) : new Map()
    }
  }
}

const AT_ONCE = 32
const BATCH_MS = 20_000

/** Gives vectors to memories that have none, until all have or it is enough; answers how many. Stops at the first refusal. */
export async function embedMissing(
  embedder: Embedder,
  vectors: MemoryVectors,
  enough: () => boolean = () => false,
): Promise<number> {
  let done = 0
  while (!enough()) {
    const some = await vectors.missing(embedder.model, AT_ONCE)
    if (some.length === 0) break
    const made = await embedder.embed(
      some.map(({ text }) => text),
      BATCH_MS,
    )
    if (!made || enough()) break
    await vectors.put(embedder.model, new Map(some.map(({ id }, at) => [id, made[at]!])))
    done += some.length
  }
  return done
}

/** Models spread their similarities differently, so only the place among the other candidates counts. */
const WEIGHT = 0.8
const [LEAST, MOST] = [-2, 3]
const FEW = 3

/** Vectors of another length than the question's are left out: they come from another model of the same name. */
export function similarityOdds(asked: Float32Array, known: Map<string, Float32Array>): Map<string, number> {
  const near = [...known].flatMap(([id, vector]) => {
    return vector.length === asked.length ? [{ id, cosine: cosine(asked, vector) }] : []
  })
  if (near.length < FEW) return new Map()
  const mean = near.reduce((sum, one) => sum + one.cosine, 0) / near.length
  const spread = Math.sqrt(near.reduce((sum, one) => sum + (one.cosine - mean) ** 2, 0) / near.length) + 1e-6
  return new Map(near.map((one) => [one.id, WEIGHT * Math.max(LEAST, Math.min(MOST, (one.cosine - mean) / spread))]))
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    aa += a[i]! * a[i]!
    bb += b[i]! * b[i]!
  }
  return aa && bb ? dot / Math.sqrt(aa * bb) : 0
}
