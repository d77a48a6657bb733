import { expect, it } from 'vitest'
import { type Embedder, embedMissing, type MemoryVectors, similarityBy, similarityOdds } from './embeddings.ts'

const vector = (...numbers: number[]) => Float32Array.from(numbers)

it('speaks for what lies near the question, and against what lies far', () => {
  const known = new Map([
    ['same', vector(2, 0)],
    ['near', vector(1, 0.2)],
    ['far', vector(0, 1)],
  ])
  const odds = similarityOdds(vector(1, 0), known)
  expect(odds.get('same')).toBeGreaterThan(odds.get('near')!)
  expect(odds.get('near')).toBeGreaterThan(0)
  expect(odds.get('far')).toBeLessThan(0)
})

it('says nothing of vectors of another length, of zeros, or where there are hardly any to compare', () => {
  const three = ['a', 'b', 'c'].map((id) => [id, vector(1, 0)] as const)
  expect(similarityOdds(vector(1, 0, 0), new Map(three))).toEqual(new Map())
  expect(similarityOdds(vector(1, 0), new Map(three.slice(0, 2)))).toEqual(new Map())
  expect([...similarityOdds(vector(0, 0), new Map(three)).values()]).toEqual([0, 0, 0])
})

it('leaves the ranking alone when the question gets no vector', async () => {
  const silent: Embedder = { model: 'm', embed: async () => undefined }
  const vectors = { of: async () => new Map([['a', vector(1)]]) }
  expect(await similarityBy(silent, vectors, 10)('why')(['a'])).toEqual(new Map())
})

it('gives every memory a vector, and stops where the service does', async () => {
  const known = new Map<string, Float32Array>()
  const all = Array.from({ length: 70 }, (_, i) => ({ id: `m${i}`, text: `text ${i}` }))
  const vectors: MemoryVectors = {
    of: async () => known,
    missing: async (_, most) => all.filter(({ id }) => !known.has(id)).slice(0, most),
    put: async (_, some) => {
      for (const [id, one] of some) known.set(id, one)
    },
  }
  let calls = 0
  const tired: Embedder = { model: 'm', embed: async (texts) => (++calls > 1 ? undefined : texts.map(() => vector(1))) }
  expect(await embedMissing(tired, vectors)).toBe(32)
  const awake: Embedder = { model: 'm', embed: async (texts) => texts.map(() => vector(1)) }
  expect(await embedMissing(awake, vectors, () => true)).toBe(0)
  expect(await embedMissing(awake, vectors)).toBe(38)
  expect(known.size).toBe(70)
})
