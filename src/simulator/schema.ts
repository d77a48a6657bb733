import { z } from 'zod'

/** A condition or an expectation written as one string, or as a list of them. */
const strings = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()))

const pattern = z.string().refine(isPattern, { error: 'is not a valid regular expression' })

/** `text` alone means "contains this text". */
const TextMatch = z.preprocess(
  (value) => (typeof value === 'string' ? { contains: value } : value),
  z.strictObject({ contains: strings.optional(), matches: pattern.optional() }),
)

/** Which request a reply is for. All conditions must hold; without `path` only calls of /v1/messages count. */
const When = z.strictObject({
  path: z.string().startsWith('/').optional(),
  model: TextMatch.optional(),
  /** Comes from a subagent (true) or from the main thread (false). */
  agent: z.boolean().optional(),
  /** The newest text a person or a parent agent wrote. It stays the same while tools run. */
  last_user: TextMatch.optional(),
  system: TextMatch.optional(),
  /** What the tools have just answered. */
  tool_result: TextMatch.optional(),
  /** Everything since the newest answer, the client's own reminders and notifications included. */
  newest: TextMatch.optional(),
  /** The whole request, as the text of its body. */
  body: TextMatch.optional(),
  has_tool: strings.optional(),
  /** The how-manieth call of /v1/messages, from 1. */
  nth: z.int().min(1).optional(),
  stream: z.boolean().optional(),
  /** How many messages the conversation has. */
  messages: z.int().min(0).optional(),
  /** Headers that must be there. */
  header: strings.optional(),
})

/** What must be true of a request that took this reply; anything else is noted as a problem. */
const Expect = z.strictObject({
  contains: strings.optional(),
  not_contains: strings.optional(),
  /** null: the header must be absent. */
  headers: z.record(z.string(), z.string().nullable()).optional(),
  /** `messages[-1].content[0].type: text`; null also holds for what is absent. */
  json: z.record(z.string(), z.unknown()).optional(),
})

const ToolUse = z.strictObject({
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  id: z.string().min(1).optional(),
})

const Usage = z.strictObject({
  input: z.int().min(0).optional(),
  output: z.int().min(0).optional(),
  cache_read: z.int().min(0).optional(),
  cache_write: z.int().min(0).optional(),
})

/** `retry-after: 1` is a number in YAML and text on the wire. */
const headerValue = z.union([z.string(), z.number().transform(String)])
const HeaderValues = z.record(z.string(), z.union([headerValue, z.array(headerValue)]))

const status = z.int().min(200).max(599)

const ApiError = z.strictObject({ status, type: z.string().min(1), message: z.string() })

const milliseconds = z.number().min(0)
const count = z.int().min(0)

/**
 * How the bytes of an answer travel. Times are in milliseconds. `*_after` counts stream events (the two halves of any
 * other body); a reset or hang after 0 sends not even the status line.
 */
const delivery = {
  /** Before the first byte. */
  delay: milliseconds.optional(),
  /** After each event, or after each chunk. */
  drip: milliseconds.optional(),
  /** Bytes per write, so that events break anywhere. */
  chunk: z.int().min(1).optional(),
  /** Characters per delta. */
  piece: z.int().min(1).optional(),
  /** true: one, after the first event; a number: one after every so many events. */
  ping: z.union([z.boolean(), z.int().min(1)]).optional(),
  /** The connection is reset. */
  reset_after: count.optional(),
  /** The answer ends cleanly, but too early. */
  close_after: count.optional(),
  /** Silence, until the other side gives up. */
  hang_after: count.optional(),
  encoding: z.enum(['gzip', 'br', 'deflate']).optional(),
  headers: HeaderValues.optional(),
}

const says = {
  thinking: z.string().min(1).optional(),
  text: z.string().min(1).optional(),
  tool_use: z
    .preprocess((value) => (Array.isArray(value) || value === undefined ? value : [value]), z.array(ToolUse).min(1))
    .optional(),
  /** Content blocks of any kind, as the API has them; they stand between text and tool calls. */
  content: z.array(z.looseObject({ type: z.string() })).optional(),
}

/** Answers that are no message: own stream events, an API error, any body. */
const others = {
  events: z.array(z.union([z.string(), z.looseObject({ type: z.string() })])).optional(),
  error: ApiError.optional(),
  raw: z.strictObject({ status: status.default(200), body: z.unknown() }).optional(),
}

const answers = [...Object.keys(says), ...Object.keys(others)]

const ReplyObject = z
  .strictObject({
    ...says,
    ...others,
    stop_reason: z.string().optional(),
    usage: Usage.optional(),
    model: z.string().optional(),
    id: z.string().optional(),
    ...delivery,
  })
  .refine((reply) => given(reply, answers) > 0 || reply.hang_after === 0, {
    error: `says nothing: give it one of ${answers.join(', ')}`,
  })
  .refine((reply) => given(reply, Object.keys(others)) + Math.min(1, given(reply, Object.keys(says))) <= 1, {
    error: `gives several answers at once: ${Object.keys(others).join(', ')} stand alone`,
  })
  .refine((reply) => given(reply, ['reset_after', 'close_after', 'hang_after']) <= 1, {
    error: 'can end in one way only: reset_after, close_after or hang_after',
  })

/** A reply that is only a string answers with that text. */
const Reply = z.preprocess((value) => (typeof value === 'string' ? { text: value } : value), ReplyObject)

const Entry = z.strictObject({
  /** Shown in problems. */
  name: z.string().optional(),
  when: When.optional(),
  expect: Expect.optional(),
  reply: Reply,
  /** How often it may be used. */
  repeat: z.union([z.int().min(1), z.literal('forever')]).default(1),
})

/** A whole scenario file. */
export const ScenarioFile = z.strictObject({
  description: z.string().optional(),
  /**
   * Values for `{{name}}` in replies and expectations, beside those of the request: cwd, last_user, tool_result, model,
   * session_id, nth, and what the named groups of the reply's own conditions have found.
   */
  vars: z.record(z.string(), z.string()).default({}),
  replies: z.array(Entry).default([]),
  /** For calls of /v1/messages that no reply fits. */
  default: Reply.optional(),
})

export type When = z.infer<typeof When>
export type TextMatch = z.infer<typeof TextMatch>
export type Expect = z.infer<typeof Expect>
export type Reply = z.infer<typeof ReplyObject>
export type Entry = z.infer<typeof Entry>

/** A script for the simulated Messages API: each request takes the first reply that fits and is not used up. */
export type Scenario = z.infer<typeof ScenarioFile> & { name: string }

function given(reply: object, keys: string[]): number {
  return Object.entries(reply).filter(([key, value]) => keys.includes(key) && value !== undefined).length
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false // The refinement that asks turns this into a message with file and line.
  }
}
