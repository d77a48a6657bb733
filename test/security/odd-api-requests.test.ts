import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { api } from '../../src/protocol/api/routes.ts'
import { oddTarget } from './odd-target.ts'

// Words, numbers and bodies that no route can use, on every route.

const target = oddTarget()

describe('every route', () => {
  const BODIES = [
    '',
    '{}',
    '[]',
    'null',
    '0',
    '"a"',
    '{"__proto__":{"a":1},"constructor":{"prototype":{}}}',
    `{"a":1e309}`,
    `{"name":"\\ud800\\u0000","ownedScope":["\\u0000"],"scope":{"type":"__proto__"}}`,
    `{"name":${JSON.stringify('x'.repeat(900_000))}}`,
    `{"ownedScope":${JSON.stringify(Array(100_000).fill('**'))}}`,
    `{"answer":{},"answers":[[[]]],"text":{},"name":[],"ids":{},"until":-1e308,"minutes":1e308,"version":"NaN"}`,
  ]
  const WORDS = [
    'x',
    '__proto__',
    '%00',
    '%ED%A0%80',
    '..%2f..%2f..%2fetc',
    '%2e%2e',
    '%',
    '%0d%0a',
    'a'.repeat(5000),
    '%F0%9F%92%A9',
    "'--",
  ]
  const QUERIES = [
    '',
    '?limit=1e309',
    '?limit=-1&offset=-1&after=-1&before=1e309',
    '?limit=NaN&after=__proto__',
    '?limit=99999999999999999999',
    '?q=%22&query=%22',
    '?q=NEAR(a%20b)%20OR%20*&query=a*%20NEAR%20(',
    '?q=%00%ED%A0%80&file=%00',
    '?q=a&q=b&limit=1&limit=2',
    `?q=${'a%20OR%20'.repeat(1000)}&query=${'(%22'.repeat(1000)}`,
    '?project=..%2f..&file=..%2f..%2fetc%2fpasswd&path=/etc/passwd',
    '?since=-8.64e15&until=8.65e15&from=x&to=%00',
    '?__proto__[a]=1&constructor.prototype=1',
  ]
  it('answers what it cannot use with a refusal', async () => {
    const failed: string[] = []
    const routes = Object.values(api)
      .flatMap((noun) => Object.values(noun))
      .map(({ method, path }) => ({ method, path }))
    const headers = { ...target.daemon.asTool(), 'content-type': 'application/json' }
    const ask = async (method: string, path: string, body?: string) => {
      const { host, port } = { host: '127.0.0.1', port: new URL(target.daemon.url('Web')).port }
      const status = await new Promise<number>((resolve) => {
        const request = httpRequest(
          { host, port, path, method, headers: { ...headers, 'content-length': Buffer.byteLength(body ?? '') } },
          (response) =>
            response
              .resume()
              .on('end', () => resolve(response.statusCode ?? 0))
              .on('error', () => resolve(0)),
        )
        request.on('error', () => resolve(-1))
        request.end(body)
      })
      if (status >= 500 || status <= 0) failed.push(`${status} ${method} ${path.slice(0, 100)} ${body?.slice(0, 60)}`)
    }
    for (const { method, path } of routes) {
      if (path === '/health') continue
      await Promise.all(
        WORDS.map((word) => ask(method, path.replace(/:\w+/g, word), method === 'GET' ? undefined : '{}')),
      )
      if (method === 'GET') await Promise.all(QUERIES.map((query) => ask(method, path.replace(/:\w+/g, 'x') + query)))
      else for (const body of BODIES) await ask(method, path.replace(/:\w+/g, 'x'), body)
    }
    expect(failed).toEqual([])
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  }, 600_000)
})
