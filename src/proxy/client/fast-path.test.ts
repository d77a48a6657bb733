import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench, until } from '../testing/setup.ts'
import { answerBytes, chunk, LAST_CHUNK, requestBytes, valuesOf, WireClient } from '../testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

describe('one connection', () => {
  it('carries plain requests, odd ones and plain ones again, each answered as it is', async () => {
    const { upstream, proxy } = await bench.between((socket, { method, path, body }) =>
      socket.write(answerBytes('200 OK', [], `${method} ${path} ${body.length}`)),
    )
    const client = await WireClient.connect(proxy.port)
    const said = async (method: string, path: string, headers: string[] = [], body?: string) =>
      (await client.ask(method, path, headers, body)).body.toString()
    expect(await said('POST', '/v1/messages', [], '{}')).toBe('POST /v1/messages 2')
    expect(await said('POST', '/v1/other', ['Connection: Keep-Alive'], '{ }')).toBe('POST /v1/other 3')
    expect(await said('GET', '/v1/models')).toBe('GET /v1/models 0')
    expect(await said('POST', '/v1/messages', ['transfer-encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')).toMatch(/^POST/)
    expect(await said('POST', '/v1/messages', [], '{}')).toBe('POST /v1/messages 2')
    expect(upstream.requests).toHaveLength(5)
  })

  it('takes a request byte by byte, and two in one piece', async () => {
    const { upstream, proxy } = await bench.between((socket, { body }) =>
      socket.write(answerBytes('200 OK', [], `got ${body}`)),
    )
    const slow = await WireClient.connect(proxy.port)
    const answer = slow.answer()
    for (const byte of requestBytes('POST', '/v1/messages', proxy.port, [], '{"a":1}')) slow.send(Buffer.from([byte]))
    expect((await answer).body.toString()).toBe('got {"a":1}')
    const quick = await WireClient.connect(proxy.port)
    const answers = [quick.answer(), quick.answer()]
    const [one, two] = ['{"b":1}', '{"b":2}'].map((body) => requestBytes('POST', '/v1/x', proxy.port, [], body))
    quick.send(Buffer.concat([one!, two!]))
    expect((await Promise.all(answers)).map(({ body }) => body.toString())).toEqual(['got {"b":1}', 'got {"b":2}'])
    expect(upstream.requests).toHaveLength(3)
  })

  it('gets an answer without content, and another one behind it', async () => {
    const { proxy } = await bench.between((socket, _request, nth) =>
      socket.write(nth === 1 ? 'HTTP/1.1 204 No Content\r\n\r\n' : answerBytes('200 OK', [], 'then')),
    )
    const client = await WireClient.connect(proxy.port)
    const empty = await client.ask('POST', '/v1/messages', [], '{}')
    expect([empty.status, valuesOf(empty.headers, 'transfer-encoding')]).toEqual([204, []])
    expect((await client.ask('POST', '/v1/messages', [], '{}')).body.toString()).toBe('then')
  })

  it('is kept by the upstream for one answer after the other, but not behind bytes that nobody asked for', async () => {
    const seen: unknown[] = []
    const { proxy } = await bench.between((socket, _request, nth) => {
      seen.push(socket)
      const answer = answerBytes('200 OK', [], `answer ${nth}`)
      socket.write(nth === 2 ? Buffer.concat([answer, answerBytes('200 OK', [], 'smuggled')]) : answer)
    })
    const client = await WireClient.connect(proxy.port)
    for (const nth of [1, 2, 3, 4]) {
      expect((await client.ask('POST', '/v1/messages', [], '{}')).body.toString()).toBe(`answer ${nth}`)
    }
    expect([seen[0] === seen[1], seen[1] === seen[2], seen[2] === seen[3]]).toEqual([true, false, true])
  })

  it('gets the trailers of an answer as little as its chunks', async () => {
    const { proxy } = await bench.between((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      socket.write(Buffer.concat([chunk('one'), chunk('two'), Buffer.from('0\r\nx-check: 1\r\n\r\n')]))
    })
    const client = await WireClient.connect(proxy.port)
    const raw: Buffer[] = []
    client.socket.on('data', (bytes) => raw.push(bytes as Buffer))
    const { body } = await client.ask('POST', '/v1/messages', [], '{}')
    expect(body.toString()).toBe('onetwo')
    expect(Buffer.concat(raw).toString().endsWith(LAST_CHUNK)).toBe(true)
  })

  it('is closed behind its answer while the proxy closes', async () => {
    let finish: (() => void) | undefined
    const { proxy } = await bench.between((socket) => {
      finish = () => socket.write(answerBytes('200 OK', [], 'late'))
    })
    const client = await WireClient.connect(proxy.port)
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await until(() => finish !== undefined)
    const gone = once(client.socket, 'close')
    const closed = proxy.close()
    finish?.()
    expect((await answer).body.toString()).toBe('late')
    await Promise.all([gone, closed])
  })
})
