import { createHash } from 'node:crypto'
import type { Span } from '#protocol/request-scan.ts'
import { knownFingerprint } from './messages.ts'

/**
 * What Grove has put into one conversation. The prompt cache matches a prefix, so everything that was once forwarded is
 * put back byte for byte at the same place in every later request, and new text only ever goes to the new end.
 */
export interface Conversation {
  key: string
  sessionId: string
  inserted: Inserted[]
  /** How many messages the client had sent last time: only what comes after is new. */
  count: number
  cut?: Cut
}

export interface Inserted {
  /** The client's message it belongs to, by index and fingerprint. */
  index: number
  print: string
  /** A text block at the end of a user message, or a system message right after it. */
  as: 'block' | 'system'
  text: string
}

/**
 * CLEAR: every client message before `index` is left out, and one of ours stands for them. Only the summary is kept here;
 * the client's own words that go with it are taken from its request each time, and so never lie in the store.
 */
export interface Cut {
  index: number
  print: string
  summary: string
  /** The message that holds the user's newest instruction, where the cut leaves it out. */
  spoken?: number
}

const MARKER = Buffer.from('"cache_control":')

/**
 * A message's fingerprint without its cache markers: the client moves the marker on to the newest message, and that must
 * not look like another message. With the marker a text is a list of one block, without it a string: both count as the
 * list. Inside a JSON string the quotes would be escaped, so the bytes searched for are always a real key.
 */
export function fingerprint(body: Buffer, message: Span): string {
  return knownFingerprint(body, message, fingerprintOf)
}

function fingerprintOf(whole: Buffer, { start, end }: Span, content: Span | undefined): string {
  const hash = createHash('sha1')
  let from = start
  // Nothing behind the message is searched.
  const body = whole.subarray(0, end)
  if (content && body[content.start] === QUOTE) {
    hash
      .update(body.subarray(from, content.start))
      .update(LIST_OF_ONE)
      .update(body.subarray(content.start, content.end))
    hash.update('}]')
    from = content.end
  }
  for (;;) {
    const at = body.indexOf(MARKER, from)
    if (at === -1) break
    // The comma before the key goes with it. A marker is never the first key of a block: `type` is.
    hash.update(body.subarray(from, body[at - 1] === COMMA ? at - 1 : at))
    from = body.indexOf(CLOSING_BRACE, at) + 1
    if (from === 0) break
  }
  return hash.update(body.subarray(from || end, end)).digest('base64url')
}

const LIST_OF_ONE = '[{"type":"text","text":'
const QUOTE = 0x22
const COMMA = 0x2c
const CLOSING_BRACE = 0x7d

/** Keeps of a conversation what still fits the client's messages; after a rewind or a compaction the rest is history. */
export function reconcile(conversation: Conversation, body: Buffer, messages: readonly Span[]): Conversation {
  const fits = ({ index, print }: { index: number; print: string }) =>
    index < messages.length && fingerprint(body, messages[index]!) === print
  const firstStray = conversation.inserted.findIndex((inserted) => !fits(inserted))
  const inserted = firstStray === -1 ? conversation.inserted : conversation.inserted.slice(0, firstStray)
  const { cut, ...rest } = conversation
  return {
    ...rest,
    inserted,
    count: Math.min(conversation.count, messages.length),
    ...(cut && fits(cut) && { cut }),
  }
}
