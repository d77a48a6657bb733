import Anthropic from '@anthropic-ai/sdk'

export type Block = { type: string } & Record<string, unknown>

export interface Message {
  role: 'user' | 'assistant'
  content: Block[]
}

export interface Answer {
  id: string
  model: string
  content: Block[]
  usage: object
}

/** Asks the model once, as a streaming client does; each event of the stream is told as it comes. */
export type AskModel = (messages: readonly Message[], streamed?: (event: object) => void) => Promise<Answer>

export interface ModelPlace {
  baseUrl: string
  sessionId: string
  cwd: string
}

export const MODEL = 'claude-sonnet-5-5'
/** The release whose requests these look like. */
export const CLIENT_VERSION = '2.1.328'

const TOOLS = ['Agent', 'Bash', 'Edit', 'Read', 'Write']

export function modelAt({ baseUrl, sessionId, cwd }: ModelPlace): AskModel {
  const client = new Anthropic({
    apiKey: 'none-is-needed',
    baseURL: baseUrl,
    maxRetries: 0,
    defaultHeaders: {
      'user-agent': `claude-cli/${CLIENT_VERSION} (external, cli)`,
      'x-claude-code-session-id': sessionId,
      'x-claude-code-request-class': 'main',
    },
  })
  return async (messages, streamed = () => {}) => {
    const stream = client.messages.stream({
      model: MODEL,
      max_tokens: 8192,
      system: [{ type: 'text', text: `You work on the code of a small shop.\nWorking directory: ${cwd}` }],
      tools: TOOLS.map((name) => ({ name, input_schema: { type: 'object' as const } })),
      messages: messages as unknown as Anthropic.MessageParam[],
    })
    stream.on('streamEvent', streamed)
    const { id, model, content, usage } = await stream.finalMessage()
    return { id, model, content: content as unknown as Block[], usage }
  }
}
