import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Bench } from '../testing/setup.ts'
import { ask, errorOf } from '../testing/wire.ts'

const bench = new Bench()
afterEach(() => bench.close())

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

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
