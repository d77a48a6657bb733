import { describe, expect, it, onTestFinished } from 'vitest'
import { readRecordings } from './read-recordings.ts'
import type { Recording } from './recording.ts'
import { messagesOf, replay } from './replay.ts'

// Futures that were thought up without a look at what the canary looks for. Each must be noticed within three requests.

type Json = Record<string, unknown>

const tools = readRecordings()
  .at(-1)!
  .recordings.filter(({ story, hints }) => story === 'tools' && !hints)

/** Changes every object of a request, the innermost first. */
function everywhere(change: (part: Json) => Json): (one: Recording) => Recording {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return change(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)])))
  }
  return (one) => ({ ...one, body: walk(one.body) as Json })
}

function inBody(change: (body: Json) => Json): (one: Recording) => Recording {
  return (one) => ({ ...one, body: change(one.body) })
}

function inTexts(from: string | RegExp, to: string): (one: Recording) => Recording {
  return everywhere((part) =>
    Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, typeof value === 'string' ? value.replaceAll(from, to) : value]),
    ),
  )
}

const renamed = (from: string, to: string) => (part: Json) =>
  Object.fromEntries(Object.entries(part).map(([key, value]) => [key === from ? to : key, value]))
const ofType = (type: string, change: (block: Json) => Json) => (part: Json) =>
  part.type === type ? change(part) : part
const inCamels = (part: Json) =>
  Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]),
  )

/** What was said since the newest answer: a client that leaves it to the API to remember the rest. */
function onlyNews({ messages, ...body }: Json): Json {
  const all = messages as Json[]
  return { ...body, messages: all.slice(all.findLastIndex(({ role }) => role === 'assistant') + 1) }
}

const futureRequests: [what: string, change: (one: Recording) => Recording][] = [
  ['results name their call otherwise', everywhere(ofType('tool_result', renamed('tool_use_id', 'call_id')))],
  ['results are of another type', everywhere(ofType('tool_result', (block) => ({ ...block, type: 'tool_output' })))],
  [
    'results are words like any other',
    everywhere(ofType('tool_result', (block) => ({ type: 'text', text: JSON.stringify(block) }))),
  ],
  ['calls are of another type', everywhere(ofType('tool_use', (block) => ({ ...block, type: 'function_call' })))],
  [
    'results have a role of their own',
    everywhere((part) =>
      Array.isArray(part.content) && part.content.some(({ type }) => type === 'tool_result')
        ? { ...part, role: 'tool' }
        : part,
    ),
  ],
  ['the agent has another role', everywhere((part) => (part.role === 'assistant' ? { ...part, role: 'model' } : part))],
  ['the system prompt stands under another name', inBody(renamed('system', 'instructions'))],
  ['the tools stand under another name', inBody(renamed('tools', 'functions'))],
  [
    'a tool is described in a wrapper',
    inBody((body) => ({
      ...body,
      tools: (body.tools as Json[]).map((tool) => ({ type: 'function', function: tool })),
    })),
  ],
  ['its own words stand in another tag', inTexts('system-reminder>', 'client-note>')],
  [
    'it thinks in another way',
    inBody(({ thinking: _, context_management: __, ...body }) => ({ ...body, reasoning: {} })),
  ],
  ['its messages are wrapped', inBody(({ messages, ...body }) => ({ ...body, input: { messages } }))],
  ['only what is new is sent, behind an id', inBody((body) => ({ ...onlyNews(body), previous_message_id: 'msg_1' }))],
  ['only what is new is sent', inBody(onlyNews)],
  [
    'the main conversation is an agent like any other',
    (one) => ({ ...one, headers: { ...one.headers, 'x-claude-code-agent-id': 'main' } }),
  ],
  [
    'the session has another header',
    (one) => {
      const { 'x-claude-code-session-id': id, ...headers } = one.headers
      return { ...one, headers: { ...headers, 'x-claude-session': id! } }
    },
  ],
  [
    'files are named otherwise in calls',
    everywhere(ofType('tool_use', (block) => ({ ...block, input: renamed('file_path', 'path')(block.input as Json) }))),
  ],
  ['the folder is not told any more', inTexts(/ - Primary working directory: .*/g, '')],
  ['the folder stands in a tag', inTexts(/ - Primary working directory: (.*)/g, '<cwd>$1</cwd>')],
  [
    'messages have parts in place of content',
    (one) => ({
      ...one,
      body: {
        ...one.body,
        messages: messagesOf(one.body).map((message) => renamed('content', 'parts')({ ...message })),
      },
    }),
  ],
  ['the words of a block are its value', everywhere(ofType('text', renamed('text', 'value')))],
  ['every name is written otherwise', everywhere(inCamels)],
]

const onlyAt = (name: string, change: (payload: Json) => Json) => (payload: Json) =>
  payload.hook_event_name === name ? change(payload) : payload

const futureHooks: [what: string, change: (payload: Json) => Json][] = [
  ['the session is named otherwise', renamed('session_id', 'sessionId')],
  ['the event is named otherwise', renamed('hook_event_name', 'event')],
  ['every name is written otherwise', inCamels],
  ['the folder is named otherwise', renamed('cwd', 'workspace')],
  ['the transcript is named otherwise', renamed('transcript_path', 'transcript')],
  [
    'what ran is told by another event',
    onlyAt('PostToolUse', (payload) => ({ ...payload, hook_event_name: 'ToolFinished' })),
  ],
  [
    'what ran is told no more',
    onlyAt('PostToolUse', ({ session_id, cwd }) => ({ hook_event_name: 'Notification', session_id, cwd })),
  ],
  [
    'prompts are told by another event',
    onlyAt('UserPromptSubmit', (payload) => ({ ...payload, hook_event_name: 'PromptSent' })),
  ],
  [
    'calls have ids of their own',
    (payload) => ({
      ...payload,
      ...(payload.tool_use_id !== undefined && { tool_use_id: `call-${payload.tool_use_id}` }),
    }),
  ],
  ['what came of a call is named otherwise', renamed('tool_response', 'output')],
  [
    'calls are wrapped',
    ({ tool_name: name, tool_input: input, tool_use_id: id, ...payload }) =>
      name === undefined ? payload : { ...payload, tool: { name, input, id } },
  ],
  [
    'tools have small names',
    (payload) => ({
      ...payload,
      ...(payload.tool_name !== undefined && { tool_name: String(payload.tool_name).toLowerCase() }),
    }),
  ],
]

describe('a future that nobody had in mind is noticed', () => {
  it.each(futureRequests)('in requests: %s', async (_, request) => {
    await expectNoticed({ request, hooks: false })
  })

  it.each(futureHooks)('in hooks: %s', async (_, hook) => {
    await expectNoticed({ hook, hooks: true })
  })
})

async function expectNoticed(change: Pick<Parameters<typeof replay>[1], 'request' | 'hook' | 'hooks'>) {
  const { findings } = await replay(tools, { ...change, version: '3.0.0', whenFinished: onTestFinished })
  expect(findings[0]?.after).toBeLessThanOrEqual(3)
  expect(findings[0]?.version).toMatch(/^(3\.0\.0|unknown)$/)
}
