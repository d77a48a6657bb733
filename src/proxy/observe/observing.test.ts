import { once as event } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelCall, ObservedTurn } from '#supervisor/call.ts'
import { Bench, until } from '../testing/setup.ts'
import { answerBytes, ask, chunk, LAST_CHUNK, valuesOf, WireClient } from '../testing/wire.ts'
import type { EditedBody, ProxyObserver } from './observer.ts'

const bench = new Bench()
afterEach(() => bench.close())

const REQUEST =
  '{"model":"m", "messages":[{"role":"user","content":"hi"}],"system":[{"type":"text","text":"be brief"}],"n":1.50}'
const SESSION = ['x-claude-code-session-id: s-1', 'x-claude-code-agent-id: a-1']

function sse(...events: { type: string }[]): Buffer {
  return Buffer.concat(events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)))
}

const usage = { input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 7, output_tokens: 1 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm-1', content: [], usage }
const STREAM = sse(
  { type: 'message_start', message } as { type: string },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } } as { type: string },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } } as { type: string },
  { type: 'content_block_stop', index: 0 } as { type: string },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } } as { type: string },
  { type: 'message_stop' },
)
const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_7\r\ntransfer-encoding: chunked\r\n\r\n'
const streamed = Buffer.concat([Buffer.from(STREAM_HEAD), STREAM, Buffer.from(LAST_CHUNK)])
const ok = answerBytes('200 OK', ['content-type: application/json'], '{}')

/** Asks once with this observer and gives what reached the upstream and what was observed. */
async function once(
  observer: ProxyObserver,
  answer: Buffer = streamed,
  headers = SESSION,
  body: string | Buffer = REQUEST,
) {
  const turns: ObservedTurn[] = []
  const watching: ProxyObserver = {
    ...observer,
    observe(turn) {
      turns.push(turn)
      return observer.observe?.(turn)
    },
  }
  const { upstream, proxy } = await bench.between((socket) => socket.write(answer), { observer: watching })
  const got = await ask(proxy.port, 'POST', '/v1/messages?beta=true', headers, body)
  await until(() => turns.length === 1)
  return { got, sent: upstream.requests[0]!, turn: turns[0]! }
}

describe('preparing a call', () => {
  const prepare = (edit: (call: ModelCall) => ReturnType<NonNullable<ProxyObserver['prepare']>>) =>
    once({ prepare: edit })
  const edited = (body: string, commit = () => {}): EditedBody => ({ body: [Buffer.from(body)], commit })
  const OTHER = REQUEST.replace('brief', 'as brief as läßt grüßen')

  it('sends the body that it makes, byte for byte', async () => {
    const { sent } = await prepare(() => edited(OTHER))
    expect(sent.body.toString()).toBe(OTHER)
    expect(valuesOf(sent.headers, 'content-length')).toEqual([String(sent.body.length)])
  })

  it('tells the maker of a body when it goes up', async () => {
    let committed = 0
    const { sent } = await prepare(() => edited('{}', () => void committed++))
    expect(sent.body.toString()).toBe('{}')
    expect(committed).toBe(1)
  })

  it('tells the maker of a body nothing when the client has gone', async () => {
    let committed = 0
    const { proxy, upstream } = await bench.between((socket) => socket.write(ok), {
      observer: {
        async prepare() {
          client.socket.destroy()
          await until(() => proxy.openStreams() === 0)
          return edited('{}', () => void committed++)
        },
      },
    })
    const client = await WireClient.connect(proxy.port)
    await client.ask('POST', '/v1/messages', [], REQUEST)
    await ask(proxy.port, 'GET', '/after')
    expect(committed).toBe(0)
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/after'])
  })

  it('may take a moment', async () => {
    const { sent } = await prepare(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return edited(OTHER)
    })
    expect(sent.body.toString()).toBe(OTHER)
  })

  const bug = () => {
    throw new Error('bug')
  }
  it.each([
    ['nothing', () => undefined],
    ['an error', bug],
    ['a rejection', () => Promise.reject(new Error('bug'))],
    ['a body that cannot be committed', () => edited(OTHER, bug)],
    ['a body that comes late and cannot be committed', async () => edited(OTHER, bug)],
    ['a thought that never ends', () => new Promise<undefined>(() => undefined)],
  ])("with %s the client's own bytes go up", async (_, edit) => {
    const { sent, got } = await prepare(edit)
    expect(sent.body.toString()).toBe(REQUEST)
    expect(got.body.toString()).toContain('message_stop')
  })

  it('sees path, session and agent', async () => {
    let seen: ModelCall | undefined
    await prepare((call) => {
      seen = call
      return undefined
    })
    expect(seen).toMatchObject({ path: '/v1/messages?beta=true', sessionId: 's-1', agentId: 'a-1' })
    expect(seen!.headers['x-claude-code-session-id']).toBe('s-1')
    expect(seen!.body.toString()).toBe(REQUEST)
  })

  it('is not asked about compressed bodies or other paths', async () => {
    let asked = 0
    const observer = { prepare: () => void asked++ }
    const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { observer })
    await ask(proxy.port, 'POST', '/v1/messages', ['content-encoding: gzip'], gzipSync(REQUEST))
    await ask(proxy.port, 'POST', '/v1/messages/count_tokens', [], REQUEST)
    await ask(proxy.port, 'GET', '/v1/messages')
    await ask(proxy.port, 'POST', '/v1/messages/batches', [], REQUEST)
    expect(asked).toBe(0)
    expect(upstream.requests).toHaveLength(4)
    await ask(proxy.port, 'POST', '/base/v1/messages?beta=true', [], REQUEST)
    expect(asked).toBe(1)
  })
})

