import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { violations } from '#simulator/validate.ts'
import { type Conversation, fingerprint, reconcile } from './conversation.ts'
import { planCut } from './cut.ts'
import { anchor, forwardBody, layoutOf } from './forward.ts'

const BETAS = 'mid-conversation-system-2026-04-07'

type Block = Record<string, unknown>
type Message = { role: string; content: string | Block[] }

/** What the client does between two requests. */
type Move =
  | { does: 'prompt'; text: string; plain: boolean }
  | { does: 'tools'; count: number; reminder: boolean; systemAfter: boolean }
  | { does: 'retry' }
  | { does: 'compact' }
/** What Grove does at a request. */
interface Ours {
  inject?: string | undefined
  clear: boolean
}

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => value.trim() !== '')
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('prompt' as const), text, plain: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('tools' as const),
      count: fc.integer({ min: 1, max: 3 }),
      reminder: fc.boolean(),
      systemAfter: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'retry' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'compact' as const }) },
)
const turn = fc.record({
  move,
  ours: fc.record({ inject: fc.option(text, { nil: undefined }), clear: fc.boolean() }),
})
const system = fc.oneof(
  fc.constant(undefined),
  text,
  fc.array(
    text.map((value) => ({ type: 'text', text: value, cache_control: { type: 'ephemeral' } })),
    { maxLength: 3 },
  ),
)

/** The client's messages, grown move by move as Claude Code grows them. */
class Client {
  messages: Message[] = []
  #calls = 0

  make(move: Move) {
    if (move.does === 'compact') {
      this.messages = [{ role: 'user', content: [{ type: 'text', text: 'Summary of what went before' }] }]
      return
    }
    if (move.does === 'prompt' || this.messages.length === 0) {
      if (this.messages.length > 0)
        this.messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] })
      const words = move.does === 'prompt' ? move.text : 'Begin'
      const plain = move.does === 'prompt' && move.plain
      this.messages.push({ role: 'user', content: plain ? words : [{ type: 'text', text: words }] })
      return
    }
    if (move.does !== 'tools') return
    const ids = Array.from({ length: move.count }, () => `toolu_${this.#calls++}`)
    this.messages.push({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `/p/${id}` } })),
    })
    const results: Block[] = ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `text of ${id}` }))
    if (move.reminder) results.push({ type: 'text', text: '<system-reminder>hook</system-reminder>' })
    this.messages.push({ role: 'user', content: results })
    if (move.systemAfter) this.messages.push({ role: 'system', content: 'the client says' })
  }

  /** The request's bytes, with the cache marker on the last block of the last user message as the client sets it. */
  request(systemPrompt: unknown): Buffer {
    const last = this.messages.findLastIndex(({ role }) => role === 'user')
    const messages = this.messages.map((message, index) => {
      if (index !== last || typeof message.content === 'string') return message
      const content = message.content.map((block, at) =>
        at === (message.content as Block[]).length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
      )
      return { ...message, content }
    })
    return Buffer.from(JSON.stringify({ model: 'm', messages, system: systemPrompt, max_tokens: 100, stream: true }))
  }
}

/** One request through Grove, as the supervisor does it. */
function pass(body: Buffer, before: Conversation | undefined, { inject, clear }: Ours) {
  const layout = layoutOf(body)!
  const key = fingerprint(body, layout.messages[0]!)
  const known = before?.key === key ? before : { key, sessionId: 's', inserted: [], count: 0 }
  let conversation = reconcile(known, body, layout.messages)
  const fresh = inject === undefined ? undefined : anchor(layout, conversation, () => inject, true)
  if (fresh) conversation = { ...conversation, inserted: [...conversation.inserted, fresh] }
  const cut = clear ? planCut(layout, 300, 'What went before') : undefined
  if (cut && cut.index > (conversation.cut?.index ?? 0)) conversation = { ...conversation, cut }
  conversation = { ...conversation, count: layout.messages.length }
  return { forwarded: Buffer.concat(forwardBody(layout, conversation)), conversation }
}

function withoutMarkers(body: Buffer) {
  return JSON.parse(body.toString(), (key, value) => (key === 'cache_control' ? undefined : value))
}

