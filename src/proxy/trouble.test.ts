import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench, until } from './testing/setup.ts'
import { answerBytes, ask, chunk, errorOf, requestBytes, WireClient } from './testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const ok = answerBytes('200 OK', [], 'fine')

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

describe('one side breaking off breaks the other', () => {
  it('a client that hangs up in the middle of an answer ends the upstream request', async () => {
    let asked: Socket | undefined
    const { proxy } = await bench.between((socket) => {
      asked = socket
      socket.write(STREAM_HEAD)
      socket.write(chunk('event: one\n\n'))
    })
    const client = await WireClient.connect(proxy.port)
    client.send(requestBytes('POST', '/v1/messages', proxy.port, [], '{}'))
    await once(client.socket, 'data')
    expect(asked?.destroyed).toBe(false)
    client.socket.destroy()
    await until(() => asked?.destroyed === true && proxy.openStreams() === 0)
  })

  it('a client that hangs up before there is an answer ends the upstream request', async () => {
    let asked: Socket | undefined
    const { proxy } = await bench.between((socket) => {
      asked = socket
    })
    const client = await WireClient.connect(proxy.port)
    client.send(requestBytes('POST', '/v1/messages', proxy.port, [], '{}'))
    await until(() => asked !== undefined)
    client.socket.destroy()
    await until(() => asked?.destroyed === true && proxy.openStreams() === 0)
  })

  it('a client that hangs up while it is still sending never reaches the upstream', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    client.send('POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"a"')
    await until(() => proxy.openStreams() === 1)
    client.socket.destroy()
    await until(() => proxy.openStreams() === 0)
    expect(upstream.requests).toHaveLength(0)
  })

  it.each(['resetAndDestroy', 'end'] as const)(
    'an upstream that breaks off (%s) gives the client what came, and no clean end',
    async (how) => {
      let breakOff = () => {}
      const { proxy } = await bench.between((socket) => {
        socket.write(STREAM_HEAD)
        socket.write(chunk('event: one\n\n'))
        breakOff = () => socket[how]()
      })
      const client = await WireClient.connect(proxy.port)
      const answer = client.ask('POST', '/v1/messages', [], '{}')
      await once(client.socket, 'data')
      breakOff()
      const { status, complete, body } = await answer
      expect({ status, complete, body: body.toString() }).toEqual({
        status: 200,
        complete: false,
        body: 'event: one\n\n',
      })
    },
  )

  it('an answer shorter than its length is broken for the client too', async () => {
    const { proxy } = await bench.between((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
    const { complete, body } = await ask(proxy.port, 'GET', '/')
    expect({ complete, body: body.toString() }).toEqual({ complete: false, body: 'abc' })
  })

  it('a stream that falls silent is broken off', async () => {
    const { proxy } = await bench.between(
      (socket) => {
        socket.write(STREAM_HEAD)
        socket.write(chunk('event: one\n\n'))
      },
      { limits: { idleMs: 100 } },
    )
    const { complete, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect({ complete, body: body.toString() }).toEqual({ complete: false, body: 'event: one\n\n' })
  })
})

describe('no answer from the upstream', () => {
  it('nobody listening is a 502 that names the host and the setting', async () => {
    const port = await closedPort()
    const proxy = await bench.proxy({ target: `http://127.0.0.1:${port}` })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', ['x-api-key: sk-ant-secret'], '{}')
    expect(status).toBe(502)
    const { type, message } = errorOf(body)
    expect(type).toBe('api_error')
    expect(message).toContain(`127.0.0.1:${port}`)
    expect(message).toContain('ANTHROPIC_TARGET')
    expect(JSON.stringify([message, bench.log.lines])).not.toContain('sk-ant-secret')
  })

  it('an unknown host is a 502', async () => {
    const proxy = await bench.proxy({ target: 'http://no-such-host.invalid' })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(status).toBe(502)
    expect(errorOf(body).message).toContain('no-such-host.invalid')
  })

  it('silence until the limit is a 504', async () => {
    const { proxy } = await bench.between(() => undefined, { limits: { headersMs: 100 } })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(status).toBe(504)
    expect(errorOf(body).type).toBe('timeout_error')
  })

  it('an answer that is no HTTP is a 502', async () => {
    const { proxy } = await bench.between((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    expect((await ask(proxy.port, 'POST', '/v1/messages', [], '{}')).status).toBe(502)
  })

  it('a connection lost before the answer is a 502 for a POST, which is never sent twice', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.destroy())
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(status).toBe(502)
    expect(errorOf(body).message).toContain('Trying again is safe')
    expect(upstream.requests).toHaveLength(1)
  })

  it('a GET or HEAD is sent once more when its connection was lost', async () => {
    const { upstream, proxy } = await bench.between((socket, _, nth) =>
      nth % 2 === 1 ? socket.destroy() : socket.write(ok),
    )
    expect((await ask(proxy.port, 'GET', '/v1/models')).status).toBe(200)
    expect(upstream.requests).toHaveLength(2)
  })

  it('the proxy goes on after any of it', async () => {
    const { proxy } = await bench.between((socket, { path }) => (path === '/bad' ? socket.destroy() : socket.write(ok)))
    expect((await ask(proxy.port, 'POST', '/bad', [], 'x')).status).toBe(502)
    expect((await ask(proxy.port, 'POST', '/good', [], 'x')).status).toBe(200)
  })
})

describe('requests that go too far', () => {
  const limits = { maxBodyBytes: 1000 }

  it("a declared length over the limit is refused in the API's own words, and nothing goes up", async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { limits })
    const { status, body, complete } = await ask(proxy.port, 'POST', '/v1/messages', [], Buffer.alloc(1001))
    expect({ status, complete }).toEqual({ status: 413, complete: true })
    expect(errorOf(body).type).toBe('request_too_large')
    expect(upstream.requests).toHaveLength(0)
  })

  it('a chunked body over the limit is refused', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { limits })
    const client = await WireClient.connect(proxy.port)
    const answer = client.answer()
    client.send('POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n')
    client.send(Buffer.concat([chunk(Buffer.alloc(600)), chunk(Buffer.alloc(600))]))
    const { status, body } = await answer
    expect(status).toBe(413)
    expect(errorOf(body).type).toBe('request_too_large')
    expect(upstream.requests).toHaveLength(0)
  })

  it('a body of exactly the limit passes', async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok), { limits })
    expect((await ask(proxy.port, 'POST', '/v1/messages', [], Buffer.alloc(1000))).status).toBe(200)
  })

  it('the default limit is 32 MB', async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    const answer = client.answer()
    client.send(`POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${32 * 1024 * 1024 + 1}\r\n\r\n`)
    const { status, body } = await answer
    expect(status).toBe(413)
    expect(errorOf(body).message).toContain('32 MB')
  })

  it("bytes that are no HTTP get an error in the API's shape", async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    const answer = client.answer()
    client.send('HELLO THERE\r\n\r\n')
    const { status, body } = await answer
    expect(status).toBe(400)
    expect(errorOf(body).type).toBe('invalid_request_error')
  })

  it('bytes that are no HTTP never end up inside an answer', async () => {
    const { proxy } = await bench.between((socket) => {
      socket.write(STREAM_HEAD)
      socket.write(chunk('event: one\n\n'))
    })
    const client = await WireClient.connect(proxy.port)
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await once(client.socket, 'data')
    client.send('HELLO THERE\r\n\r\n')
    const { complete, body } = await answer
    expect({ complete, body: body.toString() }).toEqual({ complete: false, body: 'event: one\n\n' })
  })

  it('the form that forward proxies are asked in is refused', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    expect((await ask(proxy.port, 'GET', 'http://example.com/', [])).status).toBe(400)
    expect(upstream.requests).toHaveLength(0)
  })
})

