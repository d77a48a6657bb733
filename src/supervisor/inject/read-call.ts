import { realInstruction } from '#core/goal/instruction.ts'
import { type RequestKind, type RequestSketch, requestKind } from '#protocol/request-kind.ts'
import { elementsOf, memberAt, membersOf, type RequestScan, type Span, valueAt } from '#protocol/request-scan.ts'
import { contextWindow, textsOf } from '#protocol/turn-facts.ts'
import type { ModelCall } from '../call.ts'
import { type Layout, layoutOf, roleOf } from './forward.ts'

/** What a request tells, read lazily from its bytes: an 80 KB tool list is never parsed to learn a name. */
export interface CallFacts {
  kind: RequestKind
  model: string
  window: number
  layout: Layout
  /** The user's own words, when the newest user message holds any. */
  instruction?: Instruction
  /** The client may be answered with system messages inside the conversation. */
  systemMessages: boolean
}

export interface Instruction {
  /** Without secrets: it is kept, and compared with what was kept. */
  text: string
  /** The position of the message it stands in: the same words at another place are another instruction. */
  index: number
}

/** A call is asked about before it goes up and again when its answer is through. */
const read = new WeakMap<ModelCall, CallFacts | undefined>()

/** Undefined when the request is not one that we understand to the last byte. */
export function readCall(call: ModelCall): CallFacts | undefined {
  if (!read.has(call)) read.set(call, factsOf(call))
  return read.get(call)
}

function factsOf({ path, headers, body, scan }: ModelCall): CallFacts | undefined {
  const layout = layoutOf(body, scan)
  if (!layout) return undefined
  const newest = newestUserMessage(layout)
  const kind = requestKind(headers, sketch(path, layout, newest))
  const model = stringAt(layout.body, layout.scan.keys.get('model')) ?? ''
  const betas = String(headers['anthropic-beta'] ?? '')
  const instruction = once(() => newest && instructionIn(newest))
  return {
    kind,
    model,
    window: contextWindow(model, betas),
    layout,
    systemMessages: betas.includes('mid-conversation-system'),
    get instruction() {
      return instruction()
    },
  } as CallFacts
}

/** The folder the client says it works in; part of its environment section in the system prompt. */
export function workingDirectory({ body, scan }: Layout): string | undefined {
  const system = scan.keys.get('system')
  if (!system) return undefined
  const text = textsOf(valueAt(body, system)).join('\n')
  return /^[\s-]*(?:Primary w|W)orking directory: (.+)$/m.exec(text)?.[1]?.trim()
}

interface NewestMessage {
  index: number
  span: Span
  /** Parsed on first use, and once: it may hold a large tool result. */
  content(): unknown
}

function newestUserMessage({ body, messages }: Layout): NewestMessage | undefined {
  const index = messages.findLastIndex((message) => roleOf(body, message) === 'user')
  const span = messages[index]
  return span && { index, span, content: once(() => (valueAt(body, span) as { content?: unknown }).content) }
}

function instructionIn({ index, content }: NewestMessage): Instruction | undefined {
  const text = realInstruction(content())
  return text === undefined ? undefined : { text, index }
}

/** Each part is looked up only when a rule asks for it, and once however many ask. */
function sketch(path: string, { body, scan, messages }: Layout, newest: NewestMessage | undefined): RequestSketch {
  const at = (key: string) => scan.keys.get(key)
  const system0 = once(() => firstText(body, at('system')))
  const tools = once(() => toolNames(body, scan))
  const thinking = once(() => stringAt(body, at('thinking') && membersOf(body, at('thinking')!)?.get('type')))
  const answerFields = once(() => fieldsAskedFor(body, at('output_config')))
  const lastUserText = once(() => newest && textsOf(newest.content()).at(-1))
  const forked = once(() => isForked(body, messages, newest?.span))
  return {
    path,
    keys: [...scan.keys.keys()],
    maxTokens: numberAt(body, at('max_tokens')),
    get system0() {
      return system0()
    },
    get tools() {
      return tools()
    },
    get thinking() {
      return thinking()
    },
    get answerFields() {
      return answerFields()
    },
    get lastUserText() {
      return lastUserText()
    },
    get forked() {
      return forked()
    },
  }
}

function once<T>(look: () => T): () => T {
  let found: { value: T } | undefined
  return () => {
    found ??= { value: look() }
    return found.value
  }
}

function fieldsAskedFor(body: Buffer, config: Span | undefined): string[] {
  if (!config) return []
  const { format } = valueAt(body, config) as { format?: { schema?: { properties?: object } } }
  return Object.keys(format?.schema?.properties ?? {})
}

const MARKER = Buffer.from('"cache_control":')

/** Whether messages carry cache markers but the newest user message does not; without any marker nothing can be said. */
function isForked(body: Buffer, messages: readonly Span[], newest: Span | undefined): boolean | undefined {
  const marked = ({ start, end }: Span) => {
    const found = body.indexOf(MARKER, start)
    return found !== -1 && found < end
  }
  const [first, last] = [messages[0], messages.at(-1)]
  if (!first || !last || !marked({ start: first.start, end: last.end })) return undefined
  return !(newest && marked(newest))
}

function toolNames(body: Buffer, scan: RequestScan): string[] {
  return (scan.arrays.get('tools') ?? []).map((tool) => {
    return stringAt(body, memberAt(body, tool, 'name') ?? memberAt(body, tool, 'type')) ?? ''
  })
}

function firstText(body: Buffer, system: Span | undefined): string | undefined {
  if (!system) return undefined
  const first = elementsOf(body, system)?.[0]
  return first ? stringAt(body, membersOf(body, first)?.get('text')) : stringAt(body, system)
}

function stringAt(body: Buffer, span: Span | undefined): string | undefined {
  if (!span || body[span.start] !== 0x22) return undefined
  return valueAt(body, span) as string
}

function numberAt(body: Buffer, span: Span | undefined): number | undefined {
  const value = span && valueAt(body, span)
  return typeof value === 'number' ? value : undefined
}
