import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, parseJson } from '#protocol/json.ts'
import { textOf } from '#protocol/stream-json/output.ts'
import { runTurn, type TurnResult, type Verdict, type Watchers } from './agent-loop.ts'
import type { Conversation } from './conversation.ts'
import { type AskModel, type Block, CLIENT_VERSION, MODEL } from './model.ts'
import { responseOf, runTool, type ToolCall, type ToolOutcome } from './tools.ts'

/** An agent as Grove drives it in a feature session: JSON lines both ways, each tool call decided by the other side. */

type Json = Record<string, unknown>

export interface DrivenNeeds {
  sessionId: string
  cwd: string
  env: Record<string, string>
  /** The answer is JSON of a form that was asked for. */
  isStructured: boolean
  conversation: Conversation
  ask: AskModel
  pause(): Promise<unknown>
}

export async function runDriven(needs: DrivenNeeds): Promise<void> {
  const host = new Host()
  let turns = Promise.resolve()
  const begin = (opening: Block[] | ToolCall, uuid?: string) => {
    turns = turns.then(() => turn(needs, host, opening, uuid))
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const message = parseJson(line)
    if (!isObject(message)) continue
    if (message.type === 'control_response') host.answered(message)
    else if (message.type === 'control_request') {
      const request = message.request as Json
      host.reply(message.request_id, answerTo(request))
      if (request.subtype === 'initialize') {
        host.hooks = new Set(Object.keys((request.hooks as Json) ?? {}))
        // A call that was parked is asked about again before anything else is said.
        if (needs.conversation.parked) begin(needs.conversation.parked)
      }
      if (request.subtype === 'end_session' || request.subtype === 'interrupt') void end(needs, host)
    } else if (message.type === 'user') {
      const { content } = message.message as { content: Block[] | string }
      if (typeof content === 'string') compact(host, needs, String(message.uuid), content)
      else begin(content, String(message.uuid))
    }
  }
  // The driving process has gone.
  process.exit(0)
}

/** For hooks at the end, as long as Claude Code waits for them. */
const LAST_WORDS_MS = 1500

async function end(needs: DrivenNeeds, host: Host): Promise<never> {
  await Promise.race([host.hook({ ...eventOf(needs, 'SessionEnd'), reason: 'other' }), sleep(LAST_WORDS_MS)])
  process.exit(0)
}

function answerTo({ subtype }: Json): object {
  return subtype === 'get_session_cost' ? { text: 'Total cost: $0.0000' } : {}
}

/** Nothing needs to be shortened here; it is said to be done. */
function compact(host: Host, { sessionId }: DrivenNeeds, uuid: string, content: string): void {
  host.print({ type: 'user', uuid, isReplay: true, message: { role: 'user', content } })
  host.print({ type: 'system', subtype: 'status', session_id: sessionId, compact_result: 'success' })
  host.print(resultLine({ text: '' }, 0))
}

async function turn(needs: DrivenNeeds, host: Host, opening: Block[] | ToolCall, uuid?: string): Promise<void> {
  const { sessionId, cwd, conversation } = needs
  const session = { session_id: sessionId }
  host.print({
    type: 'system',
    subtype: 'init',
    ...session,
    model: MODEL,
    tools: [],
    claude_code_version: CLIENT_VERSION,
  })
  if (Array.isArray(opening)) {
    host.print({ type: 'user', uuid, isReplay: true, message: { role: 'user', content: opening } })
    await host.hook({ ...eventOf(needs, 'UserPromptSubmit'), prompt: textOf(opening) })
  }
  try {
    const done = await runTurn({ ...needs, watchers: watchersOf(needs, host, cwd) }, opening)
    host.print(resultLine(done, conversation.messages.length, needs.isStructured))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    host.print({ ...resultLine({ text }, 1), subtype: 'error_during_execution', is_error: true })
  }
}

function resultLine(done: TurnResult, turns: number, isStructured = false): Json {
  const common = { type: 'result', subtype: 'success', is_error: false, num_turns: turns, total_cost_usd: 0 }
  if ('parked' in done) return { ...common, result: '', stop_reason: 'tool_deferred', deferred_tool_use: done.parked }
  const structured = isStructured ? parseJson(done.text) : undefined
  return { ...common, result: done.text, ...(structured !== undefined && { structured_output: structured }) }
}

