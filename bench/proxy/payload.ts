/** What travels in the bench: a request and answers with the shape and weight of Claude Code's, in words of our own. */

export const MODES = ['burst', 'paced', 'json'] as const
/** All events at once, 5 ms apart, or one JSON body; `hold` sends the first events and then keeps the stream open. */
export type Mode = (typeof MODES)[number] | 'hold'

export const PACE_MS = 5

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

/** 80 KB: a long system prompt, two dozen tools, a conversation with tool calls and results. */
export function requestBody(): Buffer {
  const tools = Array.from({ length: 24 }, (_, i) => ({
    name: `Tool${i}`,
    description: prose(900),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'pattern', 'limit', 'offset'].map((name) => [name, { type: 'string', description: prose(80) }]),
      ),
      required: ['path'],
    },
  }))
  const exchange = (i: number) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: prose(120) },
        { type: 'tool_use', id: `toolu_${i}`, name: 'Tool1', input: { path: `/src/file-${i}.ts`, limit: 200 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: prose(2400) }] },
  ]
  const body = {
    model: 'claude-opus-4-8',
    messages: [
      { role: 'user', content: [{ type: 'text', text: prose(1500) }] },
      ...Array.from({ length: 9 }, (_, i) => exchange(i)).flat(),
    ],
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.abc; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are a coding assistant.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: prose(14_000), cache_control: { type: 'ephemeral' } },
    ],
    tools,
    metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: SESSION_ID }) },
    max_tokens: 32_000,
    thinking: { type: 'adaptive' },
    stream: true,
  }
  return Buffer.from(JSON.stringify(body))
}

export const SESSION_ID = '5b1f3c52-7a50-4d6f-9d2e-0c1f4a6b7e88'

export function requestHeaders(host: string, length: number): string {
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
    `x-claude-code-session-id: ${SESSION_ID}`,
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
export function answerHeaders(mode: Mode): string[] {
  const body =
    mode === 'json'
      ? ['content-type', 'application/json', 'content-length', String(jsonAnswer().length)]
      : ['content-type', 'text/event-stream; charset=utf-8']
  return [
    ...['date', 'Thu, 01 Jan 2026 00:00:00 GMT', 'request-id', 'req_bench', 'server', 'bench'],
    ...['anthropic-ratelimit-requests-limit', '4000', 'anthropic-ratelimit-requests-remaining', '3999'],
    ...['anthropic-ratelimit-tokens-limit', '400000', 'anthropic-ratelimit-tokens-remaining', '399000'],
    ...['anthropic-organization-id', 'org_bench', 'cache-control', 'no-cache'],
    ...body,
  ]
}

const USAGE = { input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 18_000, output_tokens: 1 }
const MESSAGE = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'claude-opus-4-8' }
const TEXT_DELTAS = 151
const JSON_DELTAS = 53

/** The 213 events of one streamed answer: some text, one tool call. */
export function events(): Buffer[] {
  const input = JSON.stringify({ path: '/src/dates.ts', content: prose(1500) })
  const size = Math.ceil(input.length / JSON_DELTAS)
  return [
    event({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
    ...Array.from({ length: TEXT_DELTAS }, (_, i) =>
      delta(0, { type: 'text_delta', text: prose(200).slice(i, i + 24) }),
    ),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_bench', name: 'Write', input: {} },
    }),
    ...Array.from({ length: JSON_DELTAS }, (_, i) =>
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

let json: Buffer | undefined

export function jsonAnswer(): Buffer {
  json ??= Buffer.from(
    JSON.stringify({
      ...MESSAGE,
      content: [
        { type: 'text', text: prose(TEXT_DELTAS * 24) },
        { type: 'tool_use', id: 'toolu_bench', name: 'Write', input: { path: '/src/dates.ts', content: prose(1500) } },
      ],
      stop_reason: 'tool_use',
      usage: { ...USAGE, output_tokens: 640 },
    }),
  )
  return json
}
