/**
 * What the client sends, in the order it sends it, about as large as it is in real sessions. The first is heard by
 * nobody, and so shows what the doors alone cost.
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

/** One payload for each way in. Every way has sessions of its own, and no action is told twice. */
export function payloads(event: Event, round: number, project: string) {
  const of = (way: string, n = 0) => JSON.stringify(payload(event, `${way}-${round}`, `${way}-${round}-${n}`, project))
  return { body: (n: number) => of('http', n), command: of('command'), client: of('client'), down: of('down') }
}

export function payload(event: Event, session: string, action: string, project: string): object {
  const common = {
    session_id: `bench-${session}`,
    transcript_path: `${project}/../transcript.jsonl`,
    cwd: project,
    permission_mode: 'default',
  }
  const tool = {
    tool_name: 'Write',
    tool_input: { file_path: `${project}/src/cart.ts`, content: code.repeat(30) },
    tool_use_id: `toolu_${action}`,
  }
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
