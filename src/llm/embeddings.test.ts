import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAiEmbeddings } from './embeddings.ts'

let server: Server
let url: string
let asked: { path?: string; authorization?: string; body: { model: string; input: string[] } }[]
/** What the service answers; never, when undefined. */
let answer: ((input: string[]) => { status?: number; body: unknown }) | undefined
let now: number
const warned: unknown[] = []

beforeEach(async () => {
  asked = []
  warned.length = 0
  now = 0
  answer = (input) => ({ body: { data: input.map((one, index) => ({ index, embedding: [one.length, 1] })) } })
  server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(await text(request))
    const { authorization } = request.headers
    asked.push({ path: request.url!, body, ...(authorization !== undefined && { authorization }) })
    if (!answer) return
    const given = answer(body.input)
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', location: '/elsewhere' })
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function embedder(apiKey?: string) {
  const log = { debug() {}, info() {}, error() {}, warn: (details: unknown) => void warned.push(details) }
  return openAiEmbeddings({
    url,
    model: 'small',
    clock: { now: () => now },
    log,
    ...(apiKey !== undefined && { apiKey }),
  })
}

it('asks the endpoint for all texts at once, with the key, and gives the vectors in their order', async () => {
  answer = (input) => ({ body: { data: input.map((one, index) => ({ index, embedding: [one.length, 1] })).reverse() } })
  const vectors = await embedder('secret').embed(['abc', 'x'], 5_000)
  expect(vectors).toEqual([Float32Array.from([3, 1]), Float32Array.from([1, 1])])
  expect(asked).toEqual([
    {
      path: '/v1/embeddings',
      authorization: 'Bearer secret',
      body: { model: 'small', input: ['abc', 'x'], encoding_format: 'float' },
    },
  ])
})

describe('has no vectors, and says so once, when the service', () => {
  it.each<[string, typeof answer]>([
    ['never answers', undefined],
    ['fails', () => ({ status: 500, body: {} })],
    ['sends us elsewhere', () => ({ status: 307, body: {} })],
    ['does not speak JSON', () => ({ body: '<html>' })],
    ['gives too few', () => ({ body: { data: [{ index: 0, embedding: [1] }] } })],
    ['gives them twice', () => ({ body: { data: [0, 0].map((index) => ({ index, embedding: [1] })) } })],
    ['gives different lengths', () => ({ body: { data: [[1], [1, 2]].map((embedding) => ({ embedding })) } })],
    ['gives no numbers', () => ({ body: { data: [['a'], ['b']].map((embedding) => ({ embedding })) } })],
  ])('%s', async (_, given) => {
    answer = given
    const one = embedder('secret')
    // Long enough for the question to arrive on a busy machine; only the first case waits for all of it.
    expect(await one.embed(['a', 'b'], 2_000)).toBeUndefined()
    expect(await one.embed(['a', 'b'], 2_000)).toBeUndefined()
    expect(asked).toHaveLength(1)
    expect(warned).toHaveLength(1)
    expect(JSON.stringify(warned)).not.toContain('secret')
  })
})

it('tries again after a rest', async () => {
  answer = () => ({ status: 503, body: {} })
  const one = embedder()
  expect(await one.embed(['a'], 5_000)).toBeUndefined()
  answer = () => ({ body: { data: [{ embedding: [1, 2] }] } })
  now = 61_000
  expect(await one.embed(['a'], 5_000)).toHaveLength(1)
  expect(asked[1]).not.toHaveProperty('authorization')
})

it('has none when nobody is there', async () => {
  await new Promise((resolve) => server.close(resolve))
  expect(await embedder().embed(['a'], 5_000)).toBeUndefined()
})
