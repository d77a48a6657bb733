import { keylessFolder } from '#core/redact/names-on-disk.ts'
import {
  amount,
  anything,
  flag,
  list,
  listOf,
  may,
  must,
  object,
  orElse,
  type Read,
  type Shape,
  type Shaped,
  shaped,
  text,
} from './shape.ts'

/** What Claude Code tells its hooks. */

const word = may(text)

/** Nothing on a disk has a longer path, and looking for one through all its folders would take for ever. */
const LONGEST_PATH = 4096
/** Deeper folders do not occur in practice, and each look for a project asks in all that lie above. */
const DEEPEST_PATH = 200
const path = may((value) => {
  const given = text(value)
  const isPath = given !== undefined && given.length <= LONGEST_PATH && !given.includes('\0')
  return isPath && given.split(/[\\/]/).length <= DEEPEST_PATH ? given : undefined
})

/** Where a client works; a name that is counted from somewhere would be taken as counted from where Grove runs. */
const folder = may((value) => {
  const given = path.read(value)
  return given !== undefined && /^(?:[\\/]|[a-z]:[\\/])/i.test(given) ? keylessFolder(given) : undefined
})

/** No model says as much at once. The rest is not read: what it promises and claims is looked for in every sentence. */
const LONGEST_MESSAGE = 1_000_000
const message = may((value) => text(value)?.slice(0, LONGEST_MESSAGE))

/** Inside a subagent `agent_id` is set; `session_id` stays that of the main session. */
const common = {
  session_id: must(text),
  transcript_path: path,
  cwd: folder,
  prompt_id: word,
  permission_mode: word,
  effort: may(shaped({ level: word })),
  agent_id: word,
  agent_type: word,
}
const tool = { tool_name: must(text), tool_input: orElse(object, () => ({})), tool_use_id: word }
const stop = {
  stop_hook_active: orElse(flag, () => false),
  last_assistant_message: message,
  background_tasks: may(list),
}
const todo = {
  task_id: must(text),
  task_subject: word,
  task_description: word,
  teammate_name: word,
  team_name: word,
}
const modelSwitch = { from_model: word, to_model: word, requested_model: word, source: word }

const events = {
  SessionStart: { ...common, source: word, model: word },
  Setup: { ...common, trigger: word },
  InstructionsLoaded: { ...common, file_path: word, memory_type: word, load_reason: word },
  UserPromptSubmit: { ...common, prompt: must(text) },
  UserPromptExpansion: {
    ...common,
    expansion_type: word,
    command_name: word,
    command_args: word,
    command_source: word,
    prompt: word,
  },
  PreToolUse: { ...common, ...tool },
  PostToolUse: { ...common, ...tool, tool_response: may(anything), duration_ms: may(amount) },
  PostToolUseFailure: { ...common, ...tool, error: word, is_interrupt: may(flag), duration_ms: may(amount) },
  PostToolBatch: {
    ...common,
    tool_calls: orElse(listOf(shaped({ ...tool, tool_response: may(anything) })), () => []),
  },
  PermissionRequest: { ...common, ...tool, permission_suggestions: may(list) },
  PermissionDenied: { ...common, ...tool, reason: word },
  Notification: { ...common, message: word, notification_type: word },
  MessageDisplay: {
    ...common,
    turn_id: word,
    message_id: word,
    index: may(amount),
    final: may(flag),
    delta: word,
  },
  Stop: { ...common, ...stop, session_crons: may(list) },
  StopFailure: { ...common, error: word, error_details: may(anything), last_assistant_message: message },
  SubagentStart: { ...common, agent_id: must(text) },
  SubagentStop: { ...common, ...stop, agent_transcript_path: path },
  PreCompact: { ...common, trigger: word, custom_instructions: may((value) => (value === null ? null : text(value))) },
  PostCompact: { ...common, trigger: word, compact_summary: word },
  TaskCreated: { ...common, ...todo },
  TaskCompleted: { ...common, ...todo },
  ConfigChange: { ...common, source: word, file_path: word },
  CwdChanged: { ...common, old_cwd: folder, new_cwd: folder },
  FileChanged: { ...common, file_path: word, event: word },
  WorktreeCreate: { ...common, name: word },
  WorktreeRemove: { ...common, worktree_path: word },
  Elicitation: { ...common, mcp_server_name: word, message: word, mode: word, requested_schema: may(object) },
  ElicitationResult: { ...common, mcp_server_name: word, action: word, content: may(anything) },
  SessionEnd: { ...common, reason: word },
  TeammateIdle: { ...common, teammate_name: word, team_name: word },
  PreModelSwitch: { ...common, ...modelSwitch },
  PostModelSwitch: { ...common, ...modelSwitch },
  DirectoryAdded: { ...common, directory: word, source: word },
} satisfies Record<string, Shape>

