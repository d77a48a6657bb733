import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench } from './testing/setup.ts'
import { answerBytes, ask, chunk, LAST_CHUNK, valuesOf, WireClient } from './testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const ok = answerBytes('200 OK', ['content-type: text/plain'], 'fine')

describe('every path goes through', () => {
  it.each([
    ['HEAD', '/', undefined],
    ['GET', '/v1/models?limit=5', undefined],
    ['POST', '/v1/messages?beta=true', '{"model":"m","messages":[]}'],
    ['POST', '/v1/messages/count_tokens?beta=true', '{"messages":[]}'],
    ['POST', '/v1/complete', ''],
    ['PUT', '/v1/files/a%20b', 'x'],
    ['DELETE', '/v1/files/1', undefined],
    ['OPTIONS', '/v1/messages', undefined],
    ['PROPFIND', '/odd', 'y'],
  ])('%s %s', async (method, path, body) => {
    const answer = method === 'HEAD' ? answerBytes('200 OK', ['x-test-head: x-test-head']) : ok
    const { upstream, proxy } = await bench.between((socket) => socket.write(answer))
    const { status } = await ask(proxy.port, method, path, [], body)
    expect(status).toBe(200)
    expect(upstream.requests).toMatchObject([{ method, path, body: Buffer.from(body ?? '') }])
  })

  it('a target with a base path keeps it in front', async () => {
    const upstream = await bench.upstream((socket) => socket.write(ok))
    const proxy = await bench.proxy({ target: `${upstream.url}/gateway/anthropic/` })
    await ask(proxy.port, 'POST', '/v1/messages?beta=true', [], '{}')
    expect(upstream.requests[0]!.path).toBe('/gateway/anthropic/v1/messages?beta=true')
    expect(valuesOf(upstream.requests[0]!.headers, 'host')).toEqual([`127.0.0.1:${upstream.port}`])
  })

  it('a HEAD answer keeps its length and has no body', async () => {
    const { proxy } = await bench.between((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1234\r\nx-test-head: x-test-head\r\n\r\n'),
    )
    const answer = await ask(proxy.port, 'HEAD', '/')
    expect(valuesOf(answer.headers, 'content-length')).toEqual(['1234'])
    expect(answer.body).toHaveLength(0)
  })

  it('/health is our own', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { version: '1.2.3' })
    const { status, body } = await ask(proxy.port, 'GET', '/health')
    expect(status).toBe(200)
    expect(JSON.parse(body.toString())).toEqual({ status: 'ok', version: '1.2.3', openStreams: 0 })
    expect(upstream.requests).toHaveLength(0)
  })

  it('/health leaves the connection open', async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    for (let i = 0; i < 3; i++) expect((await client.ask('GET', '/health')).status).toBe(200)
    expect((await client.ask('POST', '/v1/x', [], 'y')).status).toBe(200)
  })

  it('a client that waits for 100 Continue gets it, and the upstream never hears of it', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    const said = new Promise<string>((resolve) => client.socket.once('data', (data) => resolve(data.toString())))
    const answer = client.answer()
    client.send('POST /v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\nexpect: 100-continue\r\n\r\n')
    expect(await said).toContain('100 Continue')
    client.send('abc')
    expect((await answer).status).toBe(200)
    expect(valuesOf(upstream.requests[0]!.headers, 'expect')).toEqual([])
    expect(upstream.requests[0]!.body.toString()).toBe('abc')
  })

  it('several requests share one connection on each side', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    for (let i = 0; i < 5; i++) expect((await client.ask('POST', `/n/${i}`, [], 'x')).status).toBe(200)
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/n/0', '/n/1', '/n/2', '/n/3', '/n/4'])
    expect(upstream.sockets.size).toBe(1)
  })

  it('pipelined requests are answered in their order', async () => {
    const { proxy } = await bench.between((socket, { path }) => socket.write(answerBytes('200 OK', [], path)))
    const client = await WireClient.connect(proxy.port)
    const answers = [client.answer(), client.answer(), client.answer()]
    client.send(['/a', '/b', '/c'].map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(''))
    expect((await Promise.all(answers)).map(({ body }) => body.toString())).toEqual(['/a', '/b', '/c'])
  })
})

describe('headers', () => {
  it('all go up, in order, spelling and number, except those of this hop', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    const sent = [
      'User-Agent: claude-cli/2.1.197 (external, sdk-cli)',
      'X-Api-Key: sk-test',
      'Authorization: Bearer abc',
      'anthropic-version: 2023-06-01',
      'anthropic-beta: a,b',
      'anthropic-beta: c',
      'x-claude-code-session-id: s-1',
      'x-stainless-os: Linux',
      'x-app: cli',
      'accept: application/json',
      'accept-encoding: gzip, deflate, br, zstd',
      'content-type: application/json',
      'x-latin: caf\xe9',
      'cookie: a=1',
    ]
    const ofThisHop = [
      'connection: keep-alive, X-Private',
      'x-private: 1',
      'keep-alive: timeout=5',
      'te: trailers',
      'proxy-authorization: Basic c2VjcmV0',
      'proxy-connection: keep-alive',
      'upgrade: h2c',
    ]
    await ask(proxy.port, 'POST', '/v1/messages?beta=true', [...sent, ...ofThisHop], '{"a":1}')
    const { headers } = upstream.requests[0]!
    const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}`] : []))
    expect(pairs.filter((pair) => !/^(host|connection|content-length):/.test(pair))).toEqual(sent)
    expect(valuesOf(headers, 'content-length')).toEqual(['7'])
    expect(valuesOf(headers, 'host')).toEqual([`127.0.0.1:${upstream.port}`])
  })

  it('all come down, in order, spelling and number, except those of that hop', async () => {
    const sent = [
      'Content-Type: application/json',
      'request-id: req_1',
      'Retry-After: 7',
      'anthropic-ratelimit-requests-remaining: 3',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'x-should-retry: true',
      'x-latin: caf\xe9',
      'date: Thu, 01 Jan 2026 00:00:00 GMT',
    ]
    const ofThatHop = ['connection: close, x-inner', 'x-inner: 1', 'keep-alive: timeout=3', 'proxy-authenticate: Basic']
    const { proxy } = await bench.between((socket) =>
      socket.write(answerBytes('429 Slow Down Please', [...sent, ...ofThatHop], '{"type":"error"}')),
    )
    const answer = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    const pairs = answer.headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${answer.headers[i + 1]}`] : []))
    expect(pairs.filter((pair) => !/^(connection|keep-alive|content-length):/i.test(pair))).toEqual(sent)
    expect(answer).toMatchObject({ status: 429, statusText: 'Slow Down Please', complete: true })
    expect(answer.body.toString()).toBe('{"type":"error"}')
  })

  it('no date is made up', async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    expect(valuesOf((await ask(proxy.port, 'GET', '/')).headers, 'date')).toEqual([])
  })
})

