import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench, until } from './testing/setup.ts'
import { ask, chunk, LAST_CHUNK, requestBytes, WireClient } from './testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const MB = 1024 * 1024

describe('a client that reads slowly', () => {
  it('makes the upstream wait instead of filling the memory, and still gets every byte', async () => {
    const total = 128 * MB
    let written = 0
    const { proxy } = await bench.between((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${total}\r\n\r\n`)
      const piece = Buffer.alloc(MB, 'abcdefgh')
      const write = () => {
        while (written < total) {
          written += piece.length
          if (!socket.write(piece)) return
        }
      }
      socket.on('drain', write)
      write()
    })
    const client = await WireClient.connect(proxy.port)
    let received = 0
    client.socket.removeAllListeners('data')
    client.socket.on('data', (data) => {
      received += data.length
    })
    client.socket.pause()
    client.send(requestBytes('POST', '/v1/messages', proxy.port, [], '{}'))

    await settled(() => written)
    const inBetween = written
    expect(inBetween).toBeGreaterThan(0)
    // What fits into the sockets' own buffers on the way, far below the whole.
    expect(inBetween).toBeLessThan(32 * MB)

    client.socket.resume()
    await until(() => received > total)
    expect(written).toBe(total)
  })

  it('is given up when it takes nothing for as long as a stream may be silent', async () => {
    const { proxy } = await bench.between(
      (socket) => {
        socket.write(STREAM_HEAD)
        const flood = () => {
          while (!socket.destroyed && socket.write(chunk(Buffer.alloc(MB)))) void 0
        }
        socket.on('drain', flood)
        flood()
      },
      { limits: { idleMs: 200 } },
    )
    const client = await WireClient.connect(proxy.port)
    client.socket.pause()
    client.send(requestBytes('POST', '/v1/messages', proxy.port, [], '{}'))
    await until(() => proxy.openStreams() === 1)
    await until(() => proxy.openStreams() === 0)
  })
})

describe('many streams at once', () => {
  it('256 of them, interleaved, each get their own bytes', async () => {
    const waiting: (() => void)[] = []
    const { proxy } = await bench.between((socket, { body }) => {
      socket.write(STREAM_HEAD)
      for (let i = 0; i < 20; i++) socket.write(chunk(`event: ${body} ${i}\n\n`))
      waiting.push(() => socket.write(Buffer.concat([chunk(`event: ${body} end\n\n`), Buffer.from(LAST_CHUNK)])))
    })
    const answers = Array.from({ length: 256 }, (_, n) => ask(proxy.port, 'POST', '/v1/messages', [], `stream ${n}`))
    await until(() => waiting.length === 256)
    expect(proxy.openStreams()).toBe(256)
    for (const finish of waiting.reverse()) finish()
    const bodies = (await Promise.all(answers)).map(({ body, complete }) => (complete ? body.toString() : 'broken'))
    const expected = (n: number) =>
      [...Array.from({ length: 20 }, (_, i) => `event: stream ${n} ${i}\n\n`), `event: stream ${n} end\n\n`].join('')
    expect(bodies).toEqual(Array.from({ length: 256 }, (_, n) => expected(n)))
    await until(() => proxy.openStreams() === 0)
  })
})

describe('closing', () => {
  it('lets an open stream finish, takes no new connection, and then is done', async () => {
    let finish = () => {}
    const { proxy } = await bench.between((socket) => {
      socket.write(STREAM_HEAD)
      socket.write(chunk('event: one\n\n'))
      finish = () => socket.write(Buffer.concat([chunk('event: two\n\n'), Buffer.from(LAST_CHUNK)]))
    })
    const client = await WireClient.connect(proxy.port)
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await once(client.socket, 'data')

    const closed = proxy.close(60_000)
    await expect(WireClient.connect(proxy.port)).rejects.toThrow()
    expect(proxy.openStreams()).toBe(1)
    finish()
    const { body, complete } = await answer
    expect({ body: body.toString(), complete }).toEqual({ body: 'event: one\n\nevent: two\n\n', complete: true })
    await closed
    expect(proxy.openStreams()).toBe(0)
  })

  it('cuts what is still open when the time is up', async () => {
    const { proxy } = await bench.between((socket) => {
      socket.write(STREAM_HEAD)
      socket.write(chunk('event: one\n\n'))
    })
    const client = await WireClient.connect(proxy.port)
    const answer = client.ask('POST', '/v1/messages', [], '{}')
    await once(client.socket, 'data')
    await proxy.close(10)
    expect((await answer).complete).toBe(false)
  })

  it('does not wait for idle connections', async () => {
    const { proxy } = await bench.between((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const client = await WireClient.connect(proxy.port)
    await client.ask('GET', '/')
    await proxy.close(60_000)
    await until(() => client.socket.destroyed)
  })

  it('waits until what was seen is recorded', async () => {
    const recorded: string[] = []
    const { proxy } = await bench.between((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), {
      observer: {
        async observe({ call }) {
          await sleep(20)
          recorded.push(call.body.toString())
        },
      },
    })
    await ask(proxy.port, 'POST', '/v1/messages', [], 'a')
    await ask(proxy.port, 'POST', '/v1/messages', [], 'b')
    await proxy.close()
    expect(recorded).toEqual(['a', 'b'])
  })
})

/** Waits until a number has stopped changing. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read()
    await sleep(300)
  }
}
