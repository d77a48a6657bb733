import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { readInto } from './read-into.ts'

let server: Server
afterEach(() => server.close())

/** A connection whose accepted end is read into this memory, and what was read. */
async function accepted(memory: Buffer) {
  const read: string[] = []
  const own = new Promise<Socket>((resolve) => {
    server = createServer((socket) => {
      const callback = (length: number) => read.push(memory.toString('latin1', 0, length)) > 0
      resolve(readInto(socket, { buffer: () => memory, callback })!)
    }).listen(0, '127.0.0.1')
  })
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  return { client, own: await own, read }
}

it('reads what arrives into the memory it is given, and writes as before', async () => {
  const { client, own, read } = await accepted(Buffer.alloc(4))
  client.write('abcdefgh')
  while (read.join('').length < 8) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(read).toEqual(['abcd', 'efgh'])
  own.end('answer')
  expect(String((await once(client, 'data'))[0])).toBe('answer')
  client.destroy()
})

it('is the connection that the server counts and waits for when it closes', async () => {
  const { client, own } = await accepted(Buffer.alloc(4))
  const count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)))
  expect(await count()).toBe(1)
  const closed = once(server.close(), 'close')
  own.destroy()
  await closed
  expect(await count()).toBe(0)
  client.destroy()
})

it('leaves alone what Node keeps in another way', () => {
  server = createServer()
  expect(readInto(new Socket(), { buffer: () => Buffer.alloc(4), callback: () => true })).toBeUndefined()
})
