import { isGroveTool } from '#core/action/tools.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import type { McpCaller } from './tools.ts'

/**
 * Who calls a tool. The client starts one MCP server per window and tells it one session, for good: it says neither
 * which subagent calls nor that `/clear` has begun another session. The hook before the call knows both, and the call
 * carries the same `tool_use_id`; so the hook leaves a note, and the server picks it up.
 */

interface Needs {
  states: StateStore
  clock: Clock
}

/** Leaves the note when the agent is about to call one of our tools. */
export function callerPart({ states, clock }: Needs): HookPart {
  return {
    name: 'mcp caller',
    async handle(event) {
      if (event.hook_event_name !== 'PreToolUse' || !event.tool_use_id || !isGroveTool(event.tool_name)) return
      const { session_id: sessionId, agent_id: agentId } = event
      await states.put(SLOTS.mcpCaller, event.tool_use_id, { sessionId, ...(agentId && { agentId }) }, clock.now())
      return undefined
    },
  }
}

/** The caller by its note, or else as the server's environment has it. */
export async function findCaller(
  states: StateStore,
  started: Pick<McpCaller, 'sessionId' | 'cwd'>,
  toolUseId: string | undefined,
): Promise<McpCaller> {
  if (toolUseId === undefined) return started
  const note = await states.get(SLOTS.mcpCaller, toolUseId)
  if (note) await states.remove(SLOTS.mcpCaller, toolUseId)
  return { ...started, ...note, toolUseId }
}
