/** What travels in the bench: a request and answers with the shape and weight of Claude Code's, in words of our own. */

export const MODES = ['burst', 'paced', 'json', 'slow', 'small', 'results'] as const
/**
 * To a request of 80 KB: 213 events at once, the same 5 ms apart, one JSON body of 6 KB, or 60 events 5 to 20 ms apart.
 * `small` answers 2 KB with 2 KB of JSON. `results` answers as `json` does, and each request brings what the tool call of
 * the answer before it came to, at the end of a conversation that grows. `hold` sends the first events and then keeps the stream open; `echo` returns
 * what arrived.
 */
export type Mode = (typeof MODES)[number] | 'hold' | 'echo'

export const PACES: Partial<Record<Mode, readonly [least: number, most: number]>> = { paced: [5, 5], slow: [5, 20] }

/** What Grove is to put into every request: something remembered that bears on what is asked. */
export const MEMORY = {
  id: 'mem_bench',
  projectId: 'bench',
  goal: 'Review the module that parses dates: leap years, offsets and the last day of a month',
  instruction: 'Review the module that parses dates',
  decisions: [{ choice: 'keep dates in UTC until they are shown', reason: 'offsets move a date to another day' }],
  reasoningTrace: ['An offset such as +05:30 moved the last day of a month'],
  files: ['src/dates.ts'],
  tags: ['dates', 'offsets'],
  createdAt: 1_767_225_600_000,
}

// About as many line breaks and quotes, both of which JSON escapes, as prose and code have.
const WORDS = [
  'Review the module that parses dates and list what it gets wrong:',
  '- empty input, leap years and the last day of a month',
  '- offsets such as "+05:30" that move a date to another day',
  'Then write a test for each of them, run the tests, and change as little as possible.',
  "  const parsed = parse(input, { strict: true, zone: 'UTC' })",
  '  if (!parsed.ok) return fail(parsed.reason)',
  '',
].join('\n')

function prose(length: number): string {
  return WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length)
}

/** A session's first request: one prompt. */
export function openingBody(project: string): Buffer {
  return bodyOf({ project, systemLength: 0, tools: [], messages: [PROMPT] })
}

/** 80 KB: a long system prompt, two dozen tools, a conversation with tool calls and results. */
export function requestBody(project: string): Buffer {
  const tools = Array.from({ length: 24 }, (_, i) => ({
    name: OWN_TOOLS[i] ?? `mcp__bench__tool${i}`,
    description: prose(900),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(
        ['file_path', 'pattern', 'limit', 'offset'].map((name) => [name, { type: 'string', description: prose(80) }]),
      ),
      required: ['file_path'],
    },
  }))
  const exchange = (i: number) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: prose(120) },
        { type: 'tool_use', id: `toolu_${i}`, name: 'Read', input: { file_path: `/src/file-${i}.ts`, limit: 200 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: prose(2400) }] },
  ]
  const messages = [PROMPT, ...Array.from({ length: 9 }, (_, i) => exchange(i)).flat()]
  return bodyOf({ project, systemLength: 14_000, tools, messages })
}

/** How many tool calls a conversation grows by before it is taken back to its beginning. */
const MOST_RESULTS = 20

/** The requests of one conversation, each with the result of the tool call that the last answer asked for. */
export class Conversation {
  readonly #before: Buffer
  readonly #after: Buffer
  #grown: Buffer[] = []

  constructor(body: Buffer) {
    const end = body.indexOf('],"system":')
    this.#before = body.subarray(0, end)
    this.#after = body.subarray(end)
  }

  get body(): Buffer {
    return Buffer.concat([this.#before, ...this.#grown, this.#after])
  }

  take(answer: Buffer): void {
    const { content } = JSON.parse(answer.toString()) as { content: { type: string; id?: string }[] }
    const results = content.filter(({ type }) => type === 'tool_use')
    const messages = [
      { role: 'assistant', content },
      {
        role: 'user',
        content: results.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: prose(2400) })),
      },
    ]
    if (this.#grown.length >= MOST_RESULTS) this.#grown = []
    this.#grown.push(Buffer.from(`,${JSON.stringify(messages).slice(1, -1)}`))
  }
}

/** A client that has others in their place is taken for one that is not understood. */
const OWN_TOOLS = ['Agent', 'Bash', 'Edit', 'Read', 'Write']

/** Every conversation begins with it, so what is put in at its first request belongs to all that follow. */
const PROMPT = { role: 'user', content: [{ type: 'text', text: prose(1500) }] }

interface Parts {
  project: string
  systemLength: number
  tools: object[]
  messages: object[]
}

function bodyOf({ project, systemLength, tools, messages }: Parts): Buffer {
  const body = {
    model: 'claude-opus-4-8',
    messages,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.abc; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are a coding assistant.', cache_control: { type: 'ephemeral' } },
      {
        type: 'text',
        text: `${prose(systemLength)}\nWorking directory: ${project}\n`,
        cache_control: { type: 'ephemeral' },
      },
    ],
    tools,
    metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: sessionId(0) }) },
    max_tokens: 32_000,
    thinking: { type: 'adaptive' },
    stream: true,
  }
  return Buffer.from(JSON.stringify(body))
}

/** Every connection is an agent session of its own. */
function sessionId(connection: number): string {
  return `5b1f3c52-7a50-4d6f-9d2e-${String(connection).padStart(12, '0')}`
}

