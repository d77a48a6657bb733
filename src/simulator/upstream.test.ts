import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, send } from '../../test/support/http-client.ts'
import { assemble, readSse } from '../../test/support/sse.ts'
import { parseScenario } from './testing/script.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from './upstream.ts'

const open: Simulator[] = []
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close()
})

async function simulate(yaml: string, options: Omit<SimulatorOptions, 'scenario'> = {}) {
  const simulator = await startSimulator({ scenario: parseScenario(yaml, 'test.yaml'), ...options })
  open.push(simulator)
  return simulator
}

const hello = { model: 'claude-opus-4-8', messages: [{ role: 'user', content: 'Hello' }] }
const streamed = { ...hello, stream: true }

describe('an answer', () => {
  it('is streamed when the request asks for a stream, and one JSON body when it does not', async () => {
    const { url } = await simulate('default: { text: Good day, usage: { input: 9, output: 3, cache_read: 7 } }')
    const whole = JSON.parse((await ask(url, hello)).body.toString())
    const stream = await ask(url, streamed)

    expect(whole).toMatchObject({ model: 'claude-opus-4-8', content: [{ type: 'text', text: 'Good day' }] })
    expect(whole.usage).toMatchObject({ input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 7 })
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(assemble(readSse(stream.body))).toEqual({ ...whole, id: expect.stringMatching(/^msg_/) })
  })

  it('follows the order of the script, passing over replies that do not fit or are used up', async () => {
    const simulator = await simulate(`
      replies:
        - { when: { stream: true }, reply: for a stream }
        - { reply: once }
        - { reply: 'twice', repeat: 2 }
    `)
    const texts = []
    for (const body of [hello, hello, streamed, hello]) texts.push(textOf((await ask(simulator.url, body)).body))
    expect(texts).toEqual(['once', 'twice', 'for a stream', 'twice'])
    expect(simulator.problems).toEqual([])
    expect(simulator.unused()).toEqual([])
  })

  it('can call tools with values from the request, from the script and from whoever started it', async () => {
    const { url } = await simulate(
      `
      vars: { file: a.txt, ignored: old }
      replies:
        - reply:
            tool_use: { name: Read, input: { path: '{{cwd}}/{{file}}', why: ['{{last_user}}', '{{ignored}}'] } }
    `,
      { vars: { ignored: 'new' } },
    )
    const system = 'Primary working directory: /srv/shop\nand more'
    const { content, stop_reason } = JSON.parse((await ask(url, { ...hello, system })).body.toString())
    expect(stop_reason).toBe('tool_use')
    expect(content[0]).toMatchObject({ name: 'Read', input: { path: '/srv/shop/a.txt', why: ['Hello', 'new'] } })
  })

  it('carries ids that no other simulator gives', async () => {
    const ids = []
    for (const { url } of [await simulate('default: Hi'), await simulate('default: Hi')]) {
      ids.push(JSON.parse((await ask(url, hello)).body.toString()).id)
    }
    expect(ids[0]).not.toBe(ids[1])
  })

  it('can be an error with its own headers, even several of one name', async () => {
    const { url } = await simulate(`
      default:
        error: { status: 429, type: rate_limit_error, message: Slow down }
        headers: { retry-after: 1, x-many: [a, b] }
    `)
    const response = await ask(url, streamed)
    expect(response.status).toBe(429)
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'x-many': 'a, b' })
    expect(JSON.parse(response.body.toString())).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down' },
    })
  })

  it('can be anything: own events, own bodies, other paths', async () => {
    const { url } = await simulate(`
      replies:
        - reply: { events: [{ type: error, error: { type: overloaded_error } }, "data: half"] }
        - reply: { raw: { status: 200, body: '<html>' } }
        - when: { path: /v1/models }
          reply: { raw: { body: { data: [] } } }
    `)
    expect((await ask(url, streamed)).body.toString()).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\ndata: half',
    )
    expect((await ask(url, streamed)).body.toString()).toBe('<html>')
    expect((await send(`${url}/v1/models`, { method: 'GET' })).body.toString()).toBe('{"data":[]}')
  })
})

