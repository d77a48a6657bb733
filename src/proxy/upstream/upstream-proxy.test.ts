import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench, until } from '../testing/setup.ts'
import { answerBytes, ask, errorOf } from '../testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const ok = answerBytes('200 OK', [], 'fine')

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
