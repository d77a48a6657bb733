import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { Trouble } from '#config/trouble.ts'
import { commandOf, explainListenError, listeners, portHolder } from './listen-error.ts'

async function listening(): Promise<{ port: number; close: () => void }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

it('finds the process that listens on a port', async () => {
  const { port, close } = await listening()
  expect(await portHolder(port)).toMatchObject({ pid: process.pid, command: expect.stringContaining('node') })
  close()
})

it('finds nobody on a free port', async () => {
  const { port, close } = await listening()
  close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(await portHolder(port)).toBeUndefined()
})

it('reads listening sockets, and only those, from the kernel table', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0',
    '   1: 0100007F:1F90 0100007F:D3A2 01 00000000:00000000 00:00000000 00000000     0        0 4243 1 0 100 0 0 10 0',
    '   2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4244 1 0 100 0 0 10 0',
  ].join('\n')
  expect(listeners(table, 8080)).toEqual([4242])
})

it.each([
  [['/usr/bin/node', 'server.js', '--quiet'], 'node server.js'],
  [['python3', '-m', 'http.server', '8080'], 'python3 http.server'],
  [['node', '-e', 'require("http").createServer().listen(8080)'], 'node'],
  [['nginx: master process /usr/sbin/nginx', ''], 'nginx'],
])('calls %j by a short name', (args, name) => {
  expect(commandOf({ args })).toBe(name)
})

it('turns a taken port into a name and a way out', async () => {
  const { port, close } = await listening()
  const error = Object.assign(new Error(), { code: 'EADDRINUSE' })
  const trouble = (await explainListenError(error, {
    listener: 'proxy',
    host: '127.0.0.1',
    port,
    env: 'PROXY_PORT',
  })) as Trouble
  expect(trouble).toBeInstanceOf(Trouble)
  expect(trouble.message).toMatch(new RegExp(`Port ${port}, wanted for the proxy, is taken by .*pid ${process.pid}`))
  expect(trouble.wayOut).toContain('PROXY_PORT=')
  close()
})

it.each([
  ['EACCES', /needs more rights than this user has/],
  ['EADDRNOTAVAIL', /is not an address of this machine/],
  ['ENOTFOUND', /is not an address of this machine/],
])('explains %s', async (code, message) => {
  const place = { listener: 'web page', host: '203.0.113.1', port: 80, env: 'PORT' }
  const explained = await explainListenError(Object.assign(new Error(), { code }), place)
  expect((explained as Error).message).toMatch(message)
})

it('leaves other errors as they are', async () => {
  const error = new Error('a bug')
  expect(await explainListenError(error, { listener: 'proxy', host: 'x', port: 1, env: 'PROXY_PORT' })).toBe(error)
})
