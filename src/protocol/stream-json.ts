import { z } from 'zod'
import type { TokenUsage } from '#core/session.ts'
import { parseJson } from './json.ts'
import { AnyObject, anything, maybe, readerByKind } from './tolerant.ts'
import { tokenUsage } from './turn-facts.ts'

/** Headless Claude Code: the lines it prints, and the lines it takes. */

const text = maybe(z.string())
const message = z.looseObject({ id: text, model: text, content: anything, usage: maybe(AnyObject) })
const parent = { parent_tool_use_id: maybe(z.string().nullable()), session_id: text }

const ResultLine = z.looseObject({
  type: z.literal('result'),
  subtype: z.string().catch(''),
  is_error: z.boolean().catch(false),
  result: text,
  session_id: text,
  total_cost_usd: maybe(z.number()),
  num_turns: maybe(z.number()),
  duration_ms: maybe(z.number()),
  stop_reason: maybe(z.string().nullable()),
  terminal_reason: text,
  api_error_status: maybe(z.number().nullable()),
  usage: maybe(AnyObject),
  modelUsage: maybe(AnyObject),
  permission_denials: maybe(z.array(z.unknown())),
  structured_output: anything,
  errors: maybe(z.array(z.string())),
})

const read = readerByKind('type', {
  system: z.looseObject({
    type: z.literal('system'),
    subtype: z.string().catch(''),
    session_id: text,
    /** `init` only, as are the tools and the directory. It comes again for every user turn. */
    model: text,
    cwd: text,
    tools: maybe(z.array(z.string())),
    claude_code_version: text,
  }),
  assistant: z.looseObject({ type: z.literal('assistant'), message, ...parent }),
  user: z.looseObject({ type: z.literal('user'), message, ...parent, tool_use_result: anything }),
  stream_event: z.looseObject({ type: z.literal('stream_event'), event: anything, ...parent }),
  result: ResultLine,
  control_request: z.looseObject({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.looseObject({
      subtype: z.string(),
      tool_name: text,
      input: maybe(AnyObject),
      tool_use_id: text,
      callback_id: text,
    }),
  }),
  control_response: z.looseObject({
    type: z.literal('control_response'),
    response: z.looseObject({ subtype: z.string(), request_id: z.string(), response: anything, error: text }),
  }),
  control_cancel_request: z.looseObject({ type: z.literal('control_cancel_request'), request_id: z.string() }),
})

/** One line of stream-json output; lines of an unknown type are kept, and text that is no JSON is kept as text. */
export type StreamLine = ReturnType<typeof read>

/** Reads one line. The client may print plain text between its JSON lines, so nothing here throws. */
export function parseStreamLine(line: string): StreamLine {
  const json = parseJson(line)
  return json === undefined ? { type: 'unknown', raw: line } : read(json)
}

/** How a headless turn ended. One process can report several of these. */
export interface RunResult {
  sessionId?: string
  ok: boolean
  subtype: string
  /** The final text; empty when a hook stopped the turn, absent after an error. */
  text?: string
  /** Of the whole process so far, subagents included. */
  costUsd?: number
  turns?: number
  usage: TokenUsage
  terminalReason?: string
  structuredOutput?: unknown
  errors: string[]
}

/** The result in a `result` line, by its present names or the older `sessionId` and `costUSD`. */
export function runResult(line: z.output<typeof ResultLine>): RunResult {
  const sessionId = line.session_id ?? (typeof line.sessionId === 'string' ? line.sessionId : undefined)
  const costUsd = line.total_cost_usd ?? (typeof line.costUSD === 'number' ? line.costUSD : undefined)
  return {
    ok: !line.is_error && !line.subtype.startsWith('error'),
    subtype: line.subtype,
    usage: tokenUsage(line.usage),
    errors: line.errors ?? [],
    ...(sessionId !== undefined && { sessionId }),
    ...(costUsd !== undefined && { costUsd }),
    ...(line.result !== undefined && { text: line.result }),
    ...(line.num_turns !== undefined && { turns: line.num_turns }),
    ...(line.terminal_reason !== undefined && { terminalReason: line.terminal_reason }),
    ...(line.structured_output !== undefined && { structuredOutput: line.structured_output }),
  }
}

/** What the host may ask of a running client. */
export type ControlRequest =
  | { subtype: 'interrupt' }
  | { subtype: 'set_permission_mode'; mode: string }
  | { subtype: 'set_model'; model: string }
  | { subtype: 'initialize'; appendSystemPrompt?: string; hooks?: object; agents?: object }
  | { subtype: 'mcp_status' | 'get_context_usage' | 'get_session_cost' | 'get_settings' | 'get_binary_version' }

/** A user message, as one input line. */
export function userLine(content: string | object[]): string {
  return toLine({ type: 'user', message: { role: 'user', content } })
}

/** A question or order of the host; the client answers with the same `request_id`. */
export function controlRequestLine(requestId: string, request: ControlRequest): string {
  return toLine({ type: 'control_request', request_id: requestId, request })
}

/** The host's successful answer to the client's own control request, for example a hook callback's output. */
export function controlAnswerLine(requestId: string, response: object): string {
  return toLine({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } })
}

/** The answer to a control request that could not be served. */
export function controlErrorLine(requestId: string, error: string): string {
  return toLine({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } })
}

/** Lets a tool run; the client insists on the input being repeated. */
export function allowToolLine(requestId: string, updatedInput: Record<string, unknown>): string {
  return controlAnswerLine(requestId, { behavior: 'allow', updatedInput })
}

/** Keeps a tool from running; with `interrupt` the whole turn ends. */
export function denyToolLine(requestId: string, message: string, interrupt = false): string {
  return controlAnswerLine(requestId, { behavior: 'deny', message, ...(interrupt && { interrupt }) })
}

/** U+2028 and U+2029 are legal in JSON, but some line readers split at them. */
function toLine(value: object): string {
  return `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => (c === '\u2028' ? '\\u2028' : '\\u2029'))}\n`
}
