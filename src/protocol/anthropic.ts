import { z } from 'zod'
import type { Answer } from '#core/turn.ts'
import { isObject, parseJson } from './json.ts'
import { AnyObject, maybe, readerByKind } from './tolerant.ts'
import { tokenUsage } from './turn-facts.ts'

/** The Messages API as Claude Code uses it. Requests are only ever read here: what is forwarded is the client's own bytes. */

const content = z.union([z.string(), z.array(z.unknown())])

/** Reads one content block; a type nobody described yet is kept as `{ type: 'unknown', raw }`. */
export const readBlock = readerByKind('type', {
  text: z.looseObject({ type: z.literal('text'), text: z.string() }),
  image: z.looseObject({ type: z.literal('image'), source: maybe(AnyObject) }),
  document: z.looseObject({ type: z.literal('document'), source: maybe(AnyObject), title: maybe(z.string()) }),
  thinking: z.looseObject({ type: z.literal('thinking'), thinking: z.string().catch('') }),
  redacted_thinking: z.looseObject({ type: z.literal('redacted_thinking') }),
  tool_use: z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: AnyObject.catch({}),
  }),
  server_tool_use: z.looseObject({ type: z.literal('server_tool_use'), id: z.string(), name: z.string() }),
  tool_result: z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: maybe(content),
    is_error: maybe(z.boolean()),
  }),
})
export type ContentBlock = ReturnType<typeof readBlock>

/** The blocks of any content: a plain string is one text block. */
export function blocksOf(value: unknown): ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  return Array.isArray(value) ? value.map(readBlock) : []
}

const Message = z.looseObject({ role: z.string(), content })
/** A message; `role` may be `system` in the middle of a conversation, and `unknown` when it could not be read. */
export type Message = z.output<typeof Message>

const message = z.unknown().transform((raw): Message => {
  const read = Message.safeParse(raw)
  return read.success ? read.data : { role: 'unknown', content: [], raw }
})

const MessagesRequest = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  system: maybe(content),
  tools: maybe(z.array(z.unknown())),
  tool_choice: maybe(AnyObject),
  metadata: maybe(AnyObject),
  max_tokens: maybe(z.number()),
  thinking: maybe(z.looseObject({ type: z.string(), budget_tokens: maybe(z.number()) })),
  context_management: maybe(AnyObject),
  output_config: maybe(z.looseObject({ effort: maybe(z.string()), format: maybe(AnyObject) })),
  stream: maybe(z.boolean()),
})
export type MessagesRequest = z.output<typeof MessagesRequest>

/** A Messages request from its parsed JSON; undefined when it is not one. */
export function readMessagesRequest(json: unknown): MessagesRequest | undefined {
  return MessagesRequest.safeParse(json).data
}

/** The newest message of the user's side. The last message of all may be a `system` one. */
export function lastUserMessage(request: MessagesRequest): Message | undefined {
  return request.messages.findLast(({ role }) => role === 'user')
}

/** The session a request belongs to, from `metadata.user_id`: a JSON string, in older clients one long underscored name. */
export function metadataSessionId(request: MessagesRequest): string | undefined {
  const userId = request.metadata?.user_id
  if (typeof userId !== 'string') return undefined
  const fields = parseJson(userId)
  if (!isObject(fields)) return /_session_([0-9a-f-]{36})$/.exec(userId)?.[1]
  return typeof fields.session_id === 'string' ? fields.session_id : undefined
}

/** An assistant message as the API sends it, whole or as the empty shell of a stream's `message_start`. */
export const AssistantMessage = z.looseObject({
  id: z.string(),
  model: z.string().catch(''),
  content: z.array(z.unknown()).catch([]),
  usage: maybe(AnyObject),
  stop_reason: maybe(z.string().nullable()),
})
export type AssistantMessage = z.output<typeof AssistantMessage>

/** The answer in a non-streaming response body; undefined when it is an error or something else. */
export function readAnswer(json: unknown): Answer | undefined {
  const body = AssistantMessage.safeParse(json).data
  return body && body.type === 'message' ? answerOf(body) : undefined
}

/** What an assistant message says and does. */
export function answerOf(body: AssistantMessage): Answer {
  const blocks = body.content.map(readBlock)
  return {
    messageId: body.id,
    model: body.model,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    thinkingLength: blocks.reduce((sum, block) => sum + (block.type === 'thinking' ? block.thinking.length : 0), 0),
    toolUses: blocks.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    usage: tokenUsage(body.usage),
    ...(body.stop_reason ? { stopReason: body.stop_reason } : {}),
    complete: true,
  }
}

const ErrorBody = z.looseObject({
  type: z.literal('error'),
  error: z.looseObject({ type: z.string().catch('unknown'), message: z.string().catch('') }),
  request_id: maybe(z.string()),
})

export interface ApiError {
  type: string
  message: string
  requestId?: string
}

/** The error in a response body or an `error` event; undefined when there is none. */
export function readApiError(json: unknown): ApiError | undefined {
  const body = ErrorBody.safeParse(json).data
  if (!body) return undefined
  const { type, message } = body.error
  return { type, message, ...(body.request_id ? { requestId: body.request_id } : {}) }
}

/** An error body in the API's own shape, so that the client shows our message as it would show the API's. */
export function apiErrorBody(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message } })
}
