import type { Outcome } from '#core/action/reading.ts'
import { interjected, realInstruction } from '#core/goal/instruction.ts'
import { keylessFolder } from '#core/redact/names-on-disk.ts'
import { isObject } from '#protocol/json.ts'
import { contextWindow } from '#protocol/model-window.ts'
import { type Classified, type RequestKind, type RequestSketch, requestKind } from '#protocol/request-kind.ts'
import { elementsOf, memberAt, membersOf, type Span, type Value, valueAt } from '#protocol/request-scan.ts'
import { outcomeOf, textsOf } from '#protocol/turn-facts.ts'
import type { SeenUse } from '../action/tool-call.ts'
import type { ModelCall } from '../call.ts'
import { type Layout, layoutOf } from './forward.ts'
import { hasCacheMarker, roleOf } from './messages.ts'

/** What a request tells, read lazily from its bytes: an 80 KB tool list is never parsed to learn a name. */
export interface CallFacts {
  kind: RequestKind
  /** The marks disagree about a request that is taken for the main thread's. */
  doubtful?: true
  model: string
  window: number
  layout: Layout
  /** The user's own words, when the newest user message holds any. */
  instruction?: Instruction | undefined
  /** The names of the tools that are offered. */
  tools: readonly string[]
  /** The ids of the tool calls whose results the newest user message brings. */
  results: readonly string[]
  /** The tool calls of the newest answer, as far as their results have come, with what became of each and what was said before. */
  settled: readonly SettledUse[]
  /** The client may be answered with system messages inside the conversation. */
  systemMessages: boolean
}

export interface SettledUse {
  use: SeenUse
  said: string
}

export interface Instruction {
  /** Without secrets: it is kept, and compared with what was kept. */
  text: string
  /** The position of the message it stands in: the same words at another place are another instruction. */
  index: number
}

/**
 * Undefined when the request is not one that we understand to the last byte. A call is asked about before it goes up and
 * again when its answer is through, and read once.
 */
export function readCall(call: ModelCall): CallFacts | undefined {
  call.facts ??= factsOf(call) ?? 'unreadable'
  return call.facts === 'unreadable' ? undefined : call.facts
}

function factsOf({ path, headers, body, scan }: ModelCall): CallFacts | undefined {
  const layout = layoutOf(body, scan)
  if (!layout) return undefined
  const newest = newestUserMessage(layout)
  const sketch = new Sketch(path, layout, newest)
  return new Facts(requestKind(headers, sketch), String(headers['anthropic-beta'] ?? ''), sketch, layout, newest)
}

class Facts implements CallFacts {
  readonly kind: RequestKind
  readonly doubtful?: true
  readonly model: string
  readonly window: number
  #settled: readonly SettledUse[] | undefined
  #instruction: { found: Instruction | undefined } | undefined

  constructor(
    { kind, doubtful }: Classified,
    private readonly betas: string,
    private readonly sketch: Sketch,
    readonly layout: Layout,
    private readonly newest: NewestMessage | undefined,
  ) {
    this.kind = kind
    if (doubtful) this.doubtful = doubtful
    this.model = known(stringAt, layout, 'model') ?? ''
    this.window = contextWindow(this.model, betas)
  }

  get tools(): readonly string[] {
    return this.sketch.tools
  }

  get results(): readonly string[] {
    return this.newest?.results ?? NO_NAMES
  }

  get settled(): readonly SettledUse[] {
    this.#settled ??= settledUses(this.layout, this.newest)
    return this.#settled
  }

  get systemMessages(): boolean {
    return this.betas.includes('mid-conversation-system') || hasSystemMessage(this.layout)
  }

  get instruction(): Instruction | undefined {
    this.#instruction ??= { found: this.newest && instructionIn(this.layout, this.newest) }
    return this.#instruction.found
  }
}

const NAMES_DIRECTORY = Buffer.from('orking directory: ')
const WORKING_DIRECTORY = /^[ \t-]*(?:Primary w|W)orking directory: (.+)$/m

/**
 * The folder the client says it works in. Up to 2.1.260 its environment section stands in the system prompt; later it is a
 * system message, or a reminder before the first prompt on older models.
 */
export function workingDirectory({ body, scan, messages }: Layout): string | undefined {
  // Nothing is parsed in vain: a client that never says it would have all its messages parsed with each request.
  if (!body.includes(NAMES_DIRECTORY)) return undefined
  const system = scan.keys.get('system')
  const places = [
    ...(system ? [() => valueAt(body, system)] : []),
    ...messages.map((message) => () => contentAt(body, message)),
  ]
  for (const place of places) {
    const folder = WORKING_DIRECTORY.exec(textsOf(place()).join('\n'))?.[1]?.trim()
    if (folder) return keylessFolder(folder)
  }
  return undefined
}

function contentAt(body: Buffer, message: Span): unknown {
  return (valueAt(body, message) as { content?: unknown }).content
}

/** Newer clients send system messages without any beta; where they do, the model takes them. */
function hasSystemMessage({ body, messages }: Layout): boolean {
  return messages.some((message) => roleOf(body, message) === 'system')
}

/** What a message tells. It is kept with the message's `Span`, which is the same for as long as requests repeat it. */
interface Told {
  results?: readonly string[]
  instruction?: { text: string | undefined }
  lastText?: { text: string | undefined }
}

const toldBy = new WeakMap<Span, Told>()
/** A longer text is read again rather than kept. */
const LONGEST_KEPT = 4000

class NewestMessage {
  #content: { value: unknown } | undefined
  readonly #told: Told

