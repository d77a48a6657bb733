import { afterEach, describe, expect, it } from 'vitest'
import { Bench } from '../testing/setup.ts'
import { answerBytes, ask, errorOf, WireClient } from '../testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const ok = answerBytes('200 OK', [], 'fine')

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
