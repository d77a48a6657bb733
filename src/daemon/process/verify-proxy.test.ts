import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '#proxy/server.ts'
import { proofOf } from '#server/token.ts'
import { isOwnProxy } from './verify-proxy.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function proxyOf(token: string) {
  const proxy = await startProxy({
    host: '127.0.0.1',
    port: 0,
    target: 'http://127.0.0.1:9',
    log: silent,
    prove: (port, challenge) => proofOf(token, port, challenge),
  })
  onTestFinished(() => proxy.close(0))
  return `http://127.0.0.1:${proxy.port}`
}

async function stranger(answer: (path: string) => Promise<string> | string) {
  const server = createServer(async (request, response) => response.end(await answer(request.url ?? '')))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a port', () => {
  it('proves itself when it knows the token of this home', async () => {
    expect(await isOwnProxy(await proxyOf('ours'), 'ours')).toBe(true)
    expect(await isOwnProxy(await proxyOf('of another home'), 'ours')).toBe(false)
  })

  it('does not prove itself with any other answer, or none', async () => {
    for (const answer of ['', '{}', '{"status":"ok","proof":7}', 'x'.repeat(100_000)]) {
      expect(await isOwnProxy(await stranger(() => answer), 'ours')).toBe(false)
    }
    expect(await isOwnProxy(await stranger(() => new Promise<string>(() => {})), 'ours', 50)).toBe(false)
    expect(await isOwnProxy('http://127.0.0.1:1', 'ours')).toBe(false)
    expect(await isOwnProxy('no address', 'ours')).toBe(false)
  })

  it('does not prove itself by passing the question on to the real proxy', async () => {
    const real = await proxyOf('ours')
    const relay = await stranger(async (path) => (await fetch(`${real}${path}`)).text())
    expect(await isOwnProxy(relay, 'ours')).toBe(false)
  })

  it('says no more than before to whoever sends no challenge', async () => {
    const real = await proxyOf('ours')
    for (const path of ['/health', '/health?challenge=short']) {
      expect(await (await fetch(`${real}${path}`)).json()).toEqual({ status: 'ok', version: '', openStreams: 0 })
    }
  })
})
