import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { closeSoon } from './close-soon.ts'

async function serve() {
  const app = fastify()
  app.get('/never', () => new Promise(() => {}))
  app.get('/soon', () => new Promise((resolve) => setTimeout(resolve, 100, 'done')))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, port }
}

it('does not wait for a connection on which nothing is asked, nor for an answer that does not come', async () => {
  const { app, port } = await serve()
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const asked = fetch(`http://127.0.0.1:${port}/never`)
  const cut = expect(asked).rejects.toThrow()
  await once(app.server, 'request')
  await closeSoon(app, 200)
  await cut
})

it('lets a running answer finish, and then waits for nothing', async () => {
  const { app, port } = await serve()
  const asked = fetch(`http://127.0.0.1:${port}/soon`)
  await once(app.server, 'request')
  // Longer than the test may take: the connection that has answered is not waited for.
  await closeSoon(app, 600_000)
  expect(await (await asked).text()).toBe('done')
})
