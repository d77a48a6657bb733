import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { attempted } from './attempted.ts'
import { MB, oddTarget } from './odd-target.ts'

// Requests to the proxy, and answers of its upstream, that neither sends: all of them are passed on as they came.

const target = oddTarget()
const { post } = target

let n = 0
describe('the proxy', () => {
  const ask = (body: string | Buffer, headers: Record<string, string> = {}) =>
    post(`${target.daemon.url('Proxy')}/v1/messages?beta=true`, body, {
      'x-api-key': 'k',
      'x-claude-code-session-id': `p-${n++}`,
      ...headers,
    })
  const request = (more: string) =>
    `{"model":"claude-opus-4-8","max_tokens":100,"stream":true,"thinking":{"type":"adaptive"},"tools":[{"name":"Agent"}],"system":[{"type":"text","text":"x-anthropic-billing-header: x"},{"type":"text","text":"You help.\\n - Primary working directory: ${target.at.cwd}"}],${more}}`
  const user = '{"role":"user","content":"Fix src/a.ts"}'

  it('passes requests on as they came, whatever they hold', async () => {
    target.answer = (response) => response.end('{}')
    const huge = JSON.stringify('x'.repeat(20 * MB))
    const bodies = [
      request(`"messages":[${Array(100_000).fill(user).join(',')}]`),
      request(`"messages":[{"role":"user","content":${huge}}]`),
      request(
        `"messages":[{"role":"user","content":[${Array(150_000).fill('{"type":"text","text":"a"}').join(',')}]}]`,
      ),
      request(
        `"messages":[{"role":"assistant","content":[${Array.from({ length: 50_000 }, (_, k) => `{"type":"tool_use","id":"t${k}","name":"Write","input":{"file_path":"src/a.ts","content":"x"}}`).join(',')}]},{"role":"user","content":[${Array.from({ length: 50_000 }, (_, k) => `{"type":"tool_result","tool_use_id":"t${k}","content":"ok"}`).join(',')}]}]`,
      ),
      request(`"messages":[{"role":"user","content":"\\ud800\\u0000"}],"max_tokens":1e309,"temperature":-1e309`),
      request(`"messages":[{"role":"__proto__","content":{"__proto__":[]}}],"__proto__":{"a":1}`),
      request(
        `"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"__proto__","content":[{"type":"constructor"}]}]}]`,
      ),
      request(`"messages":${'['.repeat(3000)}${']'.repeat(3000)}`),
      request(`"messages":[${user}],"messages":[],"messages":{}`),
      request(`"messages":[${user}],"model":${JSON.stringify('m'.repeat(5 * MB))}`),
      `${request(`"messages":[${user}]`)}garbage`,
      `${' '.repeat(5 * MB)}${request(`"messages":[${user}]`)}`,
      '{"messages":[{"role":"user","content":"',
      '\ufeff{}',
      '[]',
      '',
    ]
    for (const body of bodies) expect((await ask(body)).status, body.slice(0, 80)).toBe(200)
    expect((await ask(Buffer.from([0xff, 0xfe, 0x00]))).status).toBe(200)
    expect((await ask(gzipSync(request(`"messages":[${user}]`)), { 'content-encoding': 'gzip' })).status).toBe(200)
    for (const header of ['__proto__', 'a'.repeat(8000), '../../x', "'"])
      expect((await ask(request(`"messages":[${user}]`), { 'x-claude-code-session-id': header })).status).toBe(200)
  }, 600_000)

  const event = (data: string) => `event: x\ndata: ${data}\n\n`
  const start = event(
    '{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
  )
  const STREAMS: Record<string, () => string[]> = {
    'a line without end': () => ['data: ', ...Array(40).fill('x'.repeat(MB))],
    'an event without end': () => Array(20_000).fill(`data: ${'x'.repeat(500)}\n`),
    'blocks with numbers that none has': () => [
      start,
      ...['1e9', '-1', '1e309', '"__proto__"', '0.5', '9007199254740993', 'null'].map(
        (index) =>
          event(
            `{"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}`,
          ) +
          event(
            `{"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":"{"}}`,
          ) +
          event(`{"type":"content_block_stop","index":${index}}`),
      ),
    ],
    'three hundred thousand blocks': () => [
      start,
      ...Array.from({ length: 300_000 }, (_, k) =>
        event(`{"type":"content_block_start","index":${k},"content_block":{"type":"text","text":""}}`),
      ),
    ],
    'a call that is written sign by sign': () => [
      start,
      event(
        '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}',
      ),
      ...Array(300_000).fill(
        event('{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"["}}'),
      ),
      event('{"type":"content_block_stop","index":0}'),
      event('{"type":"message_stop"}'),
    ],
    'numbers of use that cannot be': () => [
      start,
      ...['1e309', '-5', '"a"', '{}', 'null', '1e15'].map((k) =>
        event(
          `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":${k},"output_tokens":${k},"cache_read_input_tokens":${k}}}`,
        ),
      ),
      event('{"type":"message_stop"}'),
    ],
    'events that are none': () => [
      start,
      event('{'),
      event('null'),
      event('[]'),
      event('"a"'),
      event(''),
      ':\n\n',
      'data\n\n',
      '\r\r\r',
      '\0\n\n',
      event('{"type":"__proto__"}'),
      event('{"type":{}}'),
    ],
    'a text of thirty megabytes': () => [
      start,
      event('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
      ...Array(30).fill(
        event(
          `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${'I am done. '.repeat(90_000)}"}}`,
        ),
      ),
      event('{"type":"content_block_stop","index":0}'),
      event('{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}'),
      event('{"type":"message_stop"}'),
    ],
  }
  it.each(attempted(Object.keys(STREAMS), 3))(
    'passes on a stream of %s as it came',
    async (name) => {
      const pieces = STREAMS[name]!()
      target.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const write = (from: number) => {
          for (let k = from; k < pieces.length; k++)
            if (!response.write(pieces[k]!)) return void response.once('drain', () => write(k + 1))
          response.end()
        }
        write(0)
      }
      const response = await ask(request(`"messages":[${user}]`))
      let got = 0
      for await (const chunk of response.body!) got += chunk.length
      expect(got).toBe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
    },
    600_000,
  )

  it('unpacks no answer that becomes a thousand times as much', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * MB), { level: 9 })
    for (const type of ['text/event-stream', 'application/json']) {
      target.answer = (response) =>
        response
          .writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'content-length': bomb.length })
          .end(bomb)
      const { port } = new URL(target.daemon.url('Proxy'))
      const got = await new Promise<number>((resolve) => {
        const body = request(`"messages":[${user}]`)
        const one = httpRequest(
          {
            host: '127.0.0.1',
            port,
            path: '/v1/messages?beta=true',
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
              'x-claude-code-session-id': 'bomb',
            },
          },
          (response) => {
            let size = 0
            response
              .on('data', (chunk: Buffer) => {
                size += chunk.length
              })
              .on('end', () => resolve(size))
          },
        )
        one.end(body)
      })
      expect(got).toBe(bomb.length)
    }
  }, 600_000)

  it('asks nobody but its upstream, whatever stands in the request’s line', async () => {
    let strayed = 0
    const elsewhere = createServer((_request, response) => {
      strayed++
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const other = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    target.answer = (response) => response.end('{}')
    const { host, hostname, port } = new URL(target.daemon.url('Proxy'))
    const lines = [
      `POST http://${other}/v1/messages HTTP/1.1`,
      `GET //${other}/ HTTP/1.1`,
      `GET /\\${other}/ HTTP/1.1`,
      `GET @${other}/ HTTP/1.1`,
      `GET /@${other} HTTP/1.1`,
      `GET .${other}/ HTTP/1.1`,
      `CONNECT ${other} HTTP/1.1`,
      `GET http://${other} HTTP/1.0`,
      `POST /v1/messages#@${other} HTTP/1.1`,
      `OPTIONS * HTTP/1.1`,
      `GET http:${other}/ HTTP/1.1`,
      `GET /grove-${'a'.repeat(32)}//${other}/ HTTP/1.1`,
    ]
    for (const line of lines) {
      for (const named of [host, other]) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.end(`${line}\r\nhost: ${named}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)
        socket.resume()
        await once(socket, 'close')
      }
    }
    elsewhere.close()
    expect(strayed).toBe(0)
  })
})
