import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'

/** A running daemon for payloads that no client sends. */
export interface OddTarget {
  readonly at: Place
  readonly daemon: Running
  /** What the upstream answers to the proxy. */
  answer: (response: ServerResponse) => void
  post(url: string, body: string | Buffer, headers: Record<string, string>): Promise<Response>
  /** Tells a hook, which is answered. */
  tell(event: string, body: object | string | Buffer): Promise<Record<string, unknown>>
  /** What every hook says, of a session of its own. */
  common(more?: object): object
}

export const MB = 1024 * 1024

/** Starts one for the tests of a file. After each of them nothing was blocked for two seconds, no route failed, and it still answers. */
export function oddTarget(): OddTarget {
  withBinary()
  let at: Place
  let daemon: Running
  let n = 0
  const upstream = createServer((request, response) => request.resume().on('end', () => target.answer(response)))

  beforeAll(async () => {
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    const { port } = upstream.address() as AddressInfo
    at = place({ ANTHROPIC_TARGET: `http://127.0.0.1:${port}`, NODE_OPTIONS: '--max-old-space-size=600' })
    mkdirSync(join(at.cwd, 'src'))
    writeFileSync(join(at.cwd, 'src', 'a.ts'), 'export const a = 1\n'.repeat(2000))
    daemon = await startGrove(at, 'up')
  })
  afterAll(() => {
    daemon?.kill('SIGKILL')
    upstream.closeAllConnections()
    upstream.close()
  })
  afterEach(async () => {
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
    const said = daemon.stderr
    daemon.stderr = ''
    expect(said).not.toMatch(/blocked Grove|a request failed/)
  })

  const target: OddTarget = {
    get at() {
      return at
    },
    get daemon() {
      return daemon
    },
    answer: (response) => response.end('{}'),
    post: (url, body, headers) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }),
    async tell(event, body) {
      const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const response = await target.post(`${daemon.url('Web')}/hooks/${event}`, raw, daemon.asTool())
      expect(response.status).toBe(200)
      return JSON.parse(await response.text()) as Record<string, unknown>
    },
    common: (more = {}) => ({ session_id: `odd-${n++}`, cwd: at.cwd, tool_use_id: `toolu_${n}`, ...more }),
  }
  return target
}
