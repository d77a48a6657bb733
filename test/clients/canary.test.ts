import { describe, expect, it, onTestFinished } from 'vitest'
import { KNOWN_CLASSES } from '../../src/protocol/client-shape.ts'
import { CLASS_HEADER, requestKind } from '../../src/protocol/request-kind.ts'
import { readRecordings } from './read-recordings.ts'
import type { Recording } from './recording.ts'
import { messagesOf, replay } from './replay.ts'

// Every recorded version is understood, through the proxy alone and with hooks; a client that has changed is noticed
// within three requests of a session, and is then followed by the attachment that is still understood.

const versions = readRecordings()

describe.each(versions)('client $version', ({ version, recordings }) => {
  it.each([
    ['the proxy alone', false],
    ['proxy and hooks', true],
  ])('is understood through %s', async (_, hooks) => {
    const { findings, printed, engine } = await replay(recordings, { version, hooks, whenFinished: onTestFinished })
    expect(findings).toEqual([])
    expect(printed.filter((line) => line.includes('understand'))).toEqual([])
    expect(engine.warnings).toEqual([])
  })
})

const newest = versions.at(-1)!
const FUTURE = '2.9.0'

function storyOf(name: string, hints = false): Recording[] {
  return newest.recordings.filter((one) => one.story === name && one.hints === hints)
}

/** Changes every string of a request. */
function texts(recording: Recording, change: (text: string) => string): Recording {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]))
  }
  return { ...recording, body: walk(recording.body) as Recording['body'] }
}

function withBody(recording: Recording, body: Recording['body']): Recording {
  return { ...recording, body: { ...recording.body, ...body } }
}

function blocksOf(recording: Recording) {
  return messagesOf(recording.body).flatMap(({ content }) => (typeof content === 'string' ? [] : content))
}

const NEW_NAMES: Record<string, string> = {
  Agent: 'Delegate',
  Edit: 'Change',
  Read: 'Open',
  Write: 'Create',
  Bash: 'Run',
}

/** A client of the future, in what it sends to the API. */
const requestChanges: [
  what: string,
  found: string,
  change: (recording: Recording) => Recording,
  story?: Recording[],
][] = [
  [
    'the role of system messages is called otherwise',
    'unknown-role',
    (one) =>
      withBody(one, {
        messages: messagesOf(one.body).map((message) =>
          message.role === 'system' ? { ...message, role: 'environment' } : message,
        ),
      }),
  ],
  [
    'the role of the user is called otherwise',
    'unknown-role',
    (one) =>
      withBody(one, {
        messages: messagesOf(one.body).map((message) =>
          message.role === 'user' ? { ...message, role: 'human' } : message,
        ),
      }),
  ],
  [
    'the cache marker stands on the first message',
    'doubtful-main',
    (one) => {
      const changed = structuredClone(one)
      for (const block of blocksOf(changed)) delete block.cache_control
      blocksOf(changed)[0]!.cache_control = { type: 'ephemeral' }
      return changed
    },
  ],
  [
    'its tools have other names',
    'unknown-tool',
    (one) => {
      const tools = (one.body.tools as { name: string }[]).map((tool) => ({
        ...tool,
        name: NEW_NAMES[tool.name] ?? tool.name,
      }))
      return withBody(one, { tools })
    },
  ],
  [
    'only its agent tool has another name',
    'unknown-tool',
    (one) => {
      const tools = (one.body.tools as { name: string }[]).map((tool) => ({
        ...tool,
        name: tool.name === 'Agent' ? 'Delegate' : tool.name,
      }))
      return withBody(one, { tools })
    },
  ],
  [
    'its requests are of new classes',
    'unknown-class',
    (one) => ({ ...one, headers: { ...one.headers, [CLASS_HEADER]: 'conversation' } }),
    storyOf('tools', true),
  ],
  [
    'it calls its main conversation a side request',
    'main-missed',
    (one) => ({ ...one, headers: { ...one.headers, [CLASS_HEADER]: 'auxiliary' } }),
    storyOf('tools', true),
  ],
  [
    'the words of the user stand in blocks of a new type',
    'unknown-block',
    (one) => {
      const changed = structuredClone(one)
      for (const block of blocksOf(changed)) {
        if (block.type === 'text') block.type = 'words'
      }
      return changed
    },
  ],
  ['requests have a new field', 'unknown-key', (one) => withBody(one, { conversation_id: 'c1' })],
  [
    'the messages stand under another name',
    'unreadable-request',
    ({ body: { messages, ...body }, ...one }) => ({ ...one, body: { ...body, conversation: messages } }),
  ],
  [
    'the folder is named in other words',
    'no-folder',
    (one) => texts(one, (text) => text.replace(/(?:Primary w|W)orking directory: /g, 'You are in ')),
  ],
  [
    'the words of the user have moved out of its messages',
    'no-instruction',
    (one) => texts(one, (text) => text.replace(/^«[^»]*»$/, '<system-reminder>…</system-reminder>')),
  ],
]