function eventOf({ sessionId, cwd, conversation }: DrivenNeeds, name: string, call?: ToolCall): Json {
  return {
    session_id: sessionId,
    transcript_path: conversation.file,
    cwd,
    hook_event_name: name,
    ...(call && { tool_name: call.name, tool_input: call.input, tool_use_id: call.id }),
  }
}

function watchersOf(needs: DrivenNeeds, host: Host, cwd: string): Watchers {
  return {
    async before(call): Promise<Verdict> {
      const said = specific(await host.hook(eventOf(needs, 'PreToolUse', call)))
      if (said.permissionDecision === 'defer') return { type: 'parked' }
      if (said.permissionDecision === 'allow') return { type: 'run' }
      if (said.permissionDecision === 'deny') return { type: 'refused', reason: String(said.permissionDecisionReason) }
      const { name: tool_name, input, id: tool_use_id } = call
      const asked = await host.ask({ subtype: 'can_use_tool', tool_name, input, tool_use_id })
      if (asked.behavior === 'allow') return { type: 'run' }
      return { type: 'refused', reason: String(asked.message) }
    },
    run: (call) => (call.name.startsWith(PREFIX) ? callHost(host, call) : runTool(call, cwd, needs.env)),
    async after(call, outcome) {
      const name = outcome.isError ? 'PostToolUseFailure' : 'PostToolUse'
      const told = outcome.isError ? { error: outcome.text } : { tool_response: responseOf(call, outcome) }
      const said = specific(await host.hook({ ...eventOf(needs, name, call), ...told }))
      return typeof said.additionalContext === 'string' ? said.additionalContext : undefined
    },
    answered({ id, model, content, usage }) {
      host.print({ type: 'assistant', message: { id, model, role: 'assistant', content, usage } })
    },
    streamed: (event) => host.print({ type: 'stream_event', event }),
    settled: (result) => host.print({ type: 'user', message: { role: 'user', content: [result] } }),
    async stopping(lastWords) {
      const said = await host.hook({
        ...eventOf(needs, 'Stop'),
        stop_hook_active: false,
        last_assistant_message: lastWords,
      })
      const { additionalContext } = specific(said)
      return typeof additionalContext === 'string' ? additionalContext : undefined
    },
  }
}

function specific(answer: Json): Json {
  return isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
}

const PREFIX = 'mcp__grove__'

async function callHost(host: Host, { id, name, input }: ToolCall): Promise<ToolOutcome> {
  const params = { name: name.slice(PREFIX.length), arguments: input, _meta: { 'claudecode/toolUseId': id } }
  const message = { jsonrpc: '2.0', id, method: 'tools/call', params }
  const { mcp_response: response } = await host.ask({ subtype: 'mcp_message', server_name: 'grove', message })
  const { result, error } = response as { result?: { content: unknown; isError?: boolean }; error?: Json }
  if (!result) return { text: String(error?.message), isError: true }
  return { text: textOf(result.content), ...(result.isError && { isError: true }) }
}

/** The driving process, over stdin and stdout. */
class Host {
  hooks = new Set<string>()
  readonly #waiting = new Map<string, (response: Json) => void>()

  print(line: object): void {
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }

  reply(requestId: unknown, response: object): void {
    this.print({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } })
  }

  ask(request: object): Promise<Json> {
    const id = `ask-${this.#waiting.size}-${Math.trunc(performance.now() * 1000)}`
    const answer = new Promise<Json>((resolve) => this.#waiting.set(id, resolve))
    this.print({ type: 'control_request', request_id: id, request })
    return answer
  }

  async hook(input: Json): Promise<Json> {
    if (!this.hooks.has(String(input.hook_event_name))) return {}
    return this.ask({ subtype: 'hook_callback', callback_id: 'grove', input })
  }

  answered(message: Json): void {
    const { request_id: id, response } = message.response as Json
    this.#waiting.get(String(id))?.(isObject(response) ? response : {})
  }
}
