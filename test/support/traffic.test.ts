import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadScenario } from '../../src/simulator/testing/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { ask } from './http-client.ts'
import { differences } from './traffic.ts'
import { startWireTap } from './wire-tap.ts'

interface Meddling {
  requestHeaders?: (raw: string[]) => string[]
  requestBody?: (body: Buffer) => Buffer
  status?: number
  responseHeaders?: (raw: string[]) => string[]
  responseBody?: (body: Buffer) => Buffer
  answerItself?: boolean
}

/** A proxy between client and simulator that is honest but for one thing. */
async function passThrough(meddling: Meddling) {
  const simulator = await startSimulator({ scenario: loadScenario('hello') })
  const proxy = createServer((incoming, outgoing) => void meddle(simulator.url, meddling, incoming, outgoing))
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const tap = await startWireTap(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await tap.close()
    proxy.close()
    await simulator.close()
  })
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] }
  await ask(tap.url, body, { headers: { 'x-api-key': 'secret' } })
  return differences(tap, simulator)
}

async function meddle(target: string, how: Meddling, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = await buffer(incoming)
  if (how.answerItself) return void outgoing.end('mine')
  const headers = pairsOf((how.requestHeaders ?? same)(incoming.rawHeaders))
  const onward = request(target + incoming.url, { method: incoming.method!, headers })
  onward.end((how.requestBody ?? same)(body))
  onward.on('response', async (answer) => {
    const answered = await buffer(answer)
    outgoing.sendDate = false
    outgoing.writeHead(how.status ?? answer.statusCode!, (how.responseHeaders ?? same)(answer.rawHeaders))
    outgoing.end((how.responseBody ?? same)(answered))
  })
}

describe('comparing what the client and the upstream saw', () => {
  it('finds nothing when everything is passed on', async () => {
    expect(await passThrough({})).toEqual([])
  })

  it.each<[string, Meddling]>([
    ['request headers', { requestHeaders: (raw) => raw.map((text) => (text === 'secret' ? 'secre' : text)) }],
    ['request headers', { requestHeaders: (raw) => [...raw, 'via', 'somebody'] }],
    ['request body', { requestBody: (body) => Buffer.from(body.toString().replace('Hello', 'hello')) }],
    ['status', { status: 201 }],
    ['response headers', { responseHeaders: (raw) => [...raw, 'server', 'somebody'] }],
    ['response body', { responseBody: (body) => body.subarray(0, -1) }],
  ])('sees other %s', async (what, meddling) => {
    expect(await passThrough(meddling)).toEqual([`request 0 (POST /v1/messages?beta=true): ${what} differs`])
  })

  it('sees an answer that the upstream never gave', async () => {
    expect(await passThrough({ answerItself: true })).toEqual([
      'POST /v1/messages?beta=true HTTP/1.1: answered HTTP/1.1 200 OK, not by the upstream',
    ])
  })
})

function same<T>(value: T): T {
  return value
}

function pairsOf(raw: string[]): Record<string, string> {
  return Object.fromEntries(raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!]] : [])))
}
