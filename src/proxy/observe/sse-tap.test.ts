import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEPT } from './answer-builder.ts'
import { SseTap } from './sse-tap.ts'

type Event = { type: string } & Record<string, unknown>

const usage = { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 30, output_tokens: 1 }
const start: Event = { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage } }
const stop: Event[] = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 42 } },
  { type: 'message_stop' },
]

function block(index: number, content_block: object): Event {
  return { type: 'content_block_start', index, content_block }
}
function delta(index: number, delta: object): Event {
  return { type: 'content_block_delta', index, delta }
}
function end(index: number): Event {
  return { type: 'content_block_stop', index }
}
function text(index: number, ...pieces: string[]): Event[] {
  return [
    block(index, { type: 'text', text: '' }),
    ...pieces.map((text) => delta(index, { type: 'text_delta', text })),
    end(index),
  ]
}
function thinking(index: number, ...pieces: string[]): Event[] {
  return [
    block(index, { type: 'thinking', thinking: '' }),
    ...pieces.map((thinking) => delta(index, { type: 'thinking_delta', thinking })),
    delta(index, { type: 'signature_delta', signature: 'c2ln' }),
    end(index),
  ]
}
function tool(index: number, id: string, ...json: string[]): Event[] {
  return [
    block(index, { type: 'tool_use', id, name: 'Write', input: {} }),
    ...json.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
    end(index),
  ]
}