describe('an upstream that says 100 Continue though nobody has asked', () => {
  const note = 'HTTP/1.1 100 Continue\r\n\r\n'

  it.each([
    ['alone', [note, ok]],
    ['together with the answer', [note + ok]],
    ['twice', [note, note + ok]],
    ['in pieces', ['HTTP/1', '.1 10', '0 Continue\r\nx: y\r\n', '\r\n', ok.toString()]],
  ])('is heard to the end: %s', async (_how, pieces) => {
    const { proxy } = await bench.between(async (socket) => {
      socket.setNoDelay(true)
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    const client = await WireClient.connect(proxy.port)
    for (let i = 0; i < 2; i++) {
      const { status, body } = await client.ask('POST', '/v1/messages', [], '{}')
      expect([status, body.toString()]).toEqual([200, 'fine'])
    }
  })

  it('and what an answer says itself is not touched, though it looks the same', async () => {
    const { proxy } = await bench.between(async (socket) => {
      socket.setNoDelay(true)
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 * note.length}\r\n\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.write(note)
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.write(note)
    })
    expect((await ask(proxy.port, 'POST', '/v1/messages', [], '{}')).body.toString()).toBe(note + note)
  })
})

describe('a connection that only takes up room', () => {
  it.each([
    ['says nothing', ''],
    ['never ends its head', 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nx-a: '],
    ['never ends its body', 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 33554432\r\n\r\n{'],
  ])('is closed: one that %s', async (_what, bytes) => {
    const { proxy } = await bench.between((socket) => socket.write(ok), { limits: { arriveMs: 600 } })
    const client = await WireClient.connect(proxy.port)
    client.socket.on('error', () => {})
    if (bytes) client.send(bytes)
    const drip = setInterval(() => client.socket.writable && bytes && client.send('x'), 50)
    client.socket.resume()
    // Not `once`, which takes the reset that answers a last drop for a failure.
    await new Promise((resolve) => client.socket.on('close', resolve))
    clearInterval(drip)
    await until(() => proxy.openStreams() === 0)
  })
})