describe('observing a turn', () => {
  const answer = {
    messageId: 'msg_1',
    model: 'm-1',
    text: 'Hello',
    thinkingLength: 0,
    toolUses: [],
    usage: { input: 3, output: 9, cacheRead: 5, cacheWrite: 7 },
    stopReason: 'end_turn',
    complete: true,
  }

  it('tells what was asked and answered in a stream', async () => {
    const { turn } = await once({})
    expect(turn).toMatchObject({ status: 200, aborted: false, answer })
    expect(turn.call).toMatchObject({ sessionId: 's-1', agentId: 'a-1' })
    expect(turn.call.body.toString()).toBe(REQUEST)
  })

  it('tells the same of a JSON answer', async () => {
    const body = JSON.stringify({
      ...message,
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { ...usage, output_tokens: 9 },
    })
    const { turn } = await once({}, answerBytes('200 OK', ['content-type: application/json'], body))
    expect(turn).toMatchObject({ status: 200, aborted: false, answer })
  })

  it('reads a compressed answer on the side', async () => {
    const events = sse({ type: 'message_start', message } as { type: string }, { type: 'message_stop' })
    const plain = Buffer.from(events.toString().replace(/[0-9a-f]+\r\n|\r\n/g, ''))
    const headers = ['content-type: text/event-stream', 'content-encoding: gzip']
    const { turn, got } = await once({}, answerBytes('200 OK', headers, gzipSync(plain)))
    expect(got.body.equals(gzipSync(plain))).toBe(true)
    expect(turn.answer).toMatchObject({ messageId: 'msg_1', complete: true })
  })

  it('shows a compressed request decoded', async () => {
    const { turn, sent } = await once({}, streamed, ['content-encoding: gzip'], gzipSync(REQUEST))
    expect(sent.body.equals(gzipSync(REQUEST))).toBe(true)
    expect(turn.call.body.toString()).toBe(REQUEST)
  })

  it('tells of errors without an answer', async () => {
    const { turn } = await once(
      {},
      answerBytes('529 Overloaded', ['content-type: application/json'], '{"type":"error"}'),
    )
    expect(turn).toMatchObject({ status: 529, aborted: false })
    expect(turn.answer).toBeUndefined()
  })

  it('tells of an answer that broke off, with what had come', async () => {
    const turns: ObservedTurn[] = []
    const { proxy } = await bench.between(
      (socket) => {
        socket.write(STREAM_HEAD)
        socket.end(STREAM.subarray(0, STREAM.indexOf('event: content_block_stop')))
      },
      { observer: { observe: (turn) => void turns.push(turn) } },
    )
    await ask(proxy.port, 'POST', '/v1/messages', [], REQUEST)
    await until(() => turns.length === 1)
    expect(turns[0]).toMatchObject({ status: 200, aborted: true, answer: { text: 'Hello', complete: false } })
  })

  it('tells of a client that hung up', async () => {
    const turns: ObservedTurn[] = []
    const { proxy } = await bench.between((socket) => socket.write(Buffer.concat([Buffer.from(STREAM_HEAD), STREAM])), {
      observer: { observe: (turn) => void turns.push(turn) },
    })
    const client = await WireClient.connect(proxy.port)
    client.socket.on('data', (data) => data.includes('message_stop') && client.socket.destroy())
    await client.ask('POST', '/v1/messages', [], REQUEST)
    await until(() => turns.length === 1)
    expect(turns[0]).toMatchObject({ status: 200, aborted: true, answer: { text: 'Hello' } })
  })

  it.each([
    ['broken JSON', answerBytes('200 OK', ['content-type: application/json'], '{"id":')],
    ['something else', answerBytes('200 OK', ['content-type: text/html'], '<html>')],
    [
      'bytes that only claim to be gzip',
      answerBytes('200 OK', ['content-type: application/json', 'content-encoding: gzip'], 'no gzip'),
    ],
    ['events that are none', answerBytes('200 OK', ['content-type: text/event-stream'], 'data: {]\n\ndata\n\n\0\n\n')],
  ])('an answer of %s passes untouched and is a turn without an answer', async (_, bytes) => {
    const { turn, got } = await once({}, bytes)
    expect(got.body.equals(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4))).toBe(true)
    expect(turn.status).toBe(200)
    expect(turn.answer).toBeUndefined()
  })

  it('an observer that throws or rejects is logged and hurts nobody', async () => {
    let seen = 0
    const observer: ProxyObserver = {
      observe() {
        seen++
        if (seen === 1) throw new Error('bug')
        return Promise.reject(new Error('bug'))
      },
    }
    const { proxy } = await bench.between((socket) => socket.write(streamed), { observer })
    for (let i = 0; i < 3; i++) expect((await ask(proxy.port, 'POST', '/v1/messages', [], REQUEST)).complete).toBe(true)
    await until(() => seen === 3)
    await until(() => bench.log.lines.filter(({ message }) => message === 'a turn was not recorded').length === 3)
  })

  it('tells turns in the order they ended, one after the other', async () => {
    const order: string[] = []
    const observer: ProxyObserver = {
      async observe({ call }) {
        order.push(`begin ${call.body}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        order.push(`end ${call.body}`)
      },
    }
    const { proxy } = await bench.between((socket) => socket.write(ok), { observer })
    for (const body of ['a', 'b']) await ask(proxy.port, 'POST', '/v1/messages', [], body)
    await until(() => order.length === 4)
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  })

  it('a store that hangs costs turns, not memory', async () => {
    const observer: ProxyObserver = { observe: () => new Promise(() => undefined) }
    const { proxy } = await bench.between((socket) => socket.write(ok), { observer })
    const large = Buffer.alloc(9 * 1024 * 1024, 'x')
    for (let i = 0; i < 10; i++) await ask(proxy.port, 'POST', '/v1/messages', [], large)
    await until(() => bench.log.lines.some(({ message }) => message.includes('cannot keep up')))
    expect((await ask(proxy.port, 'POST', '/v1/messages', [], 'x')).status).toBe(200)
  })
})

describe('memory', () => {
  const body = (n: number) => `{"messages":[],"n":${n},"pad":"${'x'.repeat(100_000)}"}`

  it("never shows one call another one's bytes, however long the observer keeps them", async () => {
    const kept: Buffer[] = []
    const observer: ProxyObserver = { observe: ({ call }) => void kept.push(call.body) }
    const { upstream, proxy } = await bench.between((socket) => setTimeout(() => socket.write(ok), 2), { observer })
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    for (let from = 0; from < 60; from += 20) {
      await Promise.all(numbers.slice(from, from + 20).map((n) => ask(proxy.port, 'POST', '/v1/messages', [], body(n))))
    }
    await until(() => kept.length === 60)
    expect(kept.map(String).toSorted()).toEqual(numbers.map(body).toSorted())
    const sent = upstream.requests.map((request) => request.body.toString())
    expect(sent.toSorted()).toEqual(numbers.map(body).toSorted())
  })
})

describe('a call to the model by an unknown path', () => {
  const CLIENT = ['user-agent: claude-cli/2.9.0 (external, cli)', ...SESSION]
  const asks = (path: string, headers: string[], body: string) =>
    strays(async (port) => {
      await ask(port, 'POST', path, headers, body)
    })

  it('goes up as it came, and is told of', async () => {
    const { sent, told } = await asks('/v2/messages?beta=true', CLIENT, ASKING)
    expect(sent).toEqual([ASKING])
    expect(told).toEqual(['/v2/messages?beta=true'])
  })

  it.each([
    ['counts tokens', '/v1/messages/count_tokens?beta=true', CLIENT, ASKING],
    ['asks no model', '/api/event_logging/batch', CLIENT, '{"events":[{"model":"m","stream":true}]}'],
    ['is no JSON', '/v1/files', CLIENT, '"model" "stream"'],
    ['comes from no session', '/v1/complete', [], ASKING],
  ])('is none that %s', async (_, path, headers, body) => {
    const { sent, told } = await asks(path, headers, body)
    expect(sent).toEqual([body])
    expect(told).toEqual([])
  })
})

const ASKING = '{"model":"m","stream":true,"conversation":[]}'

async function strays(send: (port: number) => Promise<void>) {
  const told: string[] = []
  const observer: ProxyObserver = { stray: ({ path }) => void told.push(path) }
  const { upstream, proxy } = await bench.between((socket) => socket.write(ok), { observer })
  await send(proxy.port)
  // Told before the answer to another call is through.
  await ask(proxy.port, 'POST', '/v1/messages', SESSION, REQUEST)
  return { sent: upstream.requests.slice(0, -1).map(({ body }) => body.toString()), told }
}

describe('a call that is done', () => {
  const said = (text: string) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] })

  it('leaves its memory to other requests, each of which goes up and is observed with its own bytes', async () => {
    const observed: string[] = []
    const blocks = new Set<ArrayBufferLike>()
    const observer: ProxyObserver = {
      prepare: () => undefined,
      observe({ call }) {
        observed.push(call.body.toString())
        blocks.add(call.body.buffer)
        call.done?.()
        expect(call.body).toHaveLength(0)
      },
    }
    const { upstream, proxy } = await bench.between((socket) => socket.write(streamed), { observer })
    const all = Array.from({ length: 12 }, (_, i) => said(String(i).repeat(3000 + i)))
    for (const [i, body] of all.entries()) {
      await ask(proxy.port, 'POST', '/v1/messages', [`x-claude-code-session-id: s-${i % 2}`], body)
      await until(() => observed.length === i + 1)
    }
    expect(observed).toEqual(all)
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(all)
    expect(blocks.size).toBeLessThan(all.length)
  })

  it('keeps its memory when the answer came before the upstream had all of the request', async () => {
    const calls: ModelCall[] = []
    const observer: ProxyObserver = { observe: ({ call }) => void calls.push(call) }
    const sockets = new Set<Socket>()
    const early = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      socket.once('data', () => socket.pause().write(streamed))
    }).listen(0, '127.0.0.1')
    await event(early, 'listening')
    const proxy = await bench.proxy({ observer, target: `http://127.0.0.1:${(early.address() as AddressInfo).port}` })
    const body = said('x'.repeat(16 * 1024 * 1024))
    await ask(proxy.port, 'POST', '/v1/messages', SESSION, body)
    await until(() => calls.length === 1)
    calls[0]!.done?.()
    expect(calls[0]!.body).toHaveLength(body.length)
    for (const socket of sockets) socket.destroy()
    early.close()
  })
})