function bytesOf(events: Event[], newline = '\n'): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${event.type}${newline}data: ${JSON.stringify(event)}${newline}${newline}`).join(''),
  )
}

function read(bytes: Buffer, cuts: number[] = []) {
  const tap = new SseTap()
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < at.length; i++) tap.push(bytes.subarray(at[i - 1], at[i]))
  return tap.end()
}

/** Any text, with what needs escapes, several bytes or surrogates. */
const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '\r', '\t', '\0', 'é', '語', '😀', '\ud83d', '/', '}'),
})

function cutUp(value: string, at: number[]): string[] {
  const cuts = [0, ...at.map((one) => one % (value.length + 1)).sort((a, b) => a - b), value.length]
  return cuts.slice(1).map((cut, i) => value.slice(cuts[i], cut))
}

const anyPart = fc.oneof(
  fc.array(anyText).map((pieces) => ({ kind: 'text' as const, pieces })),
  fc.array(anyText).map((pieces) => ({ kind: 'thinking' as const, pieces })),
  fc
    .tuple(fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 })), fc.array(fc.nat(), { maxLength: 5 }))
    .map(([input, at]) => ({
      kind: 'tool' as const,
      input: JSON.parse(JSON.stringify(input)),
      pieces: cutUp(JSON.stringify(input), at),
    })),
)

describe('reading a stream along', () => {
  it('puts together what was said, however the stream was cut into chunks', () => {
    const noise = fc.constantFrom<Event>({ type: 'ping' }, { type: 'brand_new_event', index: 0, delta: { text: 'no' } })
    fc.assert(
      fc.property(
        fc.array(anyPart, { maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(), noise), { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n'),
        (parts, noises, cuts, newline) => {
          const events = [
            start,
            ...parts.flatMap((part, i) =>
              part.kind === 'tool'
                ? tool(i, `toolu_${i}`, ...part.pieces)
                : part.kind === 'text'
                  ? text(i, ...part.pieces)
                  : thinking(i, ...part.pieces),
            ),
            ...stop,
          ]
          for (const [at, event] of noises) events.splice(1 + (at % (events.length - 2)), 0, event)
          expect(read(bytesOf(events, newline), cuts)).toEqual({
            messageId: 'msg_1',
            model: 'm',
            text: parts.map((part) => (part.kind === 'text' ? part.pieces.join('') : '')).join(''),
            thinkingLength: parts.reduce(
              (sum, part) => sum + (part.kind === 'thinking' ? part.pieces.join('').length : 0),
              0,
            ),
            toolUses: parts.flatMap((part, i) =>
              part.kind === 'tool' ? [{ id: `toolu_${i}`, name: 'Write', input: part.input }] : [],
            ),
            usage: { input: 10, cacheRead: 20, cacheWrite: 30, output: 42 },
            stopReason: 'tool_use',
            complete: true,
          })
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives the same for any bytes at all, however they are cut', () => {
    const almost = fc.array(
      fc.constantFrom(
        'event: ',
        'data: ',
        'data',
        '\n',
        '\r\n',
        '\n\n',
        ...[start, ...text(0, 'a'), ...stop].map((event) => `data: ${JSON.stringify(event)}\n\n`),
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x\\"}}',
        ':',
        'é',
      ),
    )
    fc.assert(
      fc.property(almost, fc.array(fc.nat(), { maxLength: 20 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''))
        expect(read(bytes, cuts)).toEqual(read(bytes))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads one byte at a time', () => {
    const bytes = bytesOf([start, ...text(0, 'läuft 😀'), ...tool(1, 't', '{"a":', '"ü"}'), ...stop])
    expect(read(bytes, Array.from(bytes.keys()))).toEqual(read(bytes))
    expect(read(bytes)).toMatchObject({ text: 'läuft 😀', toolUses: [{ id: 't', name: 'Write', input: { a: 'ü' } }] })
  })

  it("takes events written in other ways than the API's", () => {
    const odd = [
      'data:{"message":{"id":"msg_1","model":"m"},"type":"message_start"}',
      ': a comment',
      'id: 7',
      'data: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "A"}}',
      'data: {"index": 0, "type": "content_block_delta",\ndata: "delta": {"type": "text_delta", "text": "\\u0042"}}',
      'data: {"type":"message_stop"}',
    ]
    expect(read(Buffer.from(odd.map((event) => `${event}\n\n`).join('')))).toMatchObject({ text: 'AB', complete: true })
  })

  it('an answer that breaks off keeps what had come, without the unfinished tool call', () => {
    const events = [start, ...text(0, 'Let me'), ...tool(1, 'done', '{"a":1}'), ...tool(2, 'cut', '{"b":').slice(0, -1)]
    expect(read(bytesOf(events))).toMatchObject({
      text: 'Let me',
      toolUses: [{ id: 'done', input: { a: 1 } }],
      usage: { output: 1 },
      complete: false,
    })
  })

  it('an event without its empty line has not happened', () => {
    const bytes = bytesOf([start, ...stop])
    expect(read(bytes.subarray(0, -1))).toMatchObject({ complete: false })
  })

  it('an error instead of an answer is no answer', () => {
    expect(
      read(bytesOf([{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }])),
    ).toBeUndefined()
    expect(read(Buffer.alloc(0))).toBeUndefined()
  })

  it('a tool call without input has an empty one, and what is no JSON is marked', () => {
    const { toolUses } = read(
      bytesOf([start, ...tool(0, 'a'), ...tool(1, 'b', '{"x":'), ...tool(2, 'c', '[1]'), ...stop]),
    )!
    expect(toolUses.map(({ input }) => input)).toEqual([{}, { __unparsed: '{"x":' }, { __unparsed: '[1]' }])
  })
})

describe('what is kept is bounded', () => {
  it('of text the beginning, in whole pieces', () => {
    const piece = 'x'.repeat(1000)
    const { text: kept } = read(bytesOf([start, ...text(0, ...Array.from({ length: 100 }, () => piece)), ...stop]))!
    expect(kept.length).toBeLessThanOrEqual(KEPT.text)
    expect(kept.length).toBeGreaterThan(KEPT.text - 2000)
  })

  it('of a tool input that is too large only a mark, and the next one is whole', () => {
    const piece = 'x'.repeat(512 * 1024)
    const huge = tool(0, 'huge', '{"a":"', ...Array.from({ length: 9 }, () => piece), '"}')
    const { toolUses } = read(bytesOf([start, ...huge, ...tool(1, 'small', '{"a":1}'), ...stop]))!
    expect(toolUses.map(({ input }) => input)).toEqual([{ __truncated: true }, { a: 1 }])
  })

  it('a line without end is skipped', () => {
    const tap = new SseTap()
    tap.push(bytesOf([start]))
    tap.push(Buffer.from('data: '))
    for (let i = 0; i < 20; i++) tap.push(Buffer.from('x'.repeat(1024 * 1024)))
    tap.push(Buffer.from('\n\n'))
    tap.push(bytesOf([...text(0, 'after'), ...stop]))
    expect(tap.end()).toMatchObject({ text: 'after', complete: true })
  })
})
