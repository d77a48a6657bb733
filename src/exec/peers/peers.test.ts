import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fromPs } from '../process/table.ts'
import { peerIn } from './lsof.ts'
import { systemPeers } from './peers.ts'

async function connection(listening: string, address: string) {
  const server = createServer().listen(0, listening)
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, address)
  const [accepted] = (await once(server, 'connection')) as [Socket]
  accepted.on('error', () => {})
  const close = () => {
    client.destroy()
    accepted.destroy()
    server.close()
  }
  return { client, accepted, close }
}

// Elsewhere the system is asked by `lsof`, whose words are read below.
if (process.platform === 'linux') {
  describe('the far end of a connection', () => {
    it.each([
      ['127.0.0.1', '127.0.0.1'],
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.1', '::ffff:127.0.0.1'],
    ])('is known as ours: on %s from %s', async (listening, address) => {
      const { accepted, close } = await connection(listening, address)
      expect(await systemPeers().ownerOf(accepted)).toBe('ours')
      expect(await systemPeers().descentOf(accepted)).toBeDefined()
      close()
    })

    it('is nobody’s once it was closed, though the kernel calls it root’s', async () => {
      const { client, accepted, close } = await connection('127.0.0.1', '127.0.0.1')
      client.destroy()
      await once(client, 'close')
      expect(await systemPeers().ownerOf(accepted)).toBe('another')
      expect(await systemPeers().descentOf(accepted)).toMatchObject({ of: 'unclear', isBrowser: false })
      close()
    })

    it('is known for each of many that come at once', async () => {
      const all = await Promise.all(Array.from({ length: 30 }, () => connection('127.0.0.1', '127.0.0.1')))
      const owners = await Promise.all(all.map(({ accepted }) => systemPeers().ownerOf(accepted)))
      expect(new Set(owners)).toEqual(new Set(['ours']))
      for (const { close } of all) close()
    })
  })
}

it('reads what lsof says, and takes the end that is not ours', () => {
  const said = 'p10\nu501\nf20\nn127.0.0.1:8080->127.0.0.1:5000\np11\nu502\nf3\nn127.0.0.1:5000->127.0.0.1:8080\n'
  expect(peerIn(said, 5000, 8080)).toEqual({ pid: 11, uid: 502 })
  expect(peerIn('', 5000, 8080)).toBeUndefined()
})

it('reads what ps says', () => {
  const said = `    1     0     0 Mon Nov 16 06:00:00 2026     ??       /sbin/launchd
  501     1   501 Mon Nov 16 07:00:00 2026     ttys001  -zsh
  600   501   501 Mon Nov 16 07:30:00 2026     ttys001  /opt/homebrew/bin/claude --resume
`
  const table = fromPs(said)
  expect(table.get(600)).toMatchObject({
    parent: 501,
    uid: 501,
    hasTerminal: true,
    args: ['/opt/homebrew/bin/claude', '--resume'],
  })
  expect(table.get(1)).toMatchObject({ parent: 0, hasTerminal: false })
  expect(table.get(600)!.bornAt).toBeGreaterThan(table.get(501)!.bornAt)
})