  constructor(
    private readonly layout: Layout,
    readonly index: number,
    readonly span: Span,
  ) {
    this.#told = toldBy.get(span) ?? {}
    toldBy.set(span, this.#told)
  }

  /** Parsed on first use, and once: it may hold a large tool result. */
  get content(): unknown {
    this.#content ??= { value: contentAt(this.layout.body, this.span) }
    return this.#content.value
  }

  get results(): readonly string[] {
    this.#told.results ??= resultIds(this.content)
    return this.#told.results
  }

  /** To take the secrets out of it is most of what reading a prompt costs. */
  get instruction(): string | undefined {
    this.#told.instruction ??= { text: realInstruction(this.content) }
    return this.#told.instruction.text
  }

  get lastText(): string | undefined {
    if (this.#told.lastText) return this.#told.lastText.text
    const text = textsOf(this.content).at(-1)
    if (text === undefined || text.length <= LONGEST_KEPT) this.#told.lastText = { text }
    return text
  }
}

function newestUserMessage(layout: Layout): NewestMessage | undefined {
  const { body, messages } = layout
  const index = messages.findLastIndex((message) => roleOf(body, message) === 'user')
  const span = messages[index]
  return span && new NewestMessage(layout, index, span)
}

/** The newest words count: what was sent while the agent worked stands in a system message behind the newest user message. */
function instructionIn({ body, messages }: Layout, newest: NewestMessage): Instruction | undefined {
  for (let index = messages.length - 1; index > newest.index; index--) {
    const text = interjected(contentAt(body, messages[index]!))
    if (text !== undefined) return { text, index }
  }
  const text = newest.instruction
  return text === undefined ? undefined : { text, index: newest.index }
}

/** Each part is looked up only when a rule asks for it. */
class Sketch implements RequestSketch {
  constructor(
    readonly path: string,
    private readonly layout: Layout,
    private readonly newest: NewestMessage | undefined,
  ) {}

  get keys(): readonly string[] {
    return [...this.layout.scan.keys.keys()]
  }

  get maxTokens(): number | undefined {
    const { body, scan } = this.layout
    return numberAt(body, scan.keys.get('max_tokens'))
  }

  get system0(): string | undefined {
    return known(firstText, this.layout, 'system')
  }

  get tools(): readonly string[] {
    return known(toolNames, this.layout, 'tools') ?? NO_NAMES
  }

  get thinking(): string | undefined {
    return known(typeOf, this.layout, 'thinking')
  }

  get answerFields(): readonly string[] {
    return known(fieldsAskedFor, this.layout, 'output_config') ?? NO_NAMES
  }

  get lastUserText(): string | undefined {
    return this.newest?.lastText
  }

  get forked(): boolean | undefined {
    return isForked(this.layout, this.newest)
  }
}

const NO_NAMES: readonly string[] = []

type Read<T> = (body: Buffer, value: Value, elements: readonly Span[]) => T

const readOf = new WeakMap<object, Map<Read<unknown>, unknown>>()

/** What a reader finds in a top-level value; asked once for as long as the conversation's requests repeat that value. */
function known<T>(read: Read<T>, { body, scan }: Layout, key: string): T | undefined {
  const value = scan.keys.get(key)
  if (!value) return undefined
  const found = readOf.get(value.content) ?? new Map<Read<unknown>, unknown>()
  readOf.set(value.content, found)
  if (!found.has(read)) found.set(read, read(body, value, scan.arrays.get(key) ?? []))
  return found.get(read) as T
}

function resultIds(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block) =>
    isObject(block) && block.type === 'tool_result' && typeof block.tool_use_id === 'string' ? [block.tool_use_id] : [],
  )
}

/** What the newest answer asked for stands in the last assistant message; the results in the user messages after it. */
function settledUses({ body, messages }: Layout, newest: NewestMessage | undefined): SettledUse[] {
  const asked = messages.findLastIndex((message) => roleOf(body, message) === 'assistant')
  if (asked < 0) return []
  const after = messages.slice(asked + 1).filter((message) => roleOf(body, message) === 'user')
  const contentOf = (message: Span) => (message === newest?.span ? newest.content : contentAt(body, message))
  const results = new Map(after.flatMap((message) => resultsIn(contentOf(message))))
  if (results.size === 0) return []
  const content = contentAt(body, messages[asked]!)
  const said = textsOf(content).join('\n')
  const blocks = Array.isArray(content) ? content : []
  return blocks.flatMap((block): SettledUse[] => {
    const { type, id, name, input } = isObject(block) ? block : {}
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) return []
    const result = results.get(id)
    return result === undefined ? [] : [{ use: { id, name, input, ...result }, said }]
  })
}

function resultsIn(content: unknown): [string, { outcome: Outcome; output: string }][] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block): ReturnType<typeof resultsIn> => {
    if (!isObject(block) || block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return []
    const outcome = outcomeOf(block.is_error === true, block.content)
    return [[block.tool_use_id, { outcome, output: textsOf(block.content).join('\n') }]]
  })
}

function fieldsAskedFor(body: Buffer, config: Span): string[] {
  const { format } = valueAt(body, config) as { format?: { schema?: { properties?: object } } }
  return Object.keys(format?.schema?.properties ?? {})
}

/** Whether the last cache marker stands before the newest user message; without any marker nothing can be said. */
function isForked({ body, messages }: Layout, newest: NewestMessage | undefined): boolean | undefined {
  const marked = messages.findLastIndex((message) => hasCacheMarker(body, message))
  if (marked < 0) return undefined
  return newest !== undefined && marked < newest.index
}

function typeOf(body: Buffer, value: Span): string | undefined {
  return stringAt(body, membersOf(body, value)?.get('type'))
}

function toolNames(body: Buffer, _tools: Span, elements: readonly Span[]): string[] {
  return elements.map((tool) => stringAt(body, memberAt(body, tool, 'name') ?? memberAt(body, tool, 'type')) ?? '')
}

function firstText(body: Buffer, system: Span): string | undefined {
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
