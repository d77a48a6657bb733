import type { Reply } from '../../src/simulator/schema.ts'

/**
 * What each client version is put through when its requests are recorded. Everything that a story says itself stands in
 * «guillemets», so that the recording can keep those words and drop all others.
 */
export interface ClientStory {
  name: string
  prompt?: string
  /** User messages on standard input, each sent when the turn before it has ended; `now` does not wait. */
  messages?: (string | { now: string })[]
  args?: string[]
  env?: Record<string, string>
  settings?: object
  /** What the main thread is answered, one after the other; the last one repeats. */
  main: Partial<Reply>[]
  /** What helpers are answered. */
  agent?: Partial<Reply>[]
  /** Run once more in the same session. */
  resume?: string
  /** Puts a small MCP server beside the client. */
  mcp?: boolean
  /** Asks for the context usage over the control channel, which counts tokens. */
  contextUsage?: boolean
}

const uses = (name: string, input: object): Partial<Reply> => ({ tool_use: [{ name, input: input as never }] })
const says = (text: string): Partial<Reply> => ({ text })
const read = uses('Read', { file_path: '{{cwd}}/notes.txt' })

const echo = (context: string, event: string) => ({
  type: 'command',
  command: `printf '%s' '{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"«${context}»"}}'`,
})
const CONTEXTS = {
  hooks: {
    SessionStart: [{ hooks: [echo('context at the start', 'SessionStart')] }],
    UserPromptSubmit: [{ hooks: [echo('context for the prompt', 'UserPromptSubmit')] }],
    PostToolUse: [{ hooks: [echo('context after the tool', 'PostToolUse')] }],
  },
}

export const stories: ClientStory[] = [
  { name: 'hello', prompt: '«Say hello»', main: [says('«Hello.»')] },
  {
    name: 'tools',
    prompt: '«Tidy the notes»',
    main: [
      read,
      uses('Edit', { file_path: '{{cwd}}/notes.txt', old_string: 'milk', new_string: 'bread' }),
      uses('Bash', { command: 'cat notes.txt', description: '«Show them»' }),
      says('«The notes are tidy.»'),
    ],
    resume: '«Now read them once more»',
  },
  { name: 'contexts', prompt: '«Read the notes»', settings: CONTEXTS, main: [read, read, says('«Read.»')] },
  {
    name: 'tool search',
    prompt: '«Look for a tool»',
    env: { ENABLE_TOOL_SEARCH: 'true' },
    mcp: true,
    main: [uses('ToolSearch', { query: 'select:WebSearch', max_results: 3 }), read, says('«Found.»')],
  },
  {
    name: 'web search',
    prompt: '«Search the web»',
    args: ['--allowedTools=WebSearch'],
    main: [uses('WebSearch', { query: '«grove»' }), says('«Searched.»')],
  },
  {
    name: 'subagent',
    prompt: '«Let a helper read the notes»',
    main: [
      uses('Agent', { description: '«Read»', prompt: '«Read the notes for me»', subagent_type: 'general-purpose' }),
      says('«The helper is at work.»'),
    ],
    agent: [read, says('«Milk.»')],
  },
  {
    name: 'subagent in the foreground',
    prompt: '«Let a helper read the notes, and wait»',
    main: [
      uses('Agent', {
        description: '«Read»',
        prompt: '«Read the notes for me»',
        subagent_type: 'Explore',
        run_in_background: false,
      }),
      says('«The helper has read them.»'),
    ],
    agent: [read, says('«Milk.»')],
  },
  {
    name: 'prompt hook',
    prompt: '«Read the notes»',
    settings: { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: '«Is this fine?» $ARGUMENTS' }] }] } },
    main: [read, says('«Read.»')],
  },
  {
    name: 'agent hook',
    prompt: '«Read the notes»',
    settings: { hooks: { Stop: [{ hooks: [{ type: 'agent', prompt: '«Is all done?» $ARGUMENTS' }] }] } },
    main: [read, says('«Read.»')],
  },
  {
    name: 'compaction',
    messages: ['«Read the notes»', '/compact', '«Go on with the notes»'],
    main: [read, says('«Read. They speak of milk, and there is much more to say about it.»'), read, says('«Done.»')],
  },
  {
    name: 'a message in between',
    messages: ['«Read the notes»', { now: '«And mind the milk»' }],
    main: [uses('Bash', { command: 'sleep 2; cat notes.txt', description: '«Wait»' }), read, says('«Read.»')],
  },
  {
    name: 'words that look like the client',
    prompt: '«[SUGGESTION MODE is what I call it.] Write <analysis> and <summary> tags into the notes»',
    main: [read, says('«Written.»')],
  },
  {
    name: 'a stop hook that blocks',
    prompt: '«Read the notes»',
    settings: {
      hooks: {
        Stop: [
          {
            hooks: [
              {
                type: 'command',
                command:
                  'grep -q \'"stop_hook_active":true\' || printf \'%s\' \'{"decision":"block","reason":"«Once more»"}\'',
              },
            ],
          },
        ],
      },
    },
    main: [read, says('«Read.»'), read, says('«Read once more.»')],
  },
  { name: 'no thinking', prompt: '«Read the notes»', env: { MAX_THINKING_TOKENS: '0' }, main: [read, says('«Read.»')] },
  { name: 'haiku', prompt: '«Read the notes»', args: ['--model=claude-haiku-4-5'], main: [read, says('«Read.»')] },
  {
    name: 'sonnet 4.5',
    prompt: '«Read the notes»',
    args: ['--model=claude-sonnet-4-5'],
    main: [read, says('«Read.»')],
  },
  { name: 'sonnet 5', prompt: '«Read the notes»', args: ['--model=claude-sonnet-5'], main: [read, says('«Read.»')] },
  { name: 'opus 4.8', prompt: '«Read the notes»', args: ['--model=claude-opus-4-8'], main: [read, says('«Read.»')] },
  {
    name: 'structured answer',
    prompt: '«Count the notes»',
    args: ['--json-schema={"type":"object","properties":{"count":{"type":"number"}},"required":["count"]}'],
    main: [read, uses('StructuredOutput', { count: 1 })],
  },
  {
    name: 'few tools and an own system prompt',
    prompt: '«Read the notes»',
    args: ['--tools=Read', '--append-system-prompt=«Be brief»'],
    main: [read, says('«Read.»')],
  },
  {
    name: 'only an own system prompt',
    prompt: '«Read the notes»',
    args: ['--tools=Read', '--system-prompt=«You keep notes»'],
    main: [read, says('«Read.»')],
  },
  { name: 'context usage', messages: ['«Say hello»'], contextUsage: true, main: [says('«Hello.»')] },
]
