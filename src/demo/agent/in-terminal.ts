import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { askDaemon } from '#hooks/ask-daemon.ts'
import { type HookAnswer, type HookEventName, kebabEvent } from '#protocol/hook-event.ts'
import { textOf } from '#protocol/stream-json/output.ts'
import { reminder, runTurn, type Verdict, type Watchers } from './agent-loop.ts'
import type { Conversation } from './conversation.ts'
import type { AskModel, Block } from './model.ts'
import { responseOf, runTool, type ToolCall, type ToolOutcome } from './tools.ts'

/** An agent as a person starts it in a terminal: its hooks go to Grove's socket, Grove's tools come from its MCP server. */

export interface TerminalNeeds {
  prompt: string
  sessionId: string
  cwd: string
  groveHome: string
  /** Program and arguments that start `grove`. */
  grove: readonly string[]
  env: Record<string, string>
  conversation: Conversation
  ask: AskModel
  pause(): Promise<unknown>
  /** Prints a line as it would stand in the terminal. */
  show(line: string): void
}

export async function runInTerminal(needs: TerminalNeeds): Promise<void> {
  const tools = await connectTools(needs)
  try {
    needs.show(`> ${needs.prompt}`)
    const told = [await hook(needs, 'SessionStart', { source: 'startup' })]
    told.push(await hook(needs, 'UserPromptSubmit', { prompt: needs.prompt }))
    const opening: Block[] = [...told.flatMap(contextIn).map(reminder), { type: 'text', text: needs.prompt }]
    await needs.pause()
    await runTurn({ ...needs, watchers: watchersOf(needs, tools) }, opening)
    await hook(needs, 'SessionEnd', { reason: 'other' })
  } finally {
    await tools.close()
  }
}

function watchersOf(needs: TerminalNeeds, tools: Client): Watchers {
  const { cwd, env } = needs
  let isAgain = false
  return {
    async before(call): Promise<Verdict> {
      needs.show(`● ${call.name}(${subjectOf(call, cwd)})`)
      const { hookSpecificOutput: said } = await hook(needs, 'PreToolUse', eventOf(call))
      if (said?.permissionDecision !== 'deny') return { type: 'run' }
      const reason = said.permissionDecisionReason ?? 'This call was refused.'
      needs.show(`  Error: ${reason.split('\n')[0]}`)
      return { type: 'refused', reason }
    },
    run: (call) => (call.name.startsWith(PREFIX) ? callTool(tools, call) : runTool(call, cwd, env)),
    async after(call, outcome) {
      const answer = outcome.isError
        ? await hook(needs, 'PostToolUseFailure', { ...eventOf(call), error: outcome.text })
        : await hook(needs, 'PostToolUse', { ...eventOf(call), tool_response: responseOf(call, outcome) })
      return contextIn(answer)[0]
    },
    answered() {},
    async stopping(lastWords) {
      const event = { stop_hook_active: isAgain, last_assistant_message: lastWords }
      const answer = await hook(needs, 'Stop', event)
      isAgain = true
      return contextIn(answer)[0] ?? answer.reason
    },
  }
}

async function hook(needs: TerminalNeeds, name: HookEventName, event: object): Promise<HookAnswer> {
  const { sessionId, cwd, conversation, groveHome } = needs
  const common = { session_id: sessionId, transcript_path: conversation.file, cwd, permission_mode: 'default' }
  const payload = JSON.stringify({ ...common, hook_event_name: name, ...event })
  const text = await askDaemon(groveHome, kebabEvent(name), payload)
  const answer = text ? (JSON.parse(text) as HookAnswer) : {}
  if (answer.systemMessage) needs.show(`  ${answer.systemMessage}`)
  return answer
}

/** What a call is about, as terminals show it behind the name of the tool. */
function subjectOf({ input }: ToolCall, cwd: string): string {
  const { file_path: file, command } = input
  return typeof file === 'string' ? file.replace(`${cwd}/`, '') : typeof command === 'string' ? command : ''
}

function contextIn({ hookSpecificOutput }: HookAnswer): string[] {
  return hookSpecificOutput?.additionalContext ? [hookSpecificOutput.additionalContext] : []
}

function eventOf({ id, name, input }: ToolCall): object {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}

const PREFIX = 'mcp__grove__'

async function connectTools({ grove: [command, ...args], cwd, env, sessionId }: TerminalNeeds): Promise<Client> {
  const client = new Client({ name: 'demo', version: '1' })
  const told = { ...env, CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: cwd }
  await client.connect(
    new StdioClientTransport({ command: command!, args: [...args, 'mcp'], cwd, env: told, stderr: 'ignore' }),
  )
  return client
}

async function callTool(tools: Client, { id, name, input }: ToolCall): Promise<ToolOutcome> {
  const answer = await tools.callTool({
    name: name.slice(PREFIX.length),
    arguments: input,
    _meta: { 'claudecode/toolUseId': id },
  })
  return { text: textOf(answer.content), ...(answer.isError === true && { isError: true }) }
}