/** The events this version of Grove knows. */
export type HookEventName = keyof typeof events
/** The payload of one event: `HookEventOf<'PreToolUse'>`. */
export type HookEventOf<Name extends HookEventName> = { hook_event_name: Name } & Shaped<(typeof events)[Name]>
/** The payload of an event that could be read. */
export type KnownHookEvent = { [Name in HookEventName]: HookEventOf<Name> }[HookEventName]
/** A hook payload; events that are unknown, or too odd to read, are `hook_event_name: 'unknown'` with the payload in `raw`. */
export type HookEvent = KnownHookEvent | { hook_event_name: 'unknown'; raw: unknown }

/** Reads a parsed hook payload. `named` is the event the caller was told by other means, for payloads that do not say. */
export function readHookEvent(payload: unknown, named?: HookEventName): HookEvent {
  const given = object(payload)
  const name = given?.hook_event_name ?? named
  const read = typeof name === 'string' && isHookEventName(name) && readerOf(name)(given)
  if (!read) return { hook_event_name: 'unknown', raw: payload }
  return Object.assign(read, { hook_event_name: name }) as HookEvent
}

const LONGEST_NAME = 256
const NAMES = [
  ...['session_id', 'agent_id', 'agent_type', 'prompt_id', 'permission_mode', 'hook_event_name', 'tool_name'],
  ...['tool_use_id', 'task_id', 'turn_id', 'message_id', 'teammate_name', 'team_name'],
]
const PATHS = ['transcript_path', 'agent_transcript_path', 'cwd']

/** Whether an id, a name or a path is longer than any client's. They are kept, compared and shown whole, so such a payload is none. */
export function namesTooLong(payload: unknown): boolean {
  const given = object(payload)
  if (!given) return false
  const isLonger = (name: string, most: number) => {
    const value = given[name]
    return typeof value === 'string' && value.length > most
  }
  return NAMES.some((name) => isLonger(name, LONGEST_NAME)) || PATHS.some((name) => isLonger(name, LONGEST_PATH))
}

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(events, name)
}

const readers = new Map<HookEventName, Read<object>>()

/** Each is made when its event comes: a process that answers one hook needs one. */
function readerOf(name: HookEventName): Read<object> {
  const known = readers.get(name) ?? shaped<Shape>(events[name])
  readers.set(name, known)
  return known
}

const byKebab = new Map((Object.keys(events) as HookEventName[]).map((name) => [kebabEvent(name), name]))

/** `PreToolUse` → `pre-tool-use`, as in `grove hook pre-tool-use` and `POST /hooks/pre-tool-use`. */
export function kebabEvent(name: HookEventName): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()
}

/** `pre-tool-use` → `PreToolUse`; undefined for an unknown event. */
export function eventFromKebab(kebab: string): HookEventName | undefined {
  return byKebab.get(kebab)
}

/** What a hook may answer. An empty object means: nothing to say, go on. */
export interface HookAnswer {
  continue?: boolean
  stopReason?: string
  /** Shown to the user, never sent to the model. */
  systemMessage?: string
  decision?: 'block'
  reason?: string
  hookSpecificOutput?: {
    hookEventName: HookEventName
    additionalContext?: string
    permissionDecision?: 'allow' | 'deny' | 'ask'
    permissionDecisionReason?: string
    updatedInput?: Record<string, unknown>
    /** At PermissionRequest: the answer to the prompt that the user sees; the first answer decides. */
    decision?: { behavior: 'allow' } | { behavior: 'deny'; message: string }
  }
}

/** The events whose `additionalContext` reaches the model. */
export type ContextEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'UserPromptExpansion'
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'Stop'
  | 'SubagentStart'
  | 'SubagentStop'

/** Nothing to say. */
export const none: HookAnswer = {}
