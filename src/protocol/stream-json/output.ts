import { parseJson } from '../json.ts'
import {
  amount,
  anything,
  flag,
  list,
  may,
  must,
  object,
  orElse,
  type Shape,
  type Shaped,
  shaped,
  text,
} from '../shape.ts'

/** What headless Claude Code prints, one JSON value per line. */

const word = may(text)
const parent = { parent_tool_use_id: word, agent_id: word, session_id: word, uuid: word }
const message = shaped({ id: word, model: word, content: may(anything), usage: may(object) })

const lines = {
  /** `init` comes again for every turn; tasks are subagents (and commands in the background, whose type differs). */
  system: {
    subtype: orElse(text, () => ''),
    session_id: word,
    model: word,
    tools: may(list),
    claude_code_version: word,
    task_id: word,
    tool_use_id: word,
    task_type: word,
    subagent_type: word,
    status: word,
    compact_result: word,
    compact_error: word,
    attempt: may(amount),
    retry_delay_ms: may(amount),
    error_status: may(amount),
  },
  /** One line per content block; `error` is set on the line that stands for a failed call of the API. */
  assistant: { ...parent, message: must(message), error: word },
  user: { ...parent, message: must(message), isReplay: may(flag) },
  stream_event: { ...parent, event: orElse(object, () => ({})) },
  result: {
    subtype: orElse(text, () => ''),
    is_error: orElse(flag, () => false),
    result: orElse(text, () => ''),
    total_cost_usd: may(amount),
    num_turns: orElse(amount, () => 0),
    stop_reason: word,
    terminal_reason: word,
    api_error_status: may(amount),
    usage: may(object),
    modelUsage: may(object),
    deferred_tool_use: may(shaped({ id: must(text), name: must(text), input: orElse(object, () => ({})) })),
    structured_output: may(anything),
    errors: may(list),
  },
  control_request: {
    request_id: must(text),
    request: must(
      shaped({
        subtype: must(text),
        tool_name: word,
        input: may(object),
        tool_use_id: word,
        agent_id: word,
        callback_id: word,
        server_name: word,
        message: may(object),
      }),
    ),
  },
  control_response: {
    response: must(shaped({ subtype: must(text), request_id: must(text), response: may(anything), error: word })),
  },
  control_cancel_request: { request_id: must(text) },
} satisfies Record<string, Shape>

type LineType = keyof typeof lines

/** A line of one type: `OutputLineOf<'result'>`. */
export type OutputLineOf<Type extends LineType> = { type: Type } & Shaped<(typeof lines)[Type]>
/** A line; one that no described type fits is `unknown`, whether it is JSON or not. */
export type OutputLine = { [Type in LineType]: OutputLineOf<Type> }[LineType] | { type: 'unknown'; raw: unknown }

const readers = Object.fromEntries(Object.entries(lines).map(([type, shape]) => [type, shaped<Shape>(shape)]))

/** Reads one line. The client may print plain text between its JSON, and a crash tears the last line: nothing here throws. */
export function readOutputLine(line: string): OutputLine {
  const json = parseJson(line)
  const type = object(json)?.type
  const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined
  const named = type === 'result' || type === 'system' ? withEarlierNames(json as Json) : json
  return (read?.(named) ?? { type: 'unknown', raw: json ?? line }) as OutputLine
}

type Json = Record<string, unknown>

/** Earlier clients, and programs that stand in for one, spell some fields otherwise; today's spelling wins. */
function withEarlierNames(line: Json): Json {
  const { sessionId, costUSD, isError } = line
  const session_id = sessionId ?? object(line.metadata)?.session_id
  return {
    ...(session_id !== undefined && { session_id }),
    ...(costUSD !== undefined && { total_cost_usd: costUSD }),
    ...(isError !== undefined && { is_error: isError }),
    ...line,
  }
}

/** A piece of a message: its kind, and the fields that kind has. */
export type Block = { type: string } & Record<string, unknown>

/** The content of a message as blocks; a plain text is one. */
export function blocksOf(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return (list(content) ?? []).flatMap((block) => {
    const type = object(block)?.type
    return typeof type === 'string' ? [block as Block] : []
  })
}

/** The words of a content, as of a tool's result, without pictures and other kinds. */
export function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap((block) => text(block.text) ?? [])
    .join('\n')
}