export function requestHeaders(host: string, connection: number, length: number): string {
  return [
    `host: ${host}`,
    'accept: application/json',
    'accept-encoding: identity',
    'anthropic-beta: claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
    'anthropic-dangerous-direct-browser-access: true',
    'anthropic-version: 2023-06-01',
    'content-type: application/json',
    'user-agent: claude-cli/2.1.197 (external, sdk-cli)',
    'x-api-key: bench-key',
    'x-app: cli',
    `x-claude-code-session-id: ${sessionId(connection)}`,
    'x-stainless-arch: x64',
    'x-stainless-lang: js',
    'x-stainless-os: Linux',
    'x-stainless-package-version: 0.60.0',
    'x-stainless-retry-count: 0',
    'x-stainless-runtime: node',
    'x-stainless-runtime-version: v20.0.0',
    'x-stainless-timeout: 600',
    'connection: keep-alive',
    `content-length: ${length}`,
  ].join('\r\n')
}

/** Name, value, name, value …, as many as the API sends. */
export function answerHeaders(mode: Mode, length: number): string[] {
  const body = answersJson(mode)
    ? ['content-type', 'application/json', 'content-length', String(length)]
    : ['content-type', 'text/event-stream; charset=utf-8']
  return [
    ...['date', 'Thu, 01 Jan 2026 00:00:00 GMT', 'request-id', 'req_bench', 'server', 'bench'],
    ...['anthropic-ratelimit-requests-limit', '4000', 'anthropic-ratelimit-requests-remaining', '3999'],
    ...['anthropic-ratelimit-tokens-limit', '400000', 'anthropic-ratelimit-tokens-remaining', '399000'],
    ...['anthropic-organization-id', 'org_bench', 'cache-control', 'no-cache'],
    ...body,
  ]
}

function answersJson(mode: Mode): boolean {
  return mode === 'json' || mode === 'results' || mode === 'small' || mode === 'echo'
}

const USAGE = { input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 18_000, output_tokens: 1 }
/** Stands where each answer has a number of its own: messages and tool calls have unique ids, and are recorded by them. */
const NUMBER = '00000000'
const MESSAGE = { id: `msg_${NUMBER}`, type: 'message', role: 'assistant', model: 'claude-opus-4-8' }
const TOOL_USE = { type: 'tool_use', id: `toolu_${NUMBER}`, name: 'Write' }

/** An answer's pieces, in the order they are sent. */
export function answerTo(mode: Mode, project = ''): Buffer[] {
  if (mode === 'json') return [jsonAnswer(3624, write(1500))]
  if (mode === 'results') return [jsonAnswer(3624, read(project))]
  if (mode === 'small') return [jsonAnswer(900, write(300))]
  return mode === 'slow' ? events(34, 16) : events(151, 53)
}

/** The piece with the answer's own number in it. */
export function numbered(piece: Buffer, answer: number): Buffer {
  let at = piece.indexOf(NUMBER)
  if (at < 0) return piece
  const copy = Buffer.from(piece)
  const digits = String(answer).padStart(NUMBER.length, '0')
  for (; at >= 0; at = copy.indexOf(NUMBER, at + NUMBER.length)) copy.write(digits, at, 'latin1')
  return copy
}

/** A received answer without its number, so that all are the same. */
export function unnumbered(answer: Buffer): string {
  return answer.toString('latin1').replace(/((?:msg|toolu)_)\d{8}/g, `$1${NUMBER}`)
}

/** A streamed answer: some text, one tool call; nine events besides the deltas. */
function events(textDeltas: number, inputDeltas: number): Buffer[] {
  const input = JSON.stringify({ file_path: '/src/dates.ts', content: prose(1500) })
  const size = Math.ceil(input.length / inputDeltas)
  return [
    event({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
    ...Array.from({ length: textDeltas }, (_, i) =>
      delta(0, { type: 'text_delta', text: prose(200).slice(i, i + 24) }),
    ),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'content_block_start', index: 1, content_block: { ...TOOL_USE, input: {} } }),
    ...Array.from({ length: inputDeltas }, (_, i) =>
      delta(1, { type: 'input_json_delta', partial_json: input.slice(i * size, (i + 1) * size) }),
    ),
    event({ type: 'content_block_stop', index: 1 }),
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { ...USAGE, output_tokens: 640 } }),
    event({ type: 'ping' }),
    event({ type: 'message_stop' }),
  ]
}

function event(data: { type: string; [field: string]: unknown }): Buffer {
  return Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
}

function delta(index: number, delta: object): Buffer {
  return event({ type: 'content_block_delta', index, delta })
}

function write(length: number): object {
  return { ...TOOL_USE, input: { file_path: '/src/dates.ts', content: prose(length) } }
}

/** What the prompt asks for, so that nothing is to be corrected. */
function read(project: string): object {
  return { ...TOOL_USE, name: 'Read', input: { file_path: `${project}/src/dates.ts`, limit: 200 } }
}

function jsonAnswer(textLength: number, toolUse: object): Buffer {
  return Buffer.from(
    JSON.stringify({
      ...MESSAGE,
      content: [{ type: 'text', text: prose(textLength) }, toolUse],
      stop_reason: 'tool_use',
      usage: { ...USAGE, output_tokens: 640 },
    }),
  )
}
