import { appendElement, type Insertion, type RequestScan, type Span, scanRequest } from '#protocol/request-scan.ts'
import { type Conversation, fingerprint, type Inserted } from './conversation.ts'
import { contentOf, roleOf } from './messages.ts'
import { openingOf } from './opening.ts'

/** Where a request's parts lie. Nothing is parsed but the few messages that something is put into. */
export interface Layout {
  /** Only as long as the call is not done (`ModelCall.done`): nothing else may keep it. */
  body: Buffer
  scan: RequestScan
  messages: readonly Span[]
}

/** Undefined when the body is not a Messages request that we understand to the last byte; then it is left alone. */
export function layoutOf(body: Buffer, scan = scanRequest(body)): Layout | undefined {
  const messages = scan?.arrays.get('messages')
  return scan && messages && messages.length > 0 ? { body, scan, messages } : undefined
}

/** Anchors a text to the newest user message, if the client has not sent that message before. */
export function anchor(
  layout: Layout,
  { count }: Conversation,
  text: () => string,
  systemMessages: boolean,
): Inserted | undefined {
  const index = newestUserMessage(layout)
  if (index === undefined || index < count) return undefined
  const print = fingerprint(layout.body, layout.messages[index]!)
  // A system message may follow a user message only; where the client has put its own there, ours joins the user's.
  const last = index === layout.messages.length - 1
  return { index, print, as: systemMessages && last ? 'system' : 'block', text: text() }
}

/** The newest user message: the last message of all may be the client's own system message. */
function newestUserMessage({ body, messages }: Layout): number | undefined {
  const index = messages.findLastIndex((message) => roleOf(body, message) === 'user')
  return index === -1 ? undefined : index
}

/** The body to forward: the client's own bytes with ours in between, or the client's body itself when there are none. */
export function forwardBody(layout: Layout, { inserted, cut }: Conversation): Uint8Array[] {
  const { body, messages } = layout
  const kept = cut ? inserted.filter(({ index }) => index >= cut.index) : inserted
  const insertions = kept.flatMap((one) => messageInsertions(layout, one))
  if (!cut) return insertions.length === 0 ? [body] : splice(body, insertions)
  const gap = {
    from: messages[0]!.start,
    to: messages[cut.index]!.start,
    bytes: Buffer.from([openingOf(layout, cut), ...leadingSystemMessages(layout), ''].join()),
  }
  return splice(body, insertions, gap)
}

/** What the client says about itself right behind the first message: environment, tools on demand, effort. It outlives a cut. */
function leadingSystemMessages({ body, messages }: Layout): string[] {
  const end = messages.findIndex((message, index) => index > 0 && roleOf(body, message) !== 'system')
  return messages.slice(1, end).map(({ start, end }) => body.toString('utf8', start, end))
}

function messageInsertions({ body, messages }: Layout, inserted: Inserted): Insertion[] {
  const message = messages[inserted.index]!
  if (inserted.as === 'system') return [{ at: message.end, bytes: insertedBytes(inserted) }]
  const content = contentOf(body, message)
  if (!content) return []
  if (body[content.start] !== QUOTE) return [appendElement(body, content, insertedBytes(inserted))]
  return [
    { at: content.start, bytes: Buffer.from('[{"type":"text","text":') },
    { at: content.end, bytes: Buffer.concat([Buffer.from('},'), insertedBytes(inserted), Buffer.from(']')]) },
  ]
}

const written = new WeakMap<Inserted, Buffer>()

/** What is put in, as JSON: written once, since it goes with every later request of its conversation. */
function insertedBytes(inserted: Inserted): Buffer {
  const known = written.get(inserted)
  if (known) return known
  const { as, text } = inserted
  const bytes = Buffer.from(
    as === 'system'
      ? `,{"role":"system","content":${JSON.stringify(text)}}`
      : `{"type":"text","text":${JSON.stringify(`<system-reminder>\n${text}\n</system-reminder>`)}}`,
  )
  written.set(inserted, bytes)
  return bytes
}

/** Puts the insertions in, in order of place, and the gap's bytes where the gap was. */
function splice(
  body: Buffer,
  insertions: Insertion[],
  gap?: { from: number; to: number; bytes: Buffer },
): Uint8Array[] {
  const edits = insertions.map(({ at, bytes }) => ({ from: at, to: at, bytes }))
  const pieces: Uint8Array[] = []
  let from = 0
  for (const edit of [...edits, ...(gap ? [gap] : [])].sort((a, b) => a.from - b.from)) {
    pieces.push(body.subarray(from, edit.from), edit.bytes)
    from = edit.to
  }
  pieces.push(body.subarray(from))
  return pieces
}

const QUOTE = 0x22
