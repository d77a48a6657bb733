import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench, until } from './testing/setup.ts'
import { answerBytes, ask, chunk, requestBytes, WireClient } from './testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const ok = answerBytes('200 OK', [], 'fine')

function errorOf(body: Buffer): { type: string; message: string } {
  const json = JSON.parse(body.toString()) as { type: string; error: { type: string; message: string } }
  expect(json.type).toBe('error')
  return json.error
}

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

describe('who may ask', () => {
  it.each([
    'attacker.example',
    'attacker.example:8080',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
    '',
  ])('a request for host %j is refused', async (host) => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok))
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [`host: ${host}`], '{}')
    expect(status).toBe(403)
    expect(errorOf(body).type).toBe('permission_error')
    expect(upstream.requests).toHaveLength(0)
  })

  it.each(['localhost', 'localhost:1234', '127.0.0.1:8080', '127.8.8.8', '[::1]:8080', 'LOCALHOST'])(
    'a request for host %j passes',
    async (host) => {
      const { proxy } = await bench.between((socket) => socket.write(ok))
      expect((await ask(proxy.port, 'POST', '/v1/messages', [`host: ${host}`], '{}')).status).toBe(200)
    },
  )

  it('no web page may use the proxy, wherever it comes from', async () => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    const from = async (origin: string) =>
      (await ask(proxy.port, 'POST', '/v1/messages', [`origin: ${origin}`], '{}')).status
    expect(await from('https://attacker.example')).toBe(403)
    expect(await from('null')).toBe(403)
    expect(await from('http://localhost:5173')).toBe(403)
    expect(await from('vscode-file://vscode-app')).toBe(200)
    const loading = async (site: string, method = 'GET') =>
      (await ask(proxy.port, method, '/v1/models', [`sec-fetch-site: ${site}`, 'sec-fetch-mode: no-cors'])).status
    expect(await loading('cross-site')).toBe(403)
    expect(await loading('same-site')).toBe(403)
    expect(await loading('cross-site', 'POST')).toBe(403)
    expect(await loading('none')).toBe(200)
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

describe('what is no request to the API', () => {
  it.each([
    ['without a Host', 'GET /v1/models HTTP/1.1\r\n\r\n', 403, 'without Host'],
    [
      'for a tunnel',
      'CONNECT api.anthropic.com:443 HTTP/1.1\r\nhost: api.anthropic.com\r\n\r\n',
      405,
      'ANTHROPIC_BASE_URL',
    ],
    ['in no language we know', 'hello\r\n\r\n', 400, 'not an HTTP request'],
  ])('is told so in the words of the API: %s', async (_, bytes, status, word) => {
    const { proxy } = await bench.between((socket) => socket.write(ok))
    const client = await WireClient.connect(proxy.port)
    const answer = client.answer()
    client.send(bytes)
    expect((await answer).status).toBe(status)
    expect(errorOf((await answer).body).message).toContain(word)
  })
})

describe('a target that leads back to the proxy', () => {
  it('is refused at the start when it says so', async () => {
    const port = await closedPort()
    await expect(bench.proxy({ target: `http://localhost:${port}`, port })).rejects.toThrow(/the proxy itself/)
  })

  it('is found out at the first request when it hides behind another address', async () => {
    // Any address of 127.0.0.0/8 is this machine.
    const port = await closedPort()
    const proxy = await bench.proxy({ target: `http://0.0.0.0:${port}`, port })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(status).toBe(508)
    expect(errorOf(body).message).toContain('ANTHROPIC_TARGET')
  })

  it.each(['ftp://example.com', 'example.com', 'https://user:secret@example.com', 'https://example.com/?a=1'])(
    '%s is no target at all',
    async (target) => {
      await expect(bench.proxy({ target })).rejects.toThrow(/no usable address/)
    },
  )
})

describe('behind a company proxy', () => {
  it('an https target is reached through HTTPS_PROXY, and its refusal is told', async () => {
    const asked: string[] = []
    const company = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (data) => {
          asked.push(data.toString().split('\r\n')[0]!)
          socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
        }),
    ).listen(0, '127.0.0.1')
    await once(company, 'listening')
    const { port } = company.address() as { port: number }
    const settings = { httpsProxy: `http://127.0.0.1:${port}`, noProxy: 'internal.example' }
    const proxy = await bench.proxy({ target: 'https://api.anthropic.example', ...settings })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(asked).toEqual(['CONNECT api.anthropic.example:443 HTTP/1.1'])
    expect(status).toBe(502)
    expect(errorOf(body).message).toContain('HTTPS_PROXY')
    company.close()
  })

  it('hosts in NO_PROXY and plain http targets are reached directly', async () => {
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { httpsProxy: 'http://127.0.0.1:9' })
    expect((await ask(proxy.port, 'POST', '/v1/messages', [], '{}')).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)

    const tls = await bench.upstream(() => undefined)
    const direct = await bench.proxy({
      target: `https://127.0.0.1:${tls.port}`,
      httpsProxy: 'http://127.0.0.1:9',
      noProxy: '127.0.0.1',
      limits: { connectMs: 300 },
    })
    const answer = ask(direct.port, 'POST', '/v1/messages', [], '{}')
    await until(() => tls.sockets.size === 1)
    for (const socket of tls.sockets) socket.destroy()
    expect((await answer).status).toBe(502)
  })
})