describe('injection keeps the prompt cache', () => {
  it('a request that extends the one before is forwarded as an extension of what was forwarded before', () => {
    fc.assert(
      fc.property(system, fc.array(turn, { minLength: 2, maxLength: 12 }), (systemPrompt, turns) => {
        const client = new Client()
        let conversation: Conversation | undefined
        let previous: { sent: Message[]; forwarded: Buffer; cut: number | undefined } | undefined
        for (const { move, ours } of turns) {
          client.make(
            move.does === 'retry' && client.messages.length === 0 ? { does: 'prompt', text: 'a', plain: true } : move,
          )
          const passed = pass(client.request(systemPrompt), conversation, ours)
          conversation = passed.conversation
          const now = { sent: [...client.messages], forwarded: passed.forwarded, cut: conversation.cut?.index }
          if (previous && extendsIt(now.sent, previous.sent) && previous.cut === now.cut) {
            const was = withoutMarkers(previous.forwarded)
            const is = withoutMarkers(now.forwarded)
            expect(is.system).toEqual(was.system)
            expect(is.messages.slice(0, was.messages.length).map(blocks)).toEqual(was.messages.map(blocks))
          }
          previous = now
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('is accepted by a strict validator of the Messages API', () => {
    fc.assert(
      fc.property(system, fc.array(turn, { minLength: 1, maxLength: 10 }), (systemPrompt, turns) => {
        const client = new Client()
        let conversation: Conversation | undefined
        for (const { move, ours } of turns) {
          client.make(
            move.does === 'retry' && client.messages.length === 0 ? { does: 'prompt', text: 'a', plain: true } : move,
          )
          const passed = pass(client.request(systemPrompt), conversation, ours)
          conversation = passed.conversation
          expect(violations(JSON.parse(passed.forwarded.toString()), BETAS)).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it("leaves the client's own bytes alone where it has nothing to say", () => {
    const body = Buffer.from('{ "model":"m",\n "messages":[ {"role":"user","content":"hi\\u00e9"} ], "x":1.0 }')
    const layout = layoutOf(body)!
    const silent = { key: 'k', sessionId: 's', inserted: [], count: 0 }
    expect(forwardBody(layout, silent)).toEqual([body])
    expect(forwardBody(layout, silent)[0]).toBe(body)
  })

  it('says nothing new in a retry of the same request', () => {
    const body = Buffer.from('{"messages":[{"role":"user","content":"hi"}]}')
    const layout = layoutOf(body)!
    const before = { key: 'k', sessionId: 's', inserted: [], count: 1 }
    expect(anchor(layout, before, () => 'new', false)).toBeUndefined()
  })
})

describe('clear', () => {
  it("keeps the newest exchange, the client's reminders and the user's last words", () => {
    const client = new Client()
    client.messages.push({
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>CLAUDE.md</system-reminder>' },
        { type: 'text', text: 'old question' },
      ],
    })
    client.make({ does: 'prompt', text: 'the last instruction', plain: false })
    for (let i = 0; i < 30; i++) client.make({ does: 'tools', count: 2, reminder: false, systemAfter: i % 2 === 0 })
    const { forwarded } = pass(client.request('sys'), undefined, { clear: true })
    const { messages } = JSON.parse(forwarded.toString())
    expect(messages[0].content.map((block: Block) => block.text)).toEqual([
      '<system-reminder>CLAUDE.md</system-reminder>',
      'What went before',
      'the last instruction',
    ])
    expect(messages.length).toBeLessThan(8)
    const results = messages.findLast(({ role }: Message) => role === 'user').content
    expect(results[0].tool_use_id).toBe('toolu_58')
  })

  it('keeps what the client says about itself behind the first message', () => {
    const environment = { role: 'system', content: 'Primary working directory: /p', output_config: { effort: 'low' } }
    const client = new Client()
    client.messages.push({ role: 'user', content: 'go' }, environment as never)
    for (let i = 0; i < 30; i++) client.make({ does: 'tools', count: 2, reminder: false, systemAfter: false })
    const { forwarded } = pass(client.request('sys'), undefined, { clear: true })
    const { messages } = JSON.parse(forwarded.toString())
    expect(messages[0].content.map((block: Block) => block.text)).toEqual(['What went before', 'go'])
    expect(messages[1]).toEqual(environment)
    expect(messages[2].role).toBe('assistant')
  })

  it('has nothing to cut in a conversation without an answer', () => {
    const layout = layoutOf(Buffer.from('{"messages":[{"role":"user","content":"hi"}]}'))!
    expect(planCut(layout, 0, 'summary')).toBeUndefined()
  })
})

/** The premise: the client's request begins with all of the one before. Only CLEAR itself may break the prefix. */
function extendsIt(now: Message[], before: Message[]): boolean {
  return JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before)
}

/** String content and one text block are the same to the API. */
function blocks({ role, content }: Message) {
  return {
    role,
    content: typeof content === 'string' && role !== 'system' ? [{ type: 'text', text: content }] : content,
  }
}
