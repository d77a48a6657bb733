import { appendFileSync } from 'node:fs'

/**
 * What the client sends, in the order it sends it, about as large as it is in real sessions. The first is heard by
 * nobody, and so shows what the transports alone cost.
 */
export const EVENTS = [
  'notification',
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'post-tool-use',
  'stop',
  'session-end',
] as const
export type Event = (typeof EVENTS)[number]

const code = 'export function total(items: Item[]) {\n  return items.reduce((sum, { price }) => sum + price, 0)\n}\n'

/**
 * One payload for each way in. Every way has sessions of its own, each of which goes through all events once, and leaves
 * behind what the client writes into its transcript by then.
 */
export function payloads(event: Event, round: number, project: string) {
  const of = (way: string, n = 0) => {
    const session = `${way}-${round}-${n}`
    appendFileSync(transcriptOf(session, project), transcribed(event, session, project))
    return JSON.stringify(payload(event, session, session, project))
  }
  return {
    body: (n: number) => of('http', n),
    command: () => of('command'),
    client: () => of('client'),
    down: () => of('down'),
  }
}

function transcriptOf(session: string, project: string): string {
  return `${project}/../transcript-${session}.jsonl`
}

/** What the client has written by the time it tells of an event. */
function transcribed(event: Event, session: string, project: string): string {
  const usage = { input_tokens: 900, output_tokens: 80, cache_read_input_tokens: 20_000 }
  const says = (id: string, ...content: object[]) => ({
    type: 'assistant',
    uuid: `${session}-${id}`,
    sessionId: `bench-${session}`,
    cwd: project,
    message: { id: `msg_${session}_${id}`, model: 'claude-opus-4-8', role: 'assistant', content, usage },
  })
  const hears = (content: unknown) => ({
    type: 'user',
    sessionId: `bench-${session}`,
    message: { role: 'user', content },
  })
  const tool = toolOf(session, project)
  const lines =
    event === 'pre-tool-use'
      ? [
          hears('Add a total to the cart in src/cart.ts'),
          says('1', { type: 'text', text: 'I add the function, because the page needs it.' }),
          says('1', { type: 'tool_use', id: tool.tool_use_id, name: tool.tool_name, input: tool.tool_input }),
        ]
      : event === 'stop'
        ? [
            hears([{ type: 'tool_result', tool_use_id: tool.tool_use_id, content: 'The file was written.' }]),
            says('2', { type: 'text', text: 'I look further.' }),
          ]
        : []
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function toolOf(action: string, project: string) {
  return {
    tool_name: 'Write',
    tool_input: { file_path: `${project}/src/cart.ts`, content: code.repeat(30) },
    tool_use_id: `toolu_${action}`,
  }
}

export function payload(event: Event, session: string, action: string, project: string): object {
  const common = {
    session_id: `bench-${session}`,
    transcript_path: transcriptOf(session, project),
    cwd: project,
    permission_mode: 'default',
  }
  const tool = toolOf(action, project)
  switch (event) {
    case 'notification':
      return { ...common, hook_event_name: 'Notification', message: code.repeat(30) }
    case 'session-start':
      return { ...common, hook_event_name: 'SessionStart', source: 'startup' }
    case 'user-prompt-submit':
      return { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Add a total to the cart in src/cart.ts' }
    case 'pre-tool-use':
      return { ...common, hook_event_name: 'PreToolUse', ...tool }
    case 'post-tool-use':
      return { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: { filePath: 'src/cart.ts' } }
    case 'stop':
      return { ...common, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'I look further.' }
    case 'session-end':
      return { ...common, hook_event_name: 'SessionEnd', reason: 'other' }
  }
}
