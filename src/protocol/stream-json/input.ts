/** What headless Claude Code takes on its standard input, one JSON value per line. */

/** What the host may ask of a running client. */
export type HostRequest =
  | { subtype: 'initialize'; hooks?: object; appendSystemPrompt?: string; agents?: object }
  | { subtype: 'interrupt' | 'end_session' | 'get_session_cost' }
  | { subtype: 'stop_task'; task_id: string }

/** A user message. The client repeats the id when it takes the message into the conversation. */
export function userLine(id: string, content: object[] | string): string {
  return toLine({ type: 'user', uuid: id, message: { role: 'user', content } })
}

/** A request of ours; the client answers with the same id. */
export function requestLine(id: string, request: HostRequest): string {
  return toLine({ type: 'control_request', request_id: id, request })
}

/** Our answer to a request of the client. */
export function answerLine(id: string, response: object): string {
  return toLine({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
}

/** The answer to a request that cannot be served. */
export function errorLine(id: string, error: string): string {
  return toLine({ type: 'control_response', response: { subtype: 'error', request_id: id, error } })
}

/** U+2028 and U+2029 are legal in JSON, but some line readers split at them. */
function toLine(value: object): string {
  return `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => (c === '\u2028' ? '\\u2028' : '\\u2029'))}\n`
}
