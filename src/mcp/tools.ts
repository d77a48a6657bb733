import type * as z from 'zod'

/** Who calls a tool, as far as it can be known. */
export interface McpCaller {
  /** The agent session. Without hooks it is the one the server was started for. */
  sessionId?: string
  /** Set when a subagent calls; known through the hooks only. */
  agentId?: string
  /** The folder of the project. */
  cwd: string
  toolUseId?: string
}

/** What a tool answers: a text for the model, or an error it can act on. */
export type McpAnswer = string | { error: string }

/** A tool that the agent can call. Each feature brings its own in `mcp/<feature>-tools.ts`. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  /** Without prefix: Claude Code shows it as `mcp__grove__<name>`. */
  name: string
  title: string
  /** When to call it and what comes back; the model reads this. */
  description: string
  input: Input
  /** Changes nothing, so that it needs no permission and no intent. */
  readOnly: boolean
  handle(input: z.output<Input>, caller: McpCaller): Promise<McpAnswer>
}

/** A tool with its own input, as one of many. */
export function mcpTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool
}