describe('a client of the future', () => {
  it.each(requestChanges)('is noticed when %s', async (_, kind, request, story = storyOf('tools')) => {
    const options = { version: FUTURE, hooks: false, request, whenFinished: onTestFinished }
    const { findings } = await replay(story, options)
    const [first] = findings.filter((finding) => finding.kind === kind)
    expect(findings.map((finding) => finding.kind)).toContain(kind)
    expect(first).toMatchObject({ version: FUTURE })
    expect(first!.after).toBeLessThanOrEqual(3)
  })

  it('is noticed when no request with the agent tool looks like the main conversation', async () => {
    // A user who talks and lets no tool run: there are no results that could tell.
    const [hello] = storyOf('hello', true)
    const request = (one: Recording) => ({ ...one, headers: { ...one.headers, [CLASS_HEADER]: 'auxiliary' } })
    const options = { version: FUTURE, hooks: false, request, whenFinished: onTestFinished }
    const { findings } = await replay([hello!, hello!, hello!], options)
    expect(findings).toMatchObject([{ kind: 'no-main', after: 3 }])
  })

  const renamed = (from: string, to: string) => (payload: Record<string, unknown>) => {
    const { [from]: value, ...rest } = payload
    return value === undefined ? payload : { ...rest, [to]: value }
  }
  const renamedEvent = (from: string, to: string) => (payload: Record<string, unknown>) =>
    payload.hook_event_name === from ? { ...payload, hook_event_name: to } : payload

  it.each<[string, object, (payload: Record<string, unknown>) => object]>([
    [
      'an event is called otherwise',
      { kind: 'unknown-event', subject: 'ToolWillRun' },
      renamedEvent('PreToolUse', 'ToolWillRun'),
    ],
    [
      'the id of a tool call is called otherwise',
      { kind: 'missing-field', subject: 'PreToolUse.tool_use_id' },
      renamed('tool_use_id', 'call_id'),
    ],
    [
      'the name of a tool is called otherwise',
      { kind: 'missing-field', subject: 'PreToolUse.tool_name' },
      renamed('tool_name', 'tool'),
    ],
    [
      'the input of a tool is called otherwise',
      { kind: 'missing-field', subject: 'PreToolUse.tool_input.file_path' },
      renamed('tool_input', 'arguments'),
    ],
    [
      'the prompt is called otherwise',
      { kind: 'missing-field', subject: 'UserPromptSubmit.prompt' },
      renamed('prompt', 'text'),
    ],
  ])('is noticed when in its hooks %s', async (_, found, hook) => {
    const options = { version: FUTURE, hooks: true, hook, whenFinished: onTestFinished }
    const { findings, printed } = await replay(storyOf('tools'), options)
    const [first] = findings
    expect(first).toMatchObject(found)
    expect(first!.after).toBeLessThanOrEqual(3)
    expect(printed.filter((line) => line.includes('not fully understand'))).not.toEqual([])
    expect(printed.filter((line) => line.includes('\n'))).toEqual([])
  })

  it('is none when nothing has changed that Grove relies on', async () => {
    const request = (one: Recording) => {
      const changed = structuredClone(one)
      for (const block of blocksOf(changed)) delete block.cache_control
      const tools = [...(changed.body.tools as object[]), { name: 'Paint' }]
      const headers = { ...changed.headers, 'anthropic-beta': 'tea-2027-01-01', 'x-claude-code-mood': 'fine' }
      return { ...withBody(changed, { tools, model: 'claude-opus-9', max_tokens: 1_000_000 }), headers }
    }
    const hook = (payload: Record<string, unknown>) => ({ ...payload, mood: 'fine', permission_mode: 'bold' })
    const options = { version: FUTURE, hooks: true, request, hook, whenFinished: onTestFinished }
    const { findings, steps } = await replay(storyOf('tools'), options)
    expect(findings).toEqual([])
    expect(steps).toEqual(['Read', 'Edit', 'Bash'])
  })

  it('is told of once, in one line, and kept for other sessions of that version', async () => {
    const story = [...storyOf('tools'), ...storyOf('contexts')]
    const request = (one: Recording) => withBody(one, { tempo: 'fast' })
    const options = { version: FUTURE, hooks: true, request, whenFinished: onTestFinished }
    const { findings, printed } = await replay(story, options)
    expect(findings).toHaveLength(1)
    expect(printed).toEqual([
      'Grove does not fully understand Claude Code 2.9.0: requests have the unknown field "tempo". `grove doctor` says what is affected.',
    ])
  })
})

describe('with the other attachment', () => {
  it('hooks alone tell the steps of a main conversation that the proxy does not see', async () => {
    const request = (one: Recording) => ({ ...one, headers: { ...one.headers, [CLASS_HEADER]: 'auxiliary' } })
    const common = { version: FUTURE, hooks: true, whenFinished: onTestFinished }
    const understood = await replay(storyOf('tools'), common)
    const missed = await replay(storyOf('tools'), { ...common, request })
    expect(missed.findings[0]).toMatchObject({ kind: 'main-missed' })
    expect(understood.steps).toEqual(['Read', 'Edit', 'Bash'])
    expect(missed.steps).toEqual(understood.steps)
  })

  it('the proxy alone tells the steps of calls that hooks do not name', async () => {
    const hook = ({ tool_use_id, ...payload }: Record<string, unknown>) => payload
    const common = { version: FUTURE, hooks: true, whenFinished: onTestFinished }
    const understood = await replay(storyOf('tools'), common)
    const missed = await replay(storyOf('tools'), { ...common, hook })
    expect(missed.steps).toEqual(understood.steps)
  })
})

it.each([...KNOWN_CLASSES])('the class %s decides by itself whose a request is', (name) => {
  const sketch = { path: '/v1/messages', keys: ['messages', 'thinking'], tools: ['Agent'], answerFields: [] }
  const byStructure = requestKind({}, { ...sketch, thinking: 'adaptive' }).kind
  const { kind } = requestKind({ [CLASS_HEADER]: name }, { ...sketch, thinking: 'adaptive' })
  expect(kind === byStructure).toBe(name === 'main')
})