describe('bytes', () => {
  const anyBytes = fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes))

  it('are the same on both sides, however they were cut on the way', async () => {
    let answerWith: { chunked: boolean; pieces: Buffer[] } = { chunked: true, pieces: [] }
    const { upstream, proxy } = await bench.between((socket) => {
      const { chunked, pieces } = answerWith
      const body = Buffer.concat(pieces)
      const framing = chunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`
      const parts = chunked
        ? [...pieces.filter((piece) => piece.length > 0).map(chunk), Buffer.from(LAST_CHUNK)]
        : pieces
      void writeSlowly(socket, [Buffer.from(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n`), ...parts])
    })
    const client = await WireClient.connect(proxy.port)
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyBytes, { maxLength: 6 }),
        fc.boolean(),
        fc.array(anyBytes, { maxLength: 6 }),
        fc.boolean(),
        async (up, upChunked, down, downChunked) => {
          answerWith = { chunked: downChunked, pieces: down }
          upstream.requests.length = 0
          const answer = client.answer()
          const body = Buffer.concat(up)
          const framing = upChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`
          const parts = upChunked ? [...up.filter((piece) => piece.length > 0).map(chunk), Buffer.from(LAST_CHUNK)] : up
          const head = `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n`
          await writeSlowly(client.socket, [Buffer.from(head), ...parts])
          const { status, body: got, complete } = await answer
          expect({ status, complete }).toEqual({ status: 200, complete: true })
          expect(got.equals(Buffer.concat(down))).toBe(true)
          expect(upstream.requests[0]!.body.equals(body)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a body compressed with %s passes as it is, both ways', async (encoding, compress) => {
    const up = compress('{"model":"m","messages":[]}')
    const down = compress('event: ping\ndata: {"type":"ping"}\n\n'.repeat(100))
    const { upstream, proxy } = await bench.between((socket) =>
      socket.write(answerBytes('200 OK', [`content-encoding: ${encoding}`, 'content-type: text/event-stream'], down)),
    )
    const headers = [`content-encoding: ${encoding}`, 'accept-encoding: gzip, deflate, br, zstd']
    const answer = await ask(proxy.port, 'POST', '/v1/messages', headers, up)
    expect(upstream.requests[0]!.body.equals(up)).toBe(true)
    expect(valuesOf(upstream.requests[0]!.headers, 'accept-encoding')).toEqual(['gzip, deflate, br, zstd'])
    expect(answer.body.equals(down)).toBe(true)
    expect(valuesOf(answer.headers, 'content-encoding')).toEqual([encoding])
  })

  it('a large body passes whole', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024, '0123456789abcdef')
    const { upstream, proxy } = await bench.between((socket) => socket.write(answerBytes('200 OK', [], large)))
    const answer = await ask(proxy.port, 'POST', '/v1/messages', [], large)
    expect(upstream.requests[0]!.body.equals(large)).toBe(true)
    expect(answer.body.equals(large)).toBe(true)
  })

  it('an answer that ends with its connection arrives whole', async () => {
    const { proxy } = await bench.between((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of it'),
    )
    const answer = await ask(proxy.port, 'GET', '/')
    expect(answer).toMatchObject({ status: 200, complete: true })
    expect(answer.body.toString()).toBe('all of it')
  })

  it('the first event reaches the client while the answer is still being made', async () => {
    let go = () => {}
    const { proxy } = await bench.between((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`)
      socket.write(chunk('event: one\n\n'))
      go = () => socket.write(Buffer.concat([chunk('event: two\n\n'), Buffer.from(LAST_CHUNK)]))
    })
    const client = await WireClient.connect(proxy.port)
    const seen = new Promise<void>((resolve) => {
      client.socket.on('data', (data) => data.includes('event: one') && resolve())
    })
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await seen
    go()
    expect((await answer).body.toString()).toBe('event: one\n\nevent: two\n\n')
  })

  it('the head reaches the client before there is any body', async () => {
    let go = () => {}
    const { proxy } = await bench.between((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
      go = () => socket.write(LAST_CHUNK)
    })
    const client = await WireClient.connect(proxy.port)
    const seen = new Promise<void>((resolve) => client.socket.once('data', () => resolve()))
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await seen
    go()
    expect((await answer).complete).toBe(true)
  })
})

/** Writes each piece in an event loop turn of its own, so that it travels alone. */
async function writeSlowly(socket: { write(data: Buffer): unknown }, pieces: Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (piece.length > 0) socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
