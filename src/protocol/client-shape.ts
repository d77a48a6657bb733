import { isKnownTool } from '#core/action/tools.ts'
import { isHookEventName } from './hook-event.ts'
import { isObject } from './json.ts'

/**
 * Every name in the client's form that Grove knows: what is not here is reported as unknown, once per client version.
 * Checked against the recordings of all supported versions in `test/clients`.
 */

/** The roles of messages. */
export const KNOWN_ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system'])

/** The top-level fields of a request of the main conversation. `thread` is left out: it stands for messages not sent. */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'metadata', 'max_tokens', 'stream', 'stop_sequences'],
  ...['thinking', 'temperature', 'top_p', 'top_k', 'context_management', 'output_config', 'output_format'],
  ...['safeguards', 'speed', 'diagnostics', 'service_tier', 'container', 'mcp_servers', 'cache_control'],
])

/** The types of blocks in messages of the user and the system. Those of the assistant are the API's own. */
export const KNOWN_BLOCKS: ReadonlySet<string> = new Set([
  ...['text', 'tool_result', 'image', 'document', 'search_result', 'container_upload'],
  ...['tool_addition', 'tool_removal'],
])

/** What the class header may say. */
export const KNOWN_CLASSES: ReadonlySet<string> = new Set([
  ...['main', 'subagent', 'workflow', 'compaction', 'auxiliary', 'side_reply'],
])

/** A stand-in for the tools that are loaded on demand. */
const PLACEHOLDER = 'DeferredToolPlaceholder'

/** The tools that Grove understands an agent's work by, each with its former name. */
const RELIED_ON = [['Agent', 'Task'], ['Bash'], ['Edit'], ['Read'], ['Write']]

/** New tools come with many versions and do no harm; one in the place of a tool that we rely on may be that tool renamed. */
export function unknownTools(offered: readonly string[]): string[] {
  const isComplete = RELIED_ON.every((names) => names.some((name) => offered.includes(name)))
  return isComplete ? [] : offered.filter((name) => !isKnownTool(name) && name !== PLACEHOLDER)
}

export function offersAgent(offered: readonly string[]): boolean {
  return offered.includes('Agent') || offered.includes('Task')
}

const CALL = ['tool_name', 'tool_use_id']

/** The fields without which an event is of no use, besides `session_id`. */
const NEEDED: Record<string, readonly string[]> = {
  UserPromptSubmit: ['prompt'],
  PreToolUse: CALL,
  PostToolUse: CALL,
  PostToolUseFailure: CALL,
  PermissionRequest: ['tool_name'],
  SubagentStart: ['agent_id'],
}

/** Fields that the real client always sends; programs that imitate it may leave them out. */
const NEEDED_OF_CLIENT: Record<string, readonly string[]> = { SessionStart: ['cwd'], UserPromptSubmit: ['cwd'] }

/** The inputs without which a call tells nothing. The client checks them before it asks a hook. */
const NEEDED_INPUT: Record<string, string> = {
  Bash: 'command',
  Edit: 'file_path',
  Read: 'file_path',
  Write: 'file_path',
}

/** What a hook payload has of unknown or lacks of what is needed; `event` is the name it was sent under. */
export function oddInHook(payload: unknown): { event?: string; missing: string[] } {
  if (!isObject(payload)) return { missing: ['hook_event_name'] }
  const { hook_event_name: name } = payload
  if (typeof name !== 'string') return { missing: ['hook_event_name'] }
  if (!isHookEventName(name)) return { event: name, missing: [] }
  return { missing: missingFields(name, payload) }
}

/** Fields of a known event that are needed and not there. What only a client would send is asked of a client only. */
export function missingFields(name: string, payload: object): string[] {
  const fields = payload as Record<string, unknown>
  const isClients = typeof fields.transcript_path === 'string'
  const needed = ['session_id', ...(NEEDED[name] ?? []), ...((isClients && NEEDED_OF_CLIENT[name]) || [])]
  const missing = needed.filter((field) => fields[field] === undefined)
  if (NEEDED[name] !== CALL) return missing
  const tool = String(fields.tool_name)
  const input = missingInput(tool, fields.tool_input)
  if (input !== undefined) missing.push(`tool_input.${input}`)
  const hasResult = name === 'PostToolUse' && Object.hasOwn(NEEDED_INPUT, tool)
  if (isClients && hasResult && fields.tool_response === undefined) missing.push('tool_response')
  return missing
}

/** Whether the transcript is named, but not where it used to be. */
export function isTranscriptMoved(payload: object): boolean {
  return Object.entries(payload).some(
    ([key, value]) => key !== 'transcript_path' && typeof value === 'string' && value.endsWith('.jsonl'),
  )
}

/** The input without which a call of this tool tells nothing, where it is not there. */
export function missingInput(tool: string, input: unknown): string | undefined {
  const needed = Object.hasOwn(NEEDED_INPUT, tool) ? NEEDED_INPUT[tool] : undefined
  if (needed === undefined || (isObject(input) && input[needed] !== undefined)) return undefined
  return needed
}

/** Whether an unknown tool gets the same input fields as a tool that changes files: probably that tool, renamed. */
export function isToolRenamed(tool: string, input: unknown): boolean {
  if (isKnownTool(tool) || !isObject(input)) return false
  const has = (field: string) => typeof input[field] === 'string'
  return has('command') || (has('file_path') && (has('content') || has('old_string')))
}

const USER_AGENT = /^claude-cli\/(\d[\w.-]{0,30})/

/** The client's version, as it names itself to the API. */
export function clientVersion(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  return USER_AGENT.exec(String(headers['user-agent'] ?? ''))?.[1]
}

/** The first version whose folder does not stand in the system prompt, where a user's own prompt takes its place. */
const FOLDER_IN_MESSAGES = [2, 1, 275]
/** The client's own system prompt explains its reminders; a user's own prompt in its place does not. */
export const OWN_MARKER = '<system-reminder>'

/** Whether a client of this version, with this system prompt, says which folder it works in. */
export function tellsFolder(version: string | undefined, systemPrompt: string): boolean {
  return systemPrompt.includes(OWN_MARKER) || (version !== undefined && isAtLeast(version, FOLDER_IN_MESSAGES))
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10) || 0)
  const differs = least.findIndex((part, at) => (parts[at] ?? 0) !== part)
  return differs === -1 || (parts[differs] ?? 0) > least[differs]!
}
