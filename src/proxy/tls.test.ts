import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Bench } from './testing/setup.ts'
import { ask } from './testing/wire.ts'

const bench = new Bench()
afterEach(async () => {
  vi.unstubAllEnvs()
  await bench.close()
})

/** Pieces of many sizes, some larger than a TLS record and than what is read at once. */
const PIECES = Array.from({ length: 60 }, (_, i) => Buffer.alloc(1 + ((i * 7919) % 90_000), `${i}:abcdefghij`))

let server: Server
let target: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grove-proxy-tls-'))
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  execFileSync('openssl', ['req', ...kind, '-keyout', 'key', '-out', 'certificate'], { cwd: folder, stdio: 'pipe' })
  const [key, cert] = ['key', 'certificate'].map((name) => readFileSync(join(folder, name)))
  rmSync(folder, { recursive: true })
  server = createServer({ key, cert }, async (request, response) => {
    const length = (await request.toArray()).reduce((sum, { length }) => sum + length, 0)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-received': String(length) })
    for (const piece of PIECES) if (!response.write(piece)) await once(response, 'drain')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  target = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

describe('an upstream that speaks TLS', () => {
  it('gets large bodies whole, and its answers come back byte by byte, several at a time', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const proxy = await bench.proxy({ target })
    const body = Buffer.alloc(300_000, 'x').toString()
    const one = () => ask(proxy.port, 'POST', '/v1/messages', [], body)
    for (const answers of [await Promise.all([one(), one(), one()]), [await one()]]) {
      for (const answer of answers) {
        expect(answer.headers).toContain(String(body.length))
        expect(answer.body.equals(Buffer.concat(PIECES))).toBe(true)
      }
    }
  })

  it('is not spoken to when its certificate is not trusted', async () => {
    const proxy = await bench.proxy({ target })
    const { status, body } = await ask(proxy.port, 'POST', '/v1/messages', [], '{}')
    expect(status).toBe(502)
    expect(body.toString()).toContain('certificate is not trusted')
  })
})