describe('the way an answer travels', () => {
  it('can be cut anywhere without changing a byte', async () => {
    const simulator = await simulate('default: { text: "Grüße 🌳 from the grove", chunk: 3 }')
    const response = await ask(simulator.url, streamed)
    expect(textOf(response.body)).toBe('Grüße 🌳 from the grove')
    expect(response.chunks.length).toBeGreaterThan(20)
    expect(response.body).toEqual(simulator.sent[0]?.body)
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['deflate', inflateSync],
  ] as const)('can be %s, for a stream and for one body', async (encoding, decompress) => {
    const { url } = await simulate(`default: { text: Packed, encoding: ${encoding}, chunk: 11 }`)
    for (const body of [streamed, hello]) {
      const response = await ask(url, body)
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(textOf(decompress(response.body))).toBe('Packed')
    }
  })

  it('can be readable event by event although it is compressed', async () => {
    const simulator = await simulate('default: { text: Packed, encoding: gzip, hang_after: 3 }')
    const leave = new AbortController()
    let arrived = Buffer.alloc(0)
    await ask(simulator.url, streamed, {
      signal: leave.signal,
      onData(chunk) {
        arrived = Buffer.concat([arrived, chunk])
        if (arrived.length === simulator.sent[0]?.body.length) leave.abort()
      },
    })
    // Z_SYNC_FLUSH as the last step tells zlib that the rest is still to come.
    const text = gunzipSync(arrived, { finishFlush: 2 }).toString()
    expect(readSse(text).map(({ event }) => event)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
    ])
  })

  it('can be reset in the middle, after everything that was said has arrived', async () => {
    const simulator = await simulate('default: { text: Never finished, reset_after: 3 }')
    const response = await ask(simulator.url, streamed)
    expect(response.complete).toBe(false)
    expect(readSse(response.body)).toHaveLength(3)
    expect(simulator.sent[0]).toMatchObject({ ended: 'reset', body: response.body })
  })

  it('can be reset before the first byte', async () => {
    const { url } = await simulate('default: { text: Never, reset_after: 0 }')
    await expect(ask(url, streamed)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('can end early and cleanly', async () => {
    const simulator = await simulate('default: { text: Short, close_after: 2 }')
    const response = await ask(simulator.url, streamed)
    expect(response.complete).toBe(true)
    expect(readSse(response.body)).toHaveLength(2)
    expect(simulator.sent[0]?.ended).toBe('closed early')
  })

  it('breaks one body in its middle too', async () => {
    const { url } = await simulate('default: { text: Never whole, reset_after: 1 }')
    const response = await ask(url, hello)
    expect(response.complete).toBe(false)
    expect(response.body.length).toBeGreaterThan(0)
  })

  it('notes when the reader leaves', async () => {
    const simulator = await simulate('default: { text: Slow, drip: 5, piece: 1, hang_after: 4, ping: 2, delay: 1 }')
    const leave = new AbortController()
    const asked = ask(simulator.url, streamed, { signal: leave.signal, onData: () => leave.abort() })
    await simulator.until(() => simulator.sent[0]?.ended === 'aborted')
    expect((await asked).complete).toBe(false)
  })
})

describe('what was received', () => {
  it('is kept byte for byte, with the spelling of its headers', async () => {
    const simulator = await simulate('default: Hi')
    const body = Buffer.from('{"model":"m",  "messages":[{"role":"user","content":"\\u00fc 1.0e5"}]}')
    await send(`${simulator.url}/v1/messages?beta=true`, { headers: { 'X-Api-KEY': 'k' }, body })
    const [request] = simulator.requests
    expect(request).toMatchObject({ index: 0, method: 'POST', url: '/v1/messages?beta=true', body })
    expect(request?.rawHeaders).toEqual(expect.arrayContaining(['X-Api-KEY', 'k']))
  })

  it('is not kept when nobody needs it', async () => {
    const simulator = await simulate('default: Hi', { record: false })
    expect((await ask(simulator.url, hello)).status).toBe(200)
    expect(simulator.requests).toEqual([])
  })

  it('is checked against what the script expects', async () => {
    const simulator = await simulate(`
      replies:
        - name: greet
          expect: { contains: 'Hello', not_contains: Bye, headers: { x-api-key: k }, json: { model: 'other' } }
          reply: Hi
    `)
    await ask(simulator.url, hello, { headers: { 'x-api-key': 'k' } })
    expect(simulator.problems).toEqual(['request 0 (greet): model should be "other" and is "claude-opus-4-8"'])
  })

  it('is checked against the rules of the API unless that is switched off', async () => {
    const bad = { model: 'm', messages: [{ role: 'assistant', content: 'Hi' }] }
    const strict = await simulate('default: Hi')
    const lenient = await simulate('default: Hi', { validate: false })
    await ask(strict.url, bad)
    await ask(lenient.url, bad)
    expect(strict.problems).toEqual(['request 0: messages[0] must have role user'])
    expect(lenient.problems).toEqual([])
  })

  it('is understood when it is compressed', async () => {
    const simulator = await simulate('replies: [{ when: { last_user: Hello }, reply: Understood }]')
    const response = await send(`${simulator.url}/v1/messages`, {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(hello)),
    })
    expect(textOf(response.body)).toBe('Understood')
  })
})

describe('what no script mentions', () => {
  it('is answered where the client always asks: HEAD / and count_tokens', async () => {
    const simulator = await simulate('replies: []')
    expect((await send(simulator.url, { method: 'HEAD' })).status).toBe(200)
    const counted = await send(`${simulator.url}/v1/messages/count_tokens?beta=true`, {
      body: '{"messages":[1234567]}',
    })
    expect(JSON.parse(counted.body.toString())).toEqual({ input_tokens: 6 })
    expect(simulator.problems).toEqual([])
  })

  it('is a problem and an API error everywhere else', async () => {
    const simulator = await simulate('replies: [{ name: never, when: { nth: 7 }, reply: Hi }]')
    const response = await ask(simulator.url, hello)
    expect(response.status).toBe(500)
    expect(JSON.parse(response.body.toString())).toMatchObject({ type: 'error', error: { type: 'api_error' } })
    expect(response.headers['x-should-retry']).toBe('false')
    expect(simulator.problems).toEqual(['request 0: no reply fits POST /v1/messages (last user text: "Hello")'])
    expect(simulator.unused()).toEqual(['never'])
  })

  it('includes variables that are not set', async () => {
    const simulator = await simulate('replies: [{ reply: "Hi {{who}}" }]')
    expect((await ask(simulator.url, hello)).status).toBe(500)
    expect(simulator.problems[0]).toContain('the scenario uses {{who}}, which is not set')
  })
})

function textOf(body: Buffer): string {
  const text = body.toString()
  const message = text.startsWith('event:') ? assemble(readSse(text)) : JSON.parse(text)
  return message.content.map((block: { text?: string }) => block.text).join('')
}
