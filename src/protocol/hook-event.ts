import { z } from 'zod'
import { AnyObject, anything, isObject, maybe, readerByKind } from './tolerant.ts'

/** What Claude Code tells its hooks. Client contract, §1.2 and §1.3. */

const text = maybe(z.string())
const flag = maybe(z.boolean())

/** Inside a subagent `agent_id` is set; `session_id` stays that of the main session. */
const common = {
  session_id: z.string(),
  transcript_path: text,
  cwd: text,
  prompt_id: text,
  permission_mode: text,
  effort: maybe(z.looseObject({ level: text })),
  agent_id: text,
  agent_type: text,
}
const tool = { tool_name: z.string(), tool_input: AnyObject.catch({}), tool_use_id: text }
const stop = {
  stop_hook_active: z.boolean().catch(false),
  last_assistant_message: text,
  background_tasks: maybe(z.array(z.unknown())),
}
const todo = { task_id: z.string(), task_subject: text, task_description: text, teammate_name: text, team_name: text }

function event<const Name extends string, Fields extends z.ZodRawShape>(name: Name, fields: Fields) {
  return z.looseObject({ hook_event_name: z.literal(name), ...common, ...fields })
}

const events = {
  SessionStart: event('SessionStart', { source: text, model: text }),
  Setup: event('Setup', { trigger: text }),
  InstructionsLoaded: event('InstructionsLoaded', { file_path: text, memory_type: text, load_reason: text }),
  UserPromptSubmit: event('UserPromptSubmit', { prompt: z.string() }),
  UserPromptExpansion: event('UserPromptExpansion', {
    expansion_type: text,
    command_name: text,
    command_args: text,
    command_source: text,
    prompt: text,
  }),
  PreToolUse: event('PreToolUse', tool),
  PostToolUse: event('PostToolUse', { ...tool, tool_response: anything, duration_ms: maybe(z.number()) }),
  PostToolUseFailure: event('PostToolUseFailure', {
    ...tool,
    error: text,
    is_interrupt: flag,
    duration_ms: maybe(z.number()),
  }),
  PostToolBatch: event('PostToolBatch', {
    tool_calls: z.array(z.looseObject({ ...tool, tool_response: anything })).catch([]),
  }),
  PermissionRequest: event('PermissionRequest', { ...tool, permission_suggestions: maybe(z.array(z.unknown())) }),
  PermissionDenied: event('PermissionDenied', { ...tool, reason: text }),
  Notification: event('Notification', { message: text, notification_type: text }),
  MessageDisplay: event('MessageDisplay', {
    turn_id: text,
    message_id: text,
    index: maybe(z.number()),
    final: flag,
    delta: text,
  }),
  Stop: event('Stop', { ...stop, session_crons: maybe(z.array(z.unknown())) }),
  StopFailure: event('StopFailure', { error: text, error_details: anything, last_assistant_message: text }),
  SubagentStart: event('SubagentStart', { agent_id: z.string() }),
  SubagentStop: event('SubagentStop', { ...stop, agent_transcript_path: text }),
  PreCompact: event('PreCompact', { trigger: text, custom_instructions: maybe(z.string().nullable()) }),
  PostCompact: event('PostCompact', { trigger: text, compact_summary: text }),
  TaskCreated: event('TaskCreated', todo),
  TaskCompleted: event('TaskCompleted', todo),
  ConfigChange: event('ConfigChange', { source: text, file_path: text }),
  CwdChanged: event('CwdChanged', { old_cwd: text, new_cwd: text }),
  FileChanged: event('FileChanged', { file_path: text, event: text }),
  WorktreeCreate: event('WorktreeCreate', { name: text }),
  WorktreeRemove: event('WorktreeRemove', { worktree_path: text }),
  Elicitation: event('Elicitation', {
    mcp_server_name: text,
    message: text,
    mode: text,
    requested_schema: maybe(AnyObject),
  }),
  ElicitationResult: event('ElicitationResult', { mcp_server_name: text, action: text, content: anything }),
  SessionEnd: event('SessionEnd', { reason: text }),
  TeammateIdle: event('TeammateIdle', { teammate_name: text, team_name: text }),
}

/** The events this version of Grove knows. */
export type HookEventName = keyof typeof events
const read = readerByKind('hook_event_name', events)

/** A hook payload; events nobody described, or too odd to read, are `hook_event_name: 'unknown'` with the payload in `raw`. */
export type HookEvent = ReturnType<typeof read>
/** The payload of one event: `HookEventOf<'PreToolUse'>`. */
export type HookEventOf<Name extends HookEventName> = z.output<(typeof events)[Name]>

/** Reads a parsed hook payload. `named` is the event the caller was told by other means, for payloads that do not say. */
export function readHookEvent(payload: unknown, named?: HookEventName): HookEvent {
  const unnamed = isObject(payload) && named !== undefined && !('hook_event_name' in payload)
  return read(unnamed ? { ...payload, hook_event_name: named } : payload)
}

const byKebab = new Map((Object.keys(events) as HookEventName[]).map((name) => [kebabEvent(name), name]))

/** `PreToolUse` → `pre-tool-use`, as in `grove hook pre-tool-use` and `POST /hooks/pre-tool-use`. */
export function kebabEvent(name: HookEventName): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()
}

/** `pre-tool-use` → `PreToolUse`; undefined for an event nobody described. */
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

/** The tool must not run; the model sees exactly this reason as the tool's result. */
export function deny(reason: string): HookAnswer {
  return permission('deny', reason)
}

/** The user decides. Without anybody to ask, as in headless runs, the client denies. */
export function ask(reason: string): HookAnswer {
  return permission('ask', reason)
}

/** A text for the model, at the place this event gives it. */
export function context(event: ContextEvent, additionalContext: string): HookAnswer {
  return { hookSpecificOutput: { hookEventName: event, additionalContext } }
}

/** The agent must not stop, or the prompt not be sent. After a tool has run, the reason is only feedback. */
export function block(reason: string): HookAnswer {
  return { decision: 'block', reason }
}

function permission(permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): HookAnswer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason } }
}
