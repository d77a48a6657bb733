import type { Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { keyedUrl } from '../access/admission.ts'
import { Bench, until } from '../testing/setup.ts'
import { answerBytes, WireClient } from '../testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const KEY = 'k'.repeat(32)

it('requests of others wait for room together, and this user’s are not among them', async () => {
  const own = new Set<number>()
  const { proxy } = await bench.between(
    (socket, { body }) => socket.write(answerBytes('200 OK', [], `${body.length}`)),
    {
      admission: { key: KEY, isOpen: false, isOurs: async ({ remotePort }: Socket) => own.has(remotePort!) },
      limits: { untrustedBytes: 1000 },
    },
  )
  const body = JSON.stringify({ a: 'x'.repeat(800) })
  const status = async (path: string, isOwn = false, headers: string[] = [], sent = body) => {
    const client = await WireClient.connect(proxy.port)
    if (isOwn) own.add(client.socket.localPort!)
    const answer = await client.ask('POST', path, headers, sent)
    client.socket.destroy()
    return answer.status
  }
  expect(await status('/v1/messages')).toBe(200)

  const holding = await WireClient.connect(proxy.port)
  holding.socket.write(`POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{`)
  await until(() => proxy.openStreams() === 1)
  expect(await status('/v1/messages')).toBe(529)
  expect(await status('/v1/anything')).toBe(529)
  expect(await status('/v1/messages', false, ['transfer-encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')).toBe(529)
  expect(await status('/v1/messages', true)).toBe(200)
  expect(await status(`${keyedUrl('', KEY)}/v1/messages`)).toBe(200)

  holding.socket.destroy()
  await until(() => proxy.openStreams() === 0)
  expect(await status('/v1/messages')).toBe(200)
})
